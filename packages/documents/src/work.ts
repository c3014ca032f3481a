import type { OcrEngine } from "./ocr/ocr-engine.ts";
import type { PdfReader } from "./pdfium/reader.ts";

/** What the process that reads documents works with. */
export interface WorkTools {
  readonly pdf: PdfReader;
  /** Undefined when nothing here recognises text. Looked for once. */
  ocr(): Promise<OcrEngine | undefined>;
  /** Aborted when no caller needs the work any more. */
  readonly signal: AbortSignal;
}

/** Work that is done in a process of its own: plain data in, plain data out. */
export type Work = (order: never, tools: WorkTools) => unknown;
