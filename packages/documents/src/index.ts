import { readOwnMachine } from "@pergamon-dev/kit/process/own-machine";
import { unreadable } from "./errors.ts";
import type { PageBlocks } from "./model/blocks.ts";
import { openProcessPool, type ProcessPool } from "./pool.ts";
import { plainProcesses, type ReaderProcesses } from "./reader-processes.ts";
import { readWholePdf } from "./whole-pdf.ts";

export { DocumentError, type DocumentErrorCode } from "./errors.ts";
export type { BlockType, DocumentBlock, PageBlocks } from "./model/blocks.ts";
export type { ReaderProcesses, ReaderProgram } from "./reader-processes.ts";

export interface DocumentOptions {
  /**
   * For PDFs: `fast` reads only the embedded text, `ocr` reads only what the rendered pages show, `auto`
   * picks the better per page.
   * Default: `auto`.
   */
  readonly mode?: "fast" | "auto" | "ocr";
  /** Maximum pages of a PDF, from the first. Default: all. */
  readonly maxPages?: number;
  /** Marks page boundaries of a PDF in the Markdown. Default: false. */
  readonly pageMarkers?: boolean;
  /** Locale tags for OCR, most likely first; at most three are used. Default: English. */
  readonly languages?: readonly string[];
  /**
   * Needed only for delimited text (`text/csv`, `text/tab-separated-values`), as its bytes do not identify
   * it.
   */
  readonly mimeType?: string;
  /** Absolute URL of the file. Relative links in Office files resolve against it. Default: none. */
  readonly url?: string;
  /** Aborting kills the process that reads the file. Default: no time limit. */
  readonly signal?: AbortSignal;
}

export interface MarkdownDocument {
  /** GitHub-flavoured Markdown; tables with merged cells are HTML. "" if the file shows no text. */
  readonly markdown: string;
  /** Metadata in the file, such as `title`, `author`, `language`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The pages read from a PDF, in file order; empty for other files. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  /** The same pages as typed blocks with positions. */
  readonly blocks: readonly PageBlocks[];
  /** Page count of a PDF; undefined for other files. */
  readonly totalPages: number | undefined;
}

export interface DocumentPoolOptions {
  /** Files read at once. Each takes a process of about 100 MB. Default: one less than the number of cores. */
  readonly maxProcesses?: number;
  /** Resident memory in bytes. Above this, the process is killed and its file fails. Default: 768 MB. */
  readonly maxRssBytes?: number;
  /**
   * Path of the tesseract program. Default: the one on the PATH, else tesseract as WebAssembly, which takes
   * twice as long.
   */
  readonly tesseractPath?: string;
  /** Starts the processes. Default: they have the rights of this process, but not its environment. */
  readonly processes?: ReaderProcesses;
}

/** Processes that read documents. The first one starts with the first file. */
export interface DocumentPool {
  /**
   * Reads a PDF, an Office file, an e-book, delimited text or a picture.
   * @throws DocumentError if the file cannot be read (its `code` says why), or if 32 files are already
   * waiting; the signal's reason once it is aborted.
   */
  toMarkdown(bytes: Uint8Array, options?: DocumentOptions): Promise<MarkdownDocument>;
  /** Kills all processes, which fails their files. Until then, they keep this process alive. */
  close(): Promise<void>;
}

export function openDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const { maxProcesses = Math.max(1, readOwnMachine().processors - 1), processes = plainProcesses } = options;
  const pool = openProcessPool({
    ...options,
    maxProcesses,
    processes,
    pathVariable: process.env["PATH"] ?? "",
    // The thrown error already has the crash as its cause.
    onCrash: () => undefined,
  });
  return { toMarkdown: (bytes, how = {}) => read(bytes, how, pool), close: () => pool.close() };
}

/**
 * Reads one document in a new process, which takes longer to start than a page takes to read. For many
 * documents, open a pool.
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

/** File signatures in Latin-1: PNG, JPEG, GIF, BMP, TIFF, WebP, AVIF and HEIF, JPEG 2000. */
const PICTURE =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(?:avi|hei|mif|msf)|\0\0\0\x0cjP|\xff\x4f\xff\x51)/s;
/** Other bytes may precede the PDF header, within this limit. */
const PDF_SEARCH_BYTES = 1024;

function kindOf(body: Uint8Array): "pdf" | "picture" | "office" {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(PDF_SEARCH_BYTES, body.byteLength));
  const text = start.toString("latin1");
  if (PICTURE.test(text)) return "picture";
  return text.includes("%PDF-") ? "pdf" : "office";
}
