import type { Metadata, Sharp } from "sharp";
import { DocumentError, unreadable } from "../errors.ts";
import type { OcrPicture } from "../ocr/ocr-engine.ts";
import { type PdfReader, UnreadablePdf } from "../pdfium/reader.ts";

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

/** Formats that sharp may decode. Others, such as SVG, are refused. */
const FORMATS = new Set(["png", "jpeg", "webp", "gif", "tiff", "heif"]);

const DAMAGED = "it is damaged, or no such picture";

/** Plausible resolutions of scanners and screens. Other values in files are mistakes. */
const LEAST_DPI = 100;
const MAX_DPI = 600;

/** In inches. Assumed page width if the file has no resolution. */
const PAGE_WIDTH = 8;

/** With lower guesses, tesseract looks for letters too small to read. */
const FEWEST_GUESSED_DPI = 70;

/** Larger pictures are scaled down: OCR reads them as well, in less time. */
const MAX_READ_PIXELS = 25_000_000;

/**
 * Decodes a picture to grey levels on white, rotated as its metadata says. For animations, uses the first
 * frame.
 * @throws DocumentError `unreadable-file` if it is too large, damaged, or in an unsupported format.
 * The size check uses the header, before anything is decoded.
 */
export async function decodePicture(file: Uint8Array, pdf: PdfReader): Promise<OcrPicture> {
  if (file.byteLength > MAX_FILE_BYTES) throw unreadable("it has more than 50 MB");
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const bitmap = readBitmapHeader(bytes);
  if (bitmap) return bitmapPicture(bytes, bitmap);
  const jpeg2000 = readJpeg2000Header(bytes);
  if (jpeg2000) return decodeByPdfium(bytes, jpeg2000, pdf);
  return decodeBySharp(bytes);
}

function bitmapPicture(bytes: Buffer, header: BitmapHeader): OcrPicture {
  refuseTooLarge(header);
  const { width, height, dpi } = header;
  return { pixels: decodeBitmap(bytes, header), width, height, dpi: resolutionOf(dpi, width) };
}

function decodeByPdfium(bytes: Buffer, header: Jpeg2000Header, pdf: PdfReader): OcrPicture {
  refuseTooLarge(header);
  try {
    const picture = decodeJpeg2000(bytes, header, pdf);
    return { ...picture, dpi: resolutionOf(0, Math.min(picture.width, picture.height)) };
  } catch (failure) {
    throw failure instanceof UnreadablePdf ? unreadable(DAMAGED) : failure;
  }
}

async function decodeBySharp(bytes: Buffer): Promise<OcrPicture> {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(bytes, { limitInputPixels: false, pages: 1 });
    const header = await picture.metadata();
    if (!FORMATS.has(header.format)) throw unreadable("this type of image is not supported");
    refuseTooLarge(header);
    return await greyPicture(picture, header);
  } catch (failure) {
    throw failure instanceof DocumentError ? failure : unreadable(DAMAGED);
  }
}

async function greyPicture(picture: Sharp, { width, height, density = 0 }: Metadata): Promise<OcrPicture> {
  const shrunk = Math.min(1, Math.sqrt(MAX_READ_PIXELS / Math.max(1, width * height)));
  const upright = picture.autoOrient().flatten({ background: "white" }).greyscale();
  const sized = shrunk < 1 ? upright.resize({ width: Math.floor(width * shrunk), fit: "inside" }) : upright;
  const { data, info } = await sized.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  const dpi = resolutionOf(density, Math.min(width, height)) * shrunk;
  return {
    pixels: firstChannel(data, info.channels),
    width: info.width,
    height: info.height,
    dpi: Math.round(dpi),
  };
}

function firstChannel(data: Buffer, channels: number): Uint8Array {
  if (channels === 1) return data;
  return Uint8Array.from({ length: data.length / channels }, (_, at) => data[at * channels] ?? 0);
}

function refuseTooLarge(size: { readonly width: number; readonly height: number }): void {
  const reason = pictureProblem(size);
  if (reason !== undefined) throw unreadable(reason);
}

function resolutionOf(told: number, width: number): number {
  if (told >= LEAST_DPI && told <= MAX_DPI) return Math.round(told);
  return Math.min(MAX_DPI, Math.max(FEWEST_GUESSED_DPI, Math.round(width / PAGE_WIDTH)));
}

