import { unreadable } from "./errors.ts";
import { openPdf } from "./open-pdf.ts";
import { UnreadablePdf } from "./pdfium/reader.ts";
import type { ColourPicture } from "./pdfium/render.ts";
import type { WorkTools } from "./work.ts";

/** Which page is drawn. */
export interface PdfPageOrder {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly number: number;
}

/** Letters of 8 points can be read; a sheet of A4 has 1.4 million pixels, and larger ones no more than two sheets. */
const SIZE = { dpi: 120, maxPixels: 3_000_000 };

/**
 * A page as it is seen, as PNG.
 * @throws DocumentError `unreadable-file` when the file or that page cannot be read, or has no such page.
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
