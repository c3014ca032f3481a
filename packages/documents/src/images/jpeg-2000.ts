import type { OcrPicture } from "../ocr/ocr-engine.ts";
import type { PdfReader } from "../pdfium/reader.ts";

/** How files begin: the signature box of ISO/IEC 15444-1, annex I, or a codestream alone. */
const SIGNATURE = Buffer.from("0000000c6a5020200d0a870a", "hex");
const CODESTREAM = Buffer.from("ff4fff51", "hex");

/** Where the size of the picture is behind the start of a codestream, with its offsets from the reference grid. */
const SIZE_AT = 8;
const SIZE_BYTES = 16;

const BOX_HEADER_BYTES = 8;
const LONG_BOX_HEADER_BYTES = 16;
const MAX_BOXES = 100;

/** What the header of a JPEG 2000 picture says. */
export interface Jpeg2000Header {
  readonly width: number;
  readonly height: number;
}

/** By the codestream, which is what is decoded; undefined for other files. */
export function readJpeg2000Header(file: Buffer): Jpeg2000Header | undefined {
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
    // A box of no size goes to the end of the file.
    if (sizeBytes < headerBytes) return undefined;
    at += sizeBytes;
  }
  return undefined;
}

/** A point is a pixel. */
const POINTS_PER_INCH = 72;

/**
 * Decodes a picture with pdfium, as the only one of a page; smaller where it has more pixels than are rendered.
 * @returns the picture, with the resolution of that page. @throws UnreadablePdf.
 */
export function decodeJpeg2000(file: Buffer, { width, height }: Jpeg2000Header, pdf: PdfReader): OcrPicture {
  const opened = pdf.open(pageOf(file, width, height));
  try {
    return opened.render(1, POINTS_PER_INCH);
  } finally {
    opened.close();
  }
}

/** A PDF of one page that shows the picture. */
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
