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

/**
 * What can be made of a page's own text: it is good; it is a layer behind a scan, and plausible; it is none or garbage,
 * and what is seen has to be recognised; or there is nothing to see.
 */
type TextState = "text" | "layer" | "needs-ocr" | "blank";

/** A page with fewer characters has no text worth the name: a number, a watermark. */
const FEWEST_CHARACTERS = 25;
/** Of the page's area. */
const PICTURE_SHARE = 0.4;
const DRAWING_SHARE = 0.05;
/** Of the characters, those without a known meaning. */
const UNMAPPED_SHARE = 0.2;

/** Tells whether a page's text can be used, or has to be recognised in its picture. */
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

/** Whether a page whose text is to be recognised has some of its own that may do instead, though it be in disorder. */
export function hasLegibleText({ words }: PdfPage): boolean {
  const visible = words.filter(({ look }) => !look.isHidden);
  return lengthOf(visible) >= FEWEST_CHARACTERS && isPlausible(visible);
}

/** Whether a picture covers the page, as where it was scanned. */
export function isScan(page: PdfPage): boolean {
  return pictureShare(page) > PICTURE_SHARE;
}

/** The page with the text behind its picture in front. Its font, often one of equal widths, is none that is seen. */
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

/** Whether text may be one that people wrote: mostly letters, and Latin words have vowels. */
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

/** The part of the page that a box covers. */
function shareOf([x0, y0, x1, y1]: Box, { width, height }: PdfPage): number {
  const across = Math.min(width, x1) - Math.max(0, x0);
  const down = Math.min(height, y1) - Math.max(0, y0);
  return across > 0 && down > 0 ? (across * down) / (width * height) : 0;
}
