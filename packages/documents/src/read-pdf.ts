import type { ReadDocument } from "./model/reader.ts";
import { layOutPdf } from "./pdf-layout.ts";
import { type PdfPart, type PdfPartOrder, readPdfPart } from "./pdf-part.ts";
import type { WorkTools } from "./work.ts";

/** A part of a file, and the document if the part is the whole file. */
export interface PdfReading {
  readonly part: Omit<PdfPart, "pages">;
  /** Pages of the part; empty if `document` is present. */
  readonly pages: PdfPart["pages"];
  readonly document: ReadDocument | undefined;
}

/**
 * Reads pages, and lays them out at once if they are the whole file.
 * @throws DocumentError as both steps do.
 */
export async function readPdf(order: PdfPartOrder, tools: WorkTools): Promise<PdfReading> {
  const { pages, ...part } = await readPdfPart(order, tools);
  const isAll = order.from === 1 && part.next === undefined;
  if (!isAll) return { part, pages, document: undefined };
  return { part, pages: [], document: layOutPdf({ ...part, pages, options: order.options }) };
}
