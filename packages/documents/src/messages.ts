import { DocumentError, type DocumentErrorCode } from "./errors.ts";
import type { OcrNews } from "./ocr-watch.ts";
import type { WorkName } from "./works.ts";

/** What a process is asked. One thing at a time. */
export interface Question {
  readonly work: WorkName;
  readonly order: unknown;
}

/**
 * What a process says: that it is there, how its OCR fares, or what came of the work, with the memory that it holds
 * afterwards.
 */
export type ReadingMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "ocr"; readonly news: OcrNews }
  | ReadingAnswer;

export type ReadingAnswer = { readonly rssBytes: number } & (
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "refused"; readonly code: DocumentErrorCode; readonly reason: string }
  /** Something unexpected. The process may be spoilt. */
  | { readonly kind: "failed"; readonly message: string }
);

/** What is reported of a failure. */
export function answerOfFailure(failure: unknown, rssBytes: number): ReadingAnswer {
  if (failure instanceof DocumentError) {
    return { kind: "refused", code: failure.code, reason: failure.reason, rssBytes };
  }
  const message = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return { kind: "failed", message, rssBytes };
}
