import type { OcrEngine } from "./ocr/ocr-engine.ts";
import type { PdfReader } from "./pdfium/reader.ts";

export interface WorkTools {
  readonly pdf: PdfReader;
  /** Undefined if there is no OCR engine. The result is cached. */
  ocr(): Promise<OcrEngine | undefined>;
  /** Aborted once no caller needs the work any more. */
  readonly signal: AbortSignal;
}

/** Work done in a separate process, so input and output are plain data. */
export type Work = (order: never, tools: WorkTools) => unknown;
