/**
 * Why a document was not read.
 * - `unreadable-file`: it is damaged, encrypted, too large, or of a type that is not read;
 * - `reader-failed`: the process that read it crashed, or took too much memory;
 * - `ocr-required`: a PDF without text of its own was to be read without OCR;
 * - `ocr-missing`: the same, and nothing on this machine recognises text;
 * - `overloaded`: too many documents wait already.
 */
export type DocumentErrorCode =
  | "unreadable-file"
  | "reader-failed"
  | "ocr-required"
  | "ocr-missing"
  | "overloaded";

const MESSAGES: Readonly<Record<DocumentErrorCode, (reason: string) => string>> = {
  "unreadable-file": (reason) => `The file cannot be read: ${reason}.`,
  "reader-failed": (reason) => `The process that read the file did not survive it: ${reason}`,
  "ocr-required": (reason) =>
    `This PDF is ${reason} and has no text of its own. Read it with the mode "auto" or "ocr".`,
  "ocr-missing": (reason) =>
    `This PDF is ${reason} and has no text of its own, and nothing here recognises text: install tesseract.`,
  overloaded: (reason) => `Too many documents wait to be read: ${reason}.`,
};

/** A document was not read. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;
  /** What is wrong, as a part of a sentence. */
  readonly reason: string;

  constructor(code: DocumentErrorCode, reason: string, options?: { readonly cause?: unknown }) {
    super(MESSAGES[code](reason), options);
    this.code = code;
    this.reason = reason;
  }
}

/** The refusal of a file that is damaged, encrypted, too large, or of a type that is not read. */
export function unreadable(reason: string): DocumentError {
  return new DocumentError("unreadable-file", reason);
}
