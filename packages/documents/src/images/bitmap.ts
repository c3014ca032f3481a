/** All offsets follow the Windows structures BITMAPFILEHEADER and BITMAPINFOHEADER. */
const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;

const UNCOMPRESSED = 0;
const BIT_FIELDS = 3;

/** Luma weights of red, green and blue out of 256, from ITU-R BT.601. */
const RED = 77;
const GREEN = 150;
const BLUE = 29;

export interface BitmapHeader {
  readonly width: number;
  readonly height: number;
  /** True if rows go from top to bottom. */
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  /** Offset of the pixels. */
  readonly dataAt: number;
  /** Offset of the colour palette, and bytes per palette entry. */
  readonly coloursAt: number;
  readonly colourBytes: number;
  /** Dots per inch; 0 if the file does not say. */
  readonly dpi: number;
}

/** Undefined for other files, and for compressed bitmaps, which are very rare. */
export function readBitmapHeader(file: Buffer): BitmapHeader | undefined {
  if (file.length < FILE_HEADER_BYTES + INFO_HEADER_BYTES || file.toString("latin1", 0, 2) !== "BM")
    return undefined;
  const headerBytes = file.readUInt32LE(14);
  const isCore = headerBytes === CORE_HEADER_BYTES;
  const rawHeight = isCore ? file.readUInt16LE(20) : file.readInt32LE(22);
  const compression = isCore ? UNCOMPRESSED : file.readUInt32LE(30);
  const bitsPerPixel = file.readUInt16LE(isCore ? 24 : 28);
  const isRead = compression === UNCOMPRESSED || (compression === BIT_FIELDS && bitsPerPixel === 32);
  if (!isRead || ![1, 4, 8, 24, 32].includes(bitsPerPixel)) return undefined;
  const width = isCore ? file.readUInt16LE(18) : file.readInt32LE(18);
  if (width <= 0 || rawHeight === 0) return undefined;
  return {
    width,
    height: Math.abs(rawHeight),
    isTopDown: rawHeight < 0,
    bitsPerPixel,
    dataAt: file.readUInt32LE(10),
    coloursAt: FILE_HEADER_BYTES + headerBytes,
    colourBytes: isCore ? 3 : 4,
    dpi: isCore ? 0 : Math.round(file.readInt32LE(38) * 0.0254),
  };
}

/** One byte per pixel, row by row; 0 is black. Missing pixels are white. */
export function decodeBitmap(file: Buffer, header: BitmapHeader): Uint8Array {
  const { width, height, isTopDown, bitsPerPixel, dataAt } = header;
  const pixels = new Uint8Array(width * height).fill(255);
  // Rows are padded to multiples of 4 bytes.
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const greys = bitsPerPixel <= 8 ? greysOf(file, header) : undefined;
  for (let row = 0; row < height; row++) {
    const start = dataAt + row * rowBytes;
    if (start + rowBytes > file.length) break;
    const target = pixels.subarray((isTopDown ? row : height - 1 - row) * width).subarray(0, width);
    if (greys) copyNamed(file.subarray(start), target, { bitsPerPixel, greys });
    else copyColoured(file.subarray(start), target, bitsPerPixel / 8);
  }
  return pixels;
}

function greysOf(file: Buffer, { bitsPerPixel, coloursAt, colourBytes }: BitmapHeader): Uint8Array {
  const greys = new Uint8Array(2 ** bitsPerPixel);
  for (let colour = 0; colour < greys.length; colour++) {
    const at = coloursAt + colour * colourBytes;
    if (at + 3 > file.length) break;
    greys[colour] = greyAt(file, at);
  }
  return greys;
}

function copyNamed(
  row: Buffer,
  target: Uint8Array,
  { bitsPerPixel, greys }: { readonly bitsPerPixel: number; readonly greys: Uint8Array },
): void {
  const perByte = 8 / bitsPerPixel;
  const mask = 2 ** bitsPerPixel - 1;
  for (let x = 0; x < target.length; x++) {
    const shift = 8 - bitsPerPixel * ((x % perByte) + 1);
    const colour = ((row[Math.floor(x / perByte)] ?? 0) >> shift) & mask;
    target[x] = greys[colour] ?? 0;
  }
}

function copyColoured(row: Buffer, target: Uint8Array, bytesPerPixel: number): void {
  for (let x = 0; x < target.length; x++) target[x] = greyAt(row, x * bytesPerPixel);
}

/** Bytes are in the order blue, green, red. */
function greyAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) * BLUE + (bytes[at + 1] ?? 0) * GREEN + (bytes[at + 2] ?? 0) * RED) >> 8;
}
