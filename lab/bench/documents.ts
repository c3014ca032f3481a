import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { writeMarkdown } from "../../packages/documents/src/blocks/blocks-markdown.ts";
import { layOut } from "../../packages/documents/src/layout/document.ts";
import { draftPage } from "../../packages/documents/src/layout/draft.ts";
import type { OutlineEntry, PdfPage } from "../../packages/documents/src/layout/page/page.ts";
import { loadPdfium, type Pdfium } from "../../packages/documents/src/pdfium/library.ts";
import { openPdfReader, type PdfReader } from "../../packages/documents/src/pdfium/reader.ts";
import { textPage, writePdf } from "../../test/pdf-writer.ts";
import { benchLargeDocument } from "./large-document.ts";
import { findSet } from "../sets.ts";
import type { Figure } from "./report.ts";
import { cpuMs, slowestFigure } from "./slowest.ts";

const ROUNDS = 5;
const MAX_FILES = 150;
const MADE_PAGES = 200;

/** Reading may cost so much more than pdfium's own text pass, which gives characters without their looks and places. */
const MAX_RATIO = 1.25;

/** Of the same text pass: working out columns, blocks and tables, and writing them. */
const MAX_LAYOUT_RATIO = 0.25;

/** One and a half times what liteparse takes, which is 1.05 of the text pass by the study's measurement. */
const MAX_WHOLE_RATIO = 1.58;

interface Round {
  readonly plainMs: number;
  readonly readingMs: number;
  readonly layoutMs: number;
}

/**
 * Reading and laying out the pages of the PDF files of `LAB_DATA`, or of a file made for the purpose, against
 * pdfium's text alone; then a long file, by a service.
 */
export async function benchDocuments(): Promise<readonly Figure[]> {
  const files = readFiles(findSet("documents"));
  const reader = await openPdfReader();
  const pdfium = await loadPdfium();
  const readable = files.filter((bytes) => opens(reader, bytes));
  let read: readonly ReadFile[] = [];
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plainMs = cpuMs(() => readable.forEach((bytes) => void readPlainText(pdfium, bytes)));
    const readingMs = cpuMs(() => (read = readable.map((bytes) => readPages(reader, bytes))));
    const layoutMs = cpuMs(() => read.forEach(layOutFile));
    // The first round compiles.
    if (round > 0) rounds.push({ plainMs, readingMs, layoutMs });
  }
  const pages = read.reduce((total, file) => total + file.pages.length, 0);
  const timed = readable.map((bytes, index) => {
    const once = () => cpuMs(() => layOutFile(readPages(reader, bytes)));
    return { name: `file ${index + 1}`, size: readPlainText(pdfium, bytes), ms: Math.min(once(), once(), once()) };
  });
  return [...ratiosOf(rounds, pages), slowestFigure("PDF files", timed), ...(await benchLargeDocument())];
}

function ratiosOf(rounds: readonly Round[], pages: number): readonly Figure[] {
  const figure = (what: string, most: number, msOf: (round: Round) => number): Figure => {
    const ratios = rounds.map((round) => ({ ratio: msOf(round) / round.plainMs, ms: msOf(round) }));
    const sorted = ratios.toSorted((one, other) => one.ratio - other.ratio);
    const { ratio, ms } = sorted[Math.floor(sorted.length / 2)] ?? { ratio: Number.NaN, ms: Number.NaN };
    return {
      name: `${what} ${pages} PDF pages, CPU against pdfium's own text pass`,
      value: `${ratio.toFixed(2)} × (${(ms / pages).toFixed(2)} ms a page)`,
      limit: `≤ ${most} ×`,
      isMet: ratio <= most,
    };
  };
  return [
    figure("reading", MAX_RATIO, ({ readingMs }) => readingMs),
    figure("laying out", MAX_LAYOUT_RATIO, ({ layoutMs }) => layoutMs),
    figure("converting", MAX_WHOLE_RATIO, ({ readingMs, layoutMs }) => readingMs + layoutMs),
  ];
}

function readFiles(folder: string | undefined): readonly Buffer[] {
  if (folder === undefined) return [madeFile()];
  const files = join(folder, "data/dev/files");
  const names = readdirSync(files).filter((name) => name.endsWith(".pdf"));
  return names.slice(0, MAX_FILES).map((name) => readFileSync(join(files, name)));
}

function madeFile(): Buffer {
  const lines = Array.from({ length: 45 }, (_, line) => `Line ${line} of a page that tells a long story.`);
  return writePdf({ pages: Array.from({ length: MADE_PAGES }, () => textPage(...lines)) });
}

function opens(reader: PdfReader, bytes: Uint8Array): boolean {
  try {
    return readPages(reader, bytes).pages.length > 0;
  } catch {
    return false;
  }
}

interface ReadFile {
  readonly pages: readonly PdfPage[];
  readonly outline: readonly OutlineEntry[];
}

function readPages(reader: PdfReader, bytes: Uint8Array): ReadFile {
  const pdf = reader.open(bytes);
  const pages = Array.from({ length: pdf.pageCount }, (_, index) => pdf.page(index + 1));
  const outline = pdf.outline();
  pdf.close();
  return { pages, outline };
}

function layOutFile({ pages, outline }: ReadFile): void {
  writeMarkdown(layOut(pages.map(draftPage), outline), { pageMarkers: false });
}

/** @returns the number of characters. */
function readPlainText({ call, memory }: Pdfium, bytes: Uint8Array): number {
  let all = 0;
  const data = memory.place(bytes);
  const document = call.FPDF_LoadMemDocument(data, bytes.byteLength, 0);
  const count = call.FPDF_GetPageCount(document);
  for (let index = 0; index < count; index += 1) {
    const page = call.FPDF_LoadPage(document, index);
    const pageText = call.FPDFText_LoadPage(page);
    const characters = call.FPDFText_CountChars(pageText);
    all += characters;
    const text = memory.allocate(2 * characters + 2);
    call.FPDFText_GetText(pageText, 0, characters, text);
    Buffer.from(memory.bytes(text, 2 * characters)).toString("utf16le");
    memory.free(text);
    call.FPDFText_ClosePage(pageText);
    call.FPDF_ClosePage(page);
  }
  call.FPDF_CloseDocument(document);
  memory.free(data);
  return all;
}

