import { DocumentError, type DocumentErrorCode } from "./errors.ts";
import type { OcrNews } from "./ocr-watch.ts";
import type { WorkName } from "./works.ts";

/** A process gets one question at a time. */
export interface Question {
  readonly work: WorkName;
  readonly order: unknown;
}

/** A process reports that it is ready, how OCR is going, or the result of its work with its memory use. */
export type ReadingMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "ocr"; readonly news: OcrNews }
  | ReadingAnswer;

export type ReadingAnswer = { readonly rssBytes: number } & (
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "refused"; readonly code: DocumentErrorCode; readonly reason: string }
  /** An unexpected failure. The process may be in an undefined state. */
  | { readonly kind: "failed"; readonly message: string }
);

export function answerOfFailure(failure: unknown, rssBytes: number): ReadingAnswer {
  if (failure instanceof DocumentError) {
    return { kind: "refused", code: failure.code, reason: failure.reason, rssBytes };
  }
  const message = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return { kind: "failed", message, rssBytes };
}
