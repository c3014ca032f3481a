import type { PdfOptions, ReadDocument } from "./model/reader.ts";
import type { ReadPage } from "./pdf-part.ts";
import type { ProcessPool } from "./pool.ts";
import type { PdfReading } from "./read-pdf.ts";

export interface PdfProgress {
  /** Requested pages that the file has. */
  readonly pages: number;
  readonly done: number;
  /** Time spent on the finished pages. */
  readonly spentMs: number;
}

interface PdfTask {
  readonly body: Uint8Array;
  readonly options: PdfOptions;
  /** Called before each part; true lets other work go first. */
  isBackground?(): boolean;
  /** Called when the OCR of a page begins, and when it ends. */
  onOcr?: ((isRunning: boolean) => void) | undefined;
  /** Called after each part. The first call already has the file's page count. @throws to abort the work. */
  onProgress?(progress: PdfProgress): Promise<void>;
}

/** After this many pages, the time for the rest can be estimated. */
const FIRST_PAGES = 20;

/**
 * A part is one turn of a process. Other files get turns in between, sooner if no caller waits for this file.
 */
const TURN_MS = { live: 4000, background: 1000 };

/**
 * Reads a PDF in parts, and lays it out once all parts are there. Between parts, only small plain data is
 * kept.
 * @throws as the works do; what `onProgress` throws; the signal's reason.
 */
export async function readWholePdf(
  task: PdfTask,
  pool: ProcessPool,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const pages: ReadPage[] = [];
  let spentMs = 0;
  let from: number | undefined = 1;
  let reading: PdfReading | undefined;
  while (from !== undefined) {
    const startMs = performance.now();
    reading = await readPart(task, from, { pool, signal });
    spentMs += performance.now() - startMs;
    pages.push(...reading.pages);
    const done = reading.document ? reading.document.pages.length : pages.length;
    await task.onProgress?.({ pages: wantedPages(reading, task.options), done, spentMs });
    from = reading.part.next;
  }
  if (!reading) throw new Error("Nothing was read.");
  const { document, part } = reading;
  if (document) return document;
  const order = { ...part, pages, options: task.options };
  return pool.run({ work: "layOutPdf", order, isBackground: task.isBackground?.() ?? false }, signal);
}

interface PartContext {
  readonly pool: ProcessPool;
  readonly signal: AbortSignal;
}

function readPart(task: PdfTask, from: number, { pool, signal }: PartContext): Promise<PdfReading> {
  const { body: bytes, options, onOcr } = task;
  const isBackground = task.isBackground?.() ?? false;
  const maxMs = isBackground ? TURN_MS.background : TURN_MS.live;
  const maxPages = from === 1 ? FIRST_PAGES : Number.POSITIVE_INFINITY;
  const order = { bytes, options, from, maxPages, maxMs };
  return pool.run({ work: "readPdf", order, isBackground, onOcr }, signal);
}

function wantedPages({ part }: PdfReading, { maxPages }: PdfOptions): number {
  return Math.min(part.totalPages, maxPages ?? part.totalPages);
}
