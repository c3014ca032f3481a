import { availableParallelism } from "node:os";

import { unreadable } from "./errors.ts";
import type { PageBlocks } from "./model/blocks.ts";
import { openProcessPool, type ProcessPool } from "./pool.ts";
import { plainProcesses, type ReaderProcesses } from "./reader-processes.ts";
import { readWholePdf } from "./whole-pdf.ts";

export { DocumentError, type DocumentErrorCode } from "./errors.ts";
export type { BlockType, DocumentBlock, PageBlocks } from "./model/blocks.ts";
export type { ReaderProcesses, ReaderProgram } from "./reader-processes.ts";

/** How a document is read. */
export interface DocumentOptions {
  /**
   * Of PDFs: `fast` reads their own text only, `ocr` what is seen on their pages only, `auto` what is better, page by page.
   * Default: `auto`.
   */
  readonly mode?: "fast" | "auto" | "ocr";
  /** Pages of a PDF that are read, from the first. Default: all. */
  readonly maxPages?: number;
  /** Marks the borders of a PDF's pages in the Markdown. Default: false. */
  readonly pageMarkers?: boolean;
  /** Locale tags of the languages that OCR looks for, the likeliest first; three at most are used. Default: English. */
  readonly languages?: readonly string[];
  /** Needed only for tables of values (`text/csv`, `text/tab-separated-values`), whose bytes do not say what they are. */
  readonly mimeType?: string;
  /** Absolute URL of the file, which relative links in Office files count from. Default: none. */
  readonly url?: string;
  /** Ends the process that reads the file. Default: the file may take as long as it takes. */
  readonly signal?: AbortSignal;
}

/** What was read. */
export interface MarkdownDocument {
  /** GitHub-flavoured Markdown; tables with merged cells are HTML. "" when the file shows no text. */
  readonly markdown: string;
  /** What the file says about itself, such as `title`, `author`, `language`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Pages of a PDF that were read, in the order of the file; none of other files. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  /** The same pages as typed blocks with their places. */
  readonly blocks: readonly PageBlocks[];
  /** Pages that a PDF has; undefined for other files. */
  readonly totalPages: number | undefined;
}

/** How the processes are kept that read documents. */
export interface DocumentPoolOptions {
  /** Files that are read at once, each by a process of its own of some 100 MB. Default: one less than there are cores. */
  readonly maxProcesses?: number;
  /** Resident memory, in bytes, that ends a process, and fails what it reads. Default: 768 MB. */
  readonly maxRssBytes?: number;
  /** The tesseract program. Default: the one on the PATH, else tesseract as WebAssembly, which takes twice as long. */
  readonly tesseractPath?: string;
  /** Starts the processes. Default: with the rights of this process, but without its environment. */
  readonly processes?: ReaderProcesses;
}

/** Processes that read documents. The first one starts with the first file. */
export interface DocumentPool {
  /**
   * Reads a PDF, an Office file, a book, a table of values or a picture.
   * @throws DocumentError when the file cannot be read (its `code` says why), and when 32 files wait already; the signal's
   * reason once it is aborted.
   */
  toMarkdown(bytes: Uint8Array, options?: DocumentOptions): Promise<MarkdownDocument>;
  /** Ends all processes, and fails what they read. Until then they keep this process alive. */
  close(): Promise<void>;
}

/** Opens processes for many documents. */
export function openDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const { maxProcesses = Math.max(1, availableParallelism() - 1), processes = plainProcesses } = options;
  const pool = openProcessPool({
    ...options,
    maxProcesses,
    processes,
    pathVariable: process.env["PATH"] ?? "",
    // What happened to it is the cause of the error that is thrown.
    onCrash: () => undefined,
  });
  return { toMarkdown: (bytes, how = {}) => read(bytes, how, pool), close: () => pool.close() };
}

/**
 * Reads one document in a process of its own, whose start takes longer than reading a page. For many documents open a pool.
 * @throws as `DocumentPool.toMarkdown`.
 */
export async function documentToMarkdown(
  bytes: Uint8Array,
  options: DocumentOptions & DocumentPoolOptions = {},
): Promise<MarkdownDocument> {
  const pool = openDocumentPool({ ...options, maxProcesses: 1 });
  try {
    return await pool.toMarkdown(bytes, options);
  } finally {
    await pool.close();
  }
}

async function read(
  body: Uint8Array,
  options: DocumentOptions,
  pool: ProcessPool,
): Promise<MarkdownDocument> {
  if (body.byteLength === 0) throw unreadable("it is empty");
  const { mimeType = "", url = "", languages = [], signal = new AbortController().signal } = options;
  const kind = kindOf(body);
  if (kind === "pdf") {
    const { mode = "auto", maxPages, pageMarkers = false } = options;
    return readWholePdf({ body, options: { mode, maxPages, pageMarkers, languages } }, pool, signal);
  }
  const none = { pages: [], blocks: [], totalPages: undefined };
  if (kind === "picture") {
    const { markdown } = await pool.run({ work: "readPicture", order: { body, languages } }, signal);
    return { markdown, metadata: {}, ...none };
  }
  const order = { body, mimeType, url };
  const { markdown, properties } = await pool.run({ work: "readOffice", order }, signal);
  return { markdown, metadata: { ...properties }, ...none };
}

/** How pictures begin, in Latin-1: PNG, JPEG, GIF, BMP, TIFF, WebP, AVIF and HEIF, JPEG 2000. */
const PICTURE =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(?:avi|hei|mif|msf)|\0\0\0\x0cjP|\xff\x4f\xff\x51)/s;
/** A PDF may begin behind other bytes. */
const PDF_SEARCH_BYTES = 1024;

function kindOf(body: Uint8Array): "pdf" | "picture" | "office" {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(PDF_SEARCH_BYTES, body.byteLength));
  const text = start.toString("latin1");
  if (PICTURE.test(text)) return "picture";
  return text.includes("%PDF-") ? "pdf" : "office";
}
