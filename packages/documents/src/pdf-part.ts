import { setImmediate } from "node:timers/promises";

import { unreadable } from "./errors.ts";
import { draftPage } from "./layout/draft.ts";
import type { Box, OutlineEntry, PdfPage, Word } from "./layout/page/page.ts";
import type { PdfOptions } from "./model/reader.ts";
import { OCR_DPI, recognisePage } from "./ocr-page.ts";
import { openPdf } from "./open-pdf.ts";
import { type OpenedPdf, UnreadablePdf } from "./pdfium/reader.ts";
import type { PdfMetadata } from "./pdfium/metadata.ts";
import type { GreyPicture } from "./pdfium/render.ts";
import type { WorkTools } from "./work.ts";

export interface PdfPartOrder {
  readonly bytes: Uint8Array;
  readonly options: PdfOptions;
  /** First page, from 1. */
  readonly from: number;
  /** Limits of one part, in pages and milliseconds. Another part reads the rest. */
  readonly maxPages: number;
  readonly maxMs: number;
}

/** Pages read so far, as plain data. */
export interface PdfPart {
  readonly totalPages: number;
  readonly metadata: PdfMetadata;
  readonly outline: readonly OutlineEntry[];
  readonly pages: readonly ReadPage[];
  /** Next page to read; undefined if all requested pages are read. */
  readonly next: number | undefined;
}

/** A page after the first layout pass. */
export interface ReadPage {
  readonly number: number;
  /** Undefined if the page is damaged. */
  readonly draft: ReturnType<typeof draftPage> | undefined;
  /** Size in pixels, if the page was rendered. */
  readonly picture: Pick<GreyPicture, "width" | "height"> | undefined;
  /** For a page that shows something but has no text: it is a scan or a drawing. */
  readonly lacksText: "scanned" | "image-based" | undefined;
  readonly hasText: boolean;
}

/** Reads pages until a limit is reached. @throws DocumentError if the file cannot be opened. */
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
      // Yields, so that the process can receive an abort.
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

/**
 * Undefined if there is no OCR engine. If OCR fails on a page, its own text is kept and the page is partial.
 */
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

/**
 * Quality of the page's own text: `text` is good, `layer` is a plausible hidden layer over a scan,
 * `needs-ocr` is missing or garbage, and `blank` pages show nothing.
 */
type TextState = "text" | "layer" | "needs-ocr" | "blank";

/** Fewer characters are just a page number or a watermark. */
const FEWEST_CHARACTERS = 25;
/** Shares of the page's area. */
const PICTURE_SHARE = 0.4;
const DRAWING_SHARE = 0.05;
/** Maximum share of characters without a Unicode mapping. */
const UNMAPPED_SHARE = 0.2;

/** Decides whether the page's text is usable or needs OCR. */
export function textStateOf(page: PdfPage): TextState {
  if (page.unmapped > UNMAPPED_SHARE * page.glyphs) return "needs-ocr";
  const visible = lengthOf(page.words.filter(({ look }) => !look.isHidden));
  if (visible >= FEWEST_CHARACTERS) return "text";
  const hidden = page.words.filter(({ look }) => look.isHidden);
  if (lengthOf(hidden) >= FEWEST_CHARACTERS && isPlausible(hidden)) return "layer";
  if (isScan(page)) return "needs-ocr";
  if (visible > 0) return "text";
  const isDrawn = pictureShare(page) > 0 || drawnShare(page) > DRAWING_SHARE;
  return isDrawn || hidden.length > 0 ? "needs-ocr" : "blank";
}

/** True if a page that needs OCR has legible text of its own, even if disordered, as a fallback. */
export function hasLegibleText({ words }: PdfPage): boolean {
  const visible = words.filter(({ look }) => !look.isHidden);
  return lengthOf(visible) >= FEWEST_CHARACTERS && isPlausible(visible);
}

/** True if a picture covers the page, as in scans. */
export function isScan(page: PdfPage): boolean {
  return pictureShare(page) > PICTURE_SHARE;
}

/**
 * Makes the hidden text layer visible and drops the picture over it. The layer counts as proportional text:
 * its font is often monospaced, and never the printed one.
 */
export function withLayerShown(page: PdfPage): PdfPage {
  const shown = new Map<Word["look"], Word["look"]>();
  const words = page.words.map((word) => {
    const look = shown.get(word.look) ?? { ...word.look, isHidden: false, isMonospaced: false };
    shown.set(word.look, look);
    return { ...word, look };
  });
  return { ...page, words, images: page.images.filter((box) => shareOf(box, page) <= PICTURE_SHARE) };
}

function lengthOf(words: readonly Word[]): number {
  return words.reduce((total, { text }) => total + text.length, 0);
}

const LETTER = /\p{L}|\p{N}/gu;
const LATIN_WORD = /^[a-z\u00df-\u024f]{3,}$/i;
const VOWEL = /[aeiouy\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00f6\u00f8-\u00fd]/i;
const LETTER_SHARE = 0.6;
const VOWEL_SHARE = 0.7;

/** True if text looks written by people: it is mostly letters, and Latin words have vowels. */
function isPlausible(words: readonly Word[]): boolean {
  const letters = words.reduce((total, { text }) => total + (text.match(LETTER)?.length ?? 0), 0);
  if (letters < LETTER_SHARE * lengthOf(words)) return false;
  const latin = words.filter(({ text }) => LATIN_WORD.test(text));
  return latin.filter(({ text }) => VOWEL.test(text)).length >= VOWEL_SHARE * latin.length;
}

function pictureShare(page: PdfPage): number {
  return page.images.reduce((total, box) => total + shareOf(box, page), 0);
}

function drawnShare(page: PdfPage): number {
  const drawn = page.boxes.filter(({ isWhite }) => !isWhite);
  return drawn.reduce((total, { box }) => total + shareOf(box, page), 0);
}

/** Share of the page's area that a box covers. */
function shareOf([x0, y0, x1, y1]: Box, { width, height }: PdfPage): number {
  const across = Math.min(width, x1) - Math.max(0, x0);
  const down = Math.min(height, y1) - Math.max(0, y0);
  return across > 0 && down > 0 ? (across * down) / (width * height) : 0;
}
