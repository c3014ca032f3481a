import type { Metadata, Sharp } from "sharp";

import { DocumentError, unreadable } from "../errors.ts";
import type { OcrPicture } from "../ocr/ocr-engine.ts";
import { type PdfReader, UnreadablePdf } from "../pdfium/reader.ts";
import { type BitmapHeader, decodeBitmap, readBitmapHeader } from "./bitmap.ts";
import { decodeJpeg2000, type Jpeg2000Header, readJpeg2000Header } from "./jpeg-2000.ts";
import { MAX_FILE_BYTES, pictureProblem } from "./picture-limits.ts";

/** What sharp reads of what servers send; it is not asked for anything else, such as SVG. */
const FORMATS = new Set(["png", "jpeg", "webp", "gif", "tiff", "heif"]);

const DAMAGED = "it is damaged, or no such picture";

/** Resolutions that files tell and that scanners and screens have; other values are slips. */
const LEAST_DPI = 100;
const MAX_DPI = 600;

/** Inches; how wide a page is taken to be when the file does not tell its resolution. */
const PAGE_WIDTH = 8;

/** Lower guesses make tesseract look for letters that are too small to be read. */
const FEWEST_GUESSED_DPI = 70;

/** Of larger pictures text is read as well from a smaller one, in less time. */
const MAX_READ_PIXELS = 25_000_000;

/**
 * A picture in shades of grey, turned as its file says, on white; of several frames the first.
 * @throws DocumentError `unreadable-file` when it is too large, damaged, or in a format that is not read.
 * Sizes are judged by the header, before anything is decoded.
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
