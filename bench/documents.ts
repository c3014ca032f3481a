import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { loadPdfium, type Pdfium } from "../src/documents/pdfium/library.ts";
import { openPdfReader, type PdfReader } from "../src/documents/pdfium/reader.ts";
import { textPage, writePdf } from "../test/pdf-writer.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 5;
const MOST_FILES = 150;
const MADE_PAGES = 200;

/** Reading may cost so much more than pdfium's own text pass, which gives characters without their looks and places. */
const MOST_RATIO = 1.25;

/** Reading the pages of the PDF files in `DOCUMENTS_FOLDER`, or of a file made for the purpose, against pdfium's text alone. */
export async function benchDocuments(): Promise<readonly Figure[]> {
  const files = readFiles(process.env.DOCUMENTS_FOLDER);
  const reader = await openPdfReader();
  const pdfium = await loadPdfium();
  const readable = files.filter((bytes) => opens(reader, bytes));
  let pages = 0;
  const rounds: (readonly [reading: number, plain: number])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plainMs = cpuMs(() => readable.forEach((bytes) => readPlainText(pdfium, bytes)));
    const readingMs = cpuMs(
      () => (pages = readable.reduce((total, bytes) => total + readPages(reader, bytes), 0)),
    );
    // The first round compiles.
    if (round > 0) rounds.push([readingMs, plainMs]);
  }
  const sorted = rounds.toSorted(([a, b], [c, d]) => a / b - c / d);
  const [readingMs = 0, plainMs = 1] = sorted[Math.floor(sorted.length / 2)] ?? [];
  return [
    {
      name: `reading ${pages} PDF pages, CPU against pdfium's own text pass`,
      value: `${(readingMs / plainMs).toFixed(2)} × (${(readingMs / pages).toFixed(2)} ms a page)`,
      limit: `≤ ${MOST_RATIO} ×`,
      isMet: readingMs / plainMs <= MOST_RATIO,
    },
  ];
}

function readFiles(folder: string | undefined): readonly Buffer[] {
  if (folder === undefined) return [madeFile()];
  const names = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  return names.slice(0, MOST_FILES).map((name) => readFileSync(join(folder, name)));
}

function madeFile(): Buffer {
  const lines = Array.from({ length: 45 }, (_, line) => `Line ${line} of a page that tells a long story.`);
  return writePdf({ pages: Array.from({ length: MADE_PAGES }, () => textPage(...lines)) });
}

function opens(reader: PdfReader, bytes: Uint8Array): boolean {
  try {
    return readPages(reader, bytes) > 0;
  } catch {
    return false;
  }
}

function readPages(reader: PdfReader, bytes: Uint8Array): number {
  const pdf = reader.open(bytes);
  for (let number = 1; number <= pdf.pageCount; number += 1) pdf.page(number);
  pdf.close();
  return pdf.pageCount;
}

function readPlainText({ call, memory }: Pdfium, bytes: Uint8Array): void {
  const data = memory.place(bytes);
  const document = call.FPDF_LoadMemDocument(data, bytes.byteLength, 0);
  const count = call.FPDF_GetPageCount(document);
  for (let index = 0; index < count; index += 1) {
    const page = call.FPDF_LoadPage(document, index);
    const pageText = call.FPDFText_LoadPage(page);
    const characters = call.FPDFText_CountChars(pageText);
    const text = memory.allocate(2 * characters + 2);
    call.FPDFText_GetText(pageText, 0, characters, text);
    Buffer.from(memory.bytes(text, 2 * characters)).toString("utf16le");
    memory.free(text);
    call.FPDFText_ClosePage(pageText);
    call.FPDF_ClosePage(page);
  }
  call.FPDF_CloseDocument(document);
  memory.free(data);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
