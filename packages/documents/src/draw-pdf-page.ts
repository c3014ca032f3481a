import { unreadable } from "./errors.ts";
import { openPdf } from "./open-pdf.ts";
import { UnreadablePdf } from "./pdfium/reader.ts";
import type { ColourPicture } from "./pdfium/render.ts";
import type { WorkTools } from "./work.ts";

export interface PdfPageOrder {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly number: number;
}

/**
 * 8-point letters are legible at this resolution. An A4 page has 1.4 million pixels; larger pages are limited
 * to about two A4 pages.
 */
const SIZE = { dpi: 120, maxPixels: 3_000_000 };

/**
 * Renders a page as PNG.
 * @throws DocumentError `unreadable-file` if the file or that page cannot be read, or the page does not
 * exist.
 */
export async function drawPdfPage(
  { bytes, number }: PdfPageOrder,
  tools: Pick<WorkTools, "pdf">,
): Promise<Uint8Array> {
  const { pixels, width, height } = draw({ bytes, number }, tools);
  const { default: sharp } = await import("sharp");
  const raw = { width, height, channels: 3 } as const;
  return sharp(pixels, { raw }).png({ compressionLevel: 6 }).toBuffer();
}

function draw({ bytes, number }: PdfPageOrder, tools: Pick<WorkTools, "pdf">): ColourPicture {
  const pdf = openPdf(bytes, tools);
  try {
    if (number > pdf.pageCount) throw unreadable(`the PDF has ${pdf.pageCount} pages`);
    return pdf.draw(number, SIZE);
  } catch (failure) {
    if (failure instanceof UnreadablePdf) throw unreadable("the page is damaged");
    throw failure;
  } finally {
    pdf.close();
  }
}