/** Larger files are refused. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** An A3 sheet at 600 dpi has 70 million pixels; half of that is enough to read text. */
const MAX_PIXELS = 60_000_000;
const MAX_SIDE_LENGTH = 30_000;

/** Why the picture must not be decoded, from its header; undefined if it may be. */
function pictureProblem({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): string | undefined {
  if (width * height > MAX_PIXELS) return `it has more than ${MAX_PIXELS / 1e6} million pixels`;
  return Math.max(width, height) > MAX_SIDE_LENGTH
    ? `a side is longer than ${MAX_SIDE_LENGTH} pixels`
    : undefined;
}

/** File starts: the signature box of ISO/IEC 15444-1, annex I, or a bare codestream. */
const SIGNATURE = Buffer.from("0000000c6a5020200d0a870a", "hex");
const CODESTREAM = Buffer.from("ff4fff51", "hex");

/** Offset of the picture's size from the start of the codestream, including its reference-grid offsets. */
const SIZE_AT = 8;
const SIZE_BYTES = 16;

const BOX_HEADER_BYTES = 8;
const LONG_BOX_HEADER_BYTES = 16;
const MAX_BOXES = 100;

interface Jpeg2000Header {
  readonly width: number;
  readonly height: number;
}

/** Reads the codestream, which is what gets decoded; undefined for other files. */
function readJpeg2000Header(file: Buffer): Jpeg2000Header | undefined {
  const start = codestreamAt(file);
  const isWhole = start !== undefined && start + SIZE_AT + SIZE_BYTES <= file.length;
  if (!isWhole || file.compare(CODESTREAM, 0, CODESTREAM.length, start, start + CODESTREAM.length) !== 0)
    return undefined;
  const at = start + SIZE_AT;
  const width = file.readUInt32BE(at) - file.readUInt32BE(at + 8);
  const height = file.readUInt32BE(at + 4) - file.readUInt32BE(at + 12);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function codestreamAt(file: Buffer): number | undefined {
  if (file.indexOf(CODESTREAM) === 0) return 0;
  if (file.indexOf(SIGNATURE) !== 0) return undefined;
  let at = 0;
  for (let box = 0; box < MAX_BOXES && at + LONG_BOX_HEADER_BYTES <= file.length; box++) {
    const told = file.readUInt32BE(at);
    const isLong = told === 1;
    const headerBytes = isLong ? LONG_BOX_HEADER_BYTES : BOX_HEADER_BYTES;
    if (file.toString("latin1", at + 4, at + 8) === "jp2c") return at + headerBytes;
    const sizeBytes = isLong ? Number(file.readBigUInt64BE(at + 8)) : told;
    // A box of size 0 extends to the end of the file.
    if (sizeBytes < headerBytes) return undefined;
    at += sizeBytes;
  }
  return undefined;
}

/** One point is one pixel. */
const POINTS_PER_INCH = 72;

/**
 * Decodes a picture with pdfium, as the only picture on a page. Scales it down if it exceeds the render
 * limit.
 * @returns the picture, with the resolution of that page. @throws UnreadablePdf.
 */
function decodeJpeg2000(file: Buffer, { width, height }: Jpeg2000Header, pdf: PdfReader): OcrPicture {
  const opened = pdf.open(pageOf(file, width, height));
  try {
    return opened.render(1, POINTS_PER_INCH);
  } finally {
    opened.close();
  }
}

/** A one-page PDF that shows the picture. */
function pageOf(picture: Buffer, width: number, height: number): Buffer {
  const content = `${width} 0 0 ${height} 0 0 cm/I Do`;
  const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/Filter/JPXDecode`;
  const objects = [
    Buffer.from("<</Type/Catalog/Pages 2 0 R>>"),
    Buffer.from("<</Type/Pages/Count 1/Kids[3 0 R]>>"),
    Buffer.from(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>`,
    ),
    streamOf("", Buffer.from(content)),
    streamOf(image, picture),
  ];
  const parts = [Buffer.from("%PDF-1.7\n")];
  const rows: string[] = [];
  let length = parts[0]?.length ?? 0;
  objects.forEach((body, index) => {
    rows.push(`${String(length).padStart(10, "0")} 00000 n \n`);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  });
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function streamOf(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

interface BitmapHeader {
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
function readBitmapHeader(file: Buffer): BitmapHeader | undefined {
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
function decodeBitmap(file: Buffer, header: BitmapHeader): Uint8Array {
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
