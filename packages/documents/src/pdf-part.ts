import { setImmediate } from "node:timers/promises";

import { unreadable } from "./errors.ts";
import { draftPage } from "./layout/draft.ts";
import type { OutlineEntry, PdfPage } from "./layout/page/page.ts";
import type { PdfOptions } from "./model/reader.ts";
import { OCR_DPI, recognisePage } from "./ocr-page.ts";
import { openPdf } from "./open-pdf.ts";
import { type OpenedPdf, UnreadablePdf } from "./pdfium/reader.ts";
import type { PdfMetadata } from "./pdfium/metadata.ts";
import type { GreyPicture } from "./pdfium/render.ts";
import { hasLegibleText, isScan, textStateOf, withLayerShown } from "./text-state.ts";
import type { WorkTools } from "./work.ts";

/** Which pages of a file are to be read. */
export interface PdfPartOrder {
  readonly bytes: Uint8Array;
  readonly options: PdfOptions;
  /** Number of the first page, from 1. */
  readonly from: number;
  /** Pages after which the rest is left for another part, and the time. */
  readonly maxPages: number;
  readonly maxMs: number;
}

/** Pages of a file that were read. Plain data. */
export interface PdfPart {
  readonly totalPages: number;
  readonly metadata: PdfMetadata;
  readonly outline: readonly OutlineEntry[];
  readonly pages: readonly ReadPage[];
  /** Number of the next page to read; undefined when all that is wanted is read. */
  readonly next: number | undefined;
}

/** A page before the layout of the document is known. */
export interface ReadPage {
  readonly number: number;
  /** Undefined: the page is damaged. */
  readonly draft: ReturnType<typeof draftPage> | undefined;
  /** In pixels, when it was rendered. */
  readonly picture: Pick<GreyPicture, "width" | "height"> | undefined;
  /** What it lacks when it shows something but has no text: it was scanned, or is drawn. */
  readonly lacksText: "scanned" | "image-based" | undefined;
  readonly hasText: boolean;
}

/** Reads pages until enough are read. @throws DocumentError when the file cannot be opened. */
export async function readPdfPart(order: PdfPartOrder, tools: WorkTools): Promise<PdfPart> {
  const pdf = openPdf(order.bytes, tools);
  try {
    const totalPages = pdf.pageCount;
    if (totalPages === 0) throw unreadable("the PDF is damaged: no page of it is found");
    const last = Math.min(totalPages, order.options.maxPages ?? totalPages);
    const untilMs = performance.now() + order.maxMs;
    const pages: ReadPage[] = [];
    let number = order.from;
    while (number <= last && pages.length < order.maxPages && performance.now() < untilMs) {
      pages.push(await readPage(pdf, number, { options: order.options, tools }));
      number += 1;
      // Lets the process hear that no caller needs it any more.
      await setImmediate();
    }
    return {
      totalPages,
      metadata: pdf.metadata(),
      outline: pdf.outline(),
      pages,
      next: number <= last ? number : undefined,
    };
  } finally {
    pdf.close();
  }
}

interface PageContext {
  readonly options: PdfOptions;
  readonly tools: WorkTools;
}

async function readPage(pdf: OpenedPdf, number: number, context: PageContext): Promise<ReadPage> {
  try {
    return await readIntactPage(pdf, number, context);
  } catch (failure) {
    if (!(failure instanceof UnreadablePdf)) throw failure;
    return { number, draft: undefined, picture: undefined, lacksText: undefined, hasText: false };
  }
}

async function readIntactPage(pdf: OpenedPdf, number: number, context: PageContext): Promise<ReadPage> {
  const page = pdf.page(number);
  const state = textStateOf(page);
  const wantsOcr =
    context.options.mode === "ocr" || (context.options.mode === "auto" && state === "needs-ocr");
  const hasText = state === "text" || state === "layer" || hasLegibleText(page);
  const native = state === "layer" ? withLayerShown(page) : page;
  const recognised = wantsOcr && state !== "blank" ? await recogniseShown(pdf, native, context) : undefined;
  if (recognised) {
    const { picture } = recognised;
    return { number, draft: draftPage(recognised.page), picture, lacksText: undefined, hasText: true };
  }
  const lacksText = hasText || state === "blank" ? undefined : isScan(page) ? "scanned" : "image-based";
  return { number, draft: draftPage(native), picture: undefined, lacksText, hasText };
}

interface RecognisedPage {
  readonly page: PdfPage;
  readonly picture: ReadPage["picture"];
}

/** Undefined when nothing recognises text here. A page on which that fails keeps its own text, as a part of it. */
async function recogniseShown(
  pdf: OpenedPdf,
  page: PdfPage,
  { options, tools }: PageContext,
): Promise<RecognisedPage | undefined> {
  const engine = await tools.ocr();
  if (!engine) return undefined;
  const picture = pdf.render(page.number, OCR_DPI);
  const { width, height } = picture;
  const { signal } = tools;
  const words = await recognisePage(page, picture, { engine, languages: options.languages, signal }).catch(
    () => ({ ...page, isCut: true }),
  );
  return { page: words, picture: { width, height } };
}
