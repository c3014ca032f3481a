import { tmpdir } from "node:os";

import { writeMarkdown } from "../../packages/documents/src/blocks/blocks-markdown.ts";
import { layOut } from "../../packages/documents/src/layout/document.ts";
import { draftPage } from "../../packages/documents/src/layout/draft.ts";
import type { PdfPage, Word } from "../../packages/documents/src/layout/page/page.ts";
import { findOcrEngine } from "../../packages/documents/src/ocr/find.ts";
import type { OcrEngine } from "../../packages/documents/src/ocr/ocr-engine.ts";
import { OCR_DPI, recognisePage } from "../../packages/documents/src/ocr-page.ts";
import {
  openPdfReader,
  type OpenedPdf,
  type PdfReader,
  UnreadablePdf,
} from "../../packages/documents/src/pdfium/reader.ts";
import { textStateOf, withLayerShown } from "../../packages/documents/src/pdf-part.ts";
import { lostWords, shownText, wordsOf } from "./lost-words.ts";

/** What reads the words of files. */
export interface WordReader {
  readonly pdf: PdfReader;
  readonly ocr: OcrEngine | undefined;
}

export interface LostInDocument {
  /** That can be seen. */
  readonly words: number;
  readonly inNoBlock: readonly string[];
  /** In a block that is neither furniture nor a figure. */
  readonly notWritten: readonly string[];
  /** Words of figures, which are not written. */
  readonly inFigures: number;
  /** Of furniture that is left out although it stands on no other page. */
  readonly doubtful: readonly string[];
}

/** Smaller characters cannot be seen. */
const LEAST_POINTS = 1.5;

export async function openWordReader(): Promise<WordReader> {
  return { pdf: await openPdfReader(), ocr: await findOcrEngine(tmpdir()) };
}

/** Undefined: it cannot be opened. */
export async function lostInDocument(
  bytes: Uint8Array,
  reader: WordReader,
): Promise<LostInDocument | undefined> {
  try {
    const file = reader.pdf.open(bytes);
    try {
      return lostInPages(await pagesOf(file, reader));
    } finally {
      file.close();
    }
  } catch (failure) {
    if (failure instanceof UnreadablePdf) return undefined;
    throw failure;
  }
}

async function pagesOf(file: OpenedPdf, { ocr }: WordReader): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  for (let number = 1; number <= file.pageCount; number++) {
    const page = readable(file, number);
    if (!page) continue;
    const state = textStateOf(page);
    if (state === "layer") pages.push(withLayerShown(page));
    else if (state === "needs-ocr" && ocr) pages.push(await recognised(file, page, ocr));
    else pages.push(page);
  }
  return pages;
}

function readable(file: OpenedPdf, number: number): PdfPage | undefined {
  try {
    return file.page(number);
  } catch (failure) {
    if (failure instanceof UnreadablePdf) return undefined;
    throw failure;
  }
}

function recognised(file: OpenedPdf, page: PdfPage, engine: OcrEngine): Promise<PdfPage> {
  const { signal } = new AbortController();
  return recognisePage(page, file.render(page.number, OCR_DPI), { engine, languages: [], signal });
}

/** What the layout of pages loses of the words on them. */
export function lostInPages(pages: readonly PdfPage[]): LostInDocument {
  const laidOut = layOut(
    pages.map((page) => draftPage(page)),
    [],
  );
  const { markdown, blocks } = writeMarkdown(laidOut, { pageMarkers: false });
  const seen = pages.flatMap(visibleWords);
  const items = blocks.flatMap((page) => page.items.map((item) => ({ ...item, page: page.pageNumber })));
  const hidden = items.filter(({ markdownSpan }) => markdownSpan === null);
  const written = [shownText(markdown)];
  const inNoBlock = lostWords(seen, [...written, ...hidden.map(({ content }) => content)]);
  const mayBeHidden = hidden.filter(({ type }) => type.startsWith("page_") || type === "figure");
  const missing = lostWords(seen, [...written, ...mayBeHidden.map(({ content }) => content)]);
  const figures = hidden.filter(({ type }) => type === "figure").flatMap(({ content }) => wordsOf(content));
  const heads = hidden.filter(({ type }) => type.startsWith("page_"));
  const isAlone = (content: string, page: number) =>
    !items.some((other) => other.page !== page && withoutDigits(other.content) === withoutDigits(content));
  return {
    words: seen.flatMap(wordsOf).length,
    inNoBlock,
    notWritten: missing.slice(0, Math.max(0, missing.length - inNoBlock.length)),
    inFigures: figures.length,
    doubtful: heads
      .filter(({ content, page }) => !isNumber(content) && isAlone(content, page))
      .map(({ content }) => content),
  };
}

/** As of a page, which may stand alone. */
function isNumber(text: string): boolean {
  return /^\P{L}*(?:\p{N}+|[ivxlc]+)\P{L}*$/iu.test(text);
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d+|[ivxlc]+\b/giu, "0").trim();
}

/** Words that can be seen, those without a space between them as one. What is drawn twice at one place is one word. */
function visibleWords(page: PdfPage): string[] {
  const words: string[] = [];
  const places = new Set<string>();
  for (const word of page.words) {
    if (!isVisible(word, page) || isTwin(word, places)) continue;
    if (word.isGlued && words.length > 0) words.push(`${words.pop() ?? ""}${word.text}`);
    else words.push(word.text);
  }
  return words;
}

function isVisible({ look, x0, x1, y0, y1 }: Word, { width, height }: PdfPage): boolean {
  return !look.isHidden && look.size >= LEAST_POINTS && x1 > 0 && y1 > 0 && x0 < width && y0 < height;
}

function isTwin({ text, x0, base }: Word, places: Set<string>): boolean {
  const around = [-1, 0, 1].flatMap((x) =>
    [-1, 0, 1].map((y) => `${Math.round(x0 / 2) + x} ${Math.round(base / 2) + y} ${text}`),
  );
  if (around.some((place) => places.has(place))) return true;
  places.add(around[4] ?? "");
  return false;
}
