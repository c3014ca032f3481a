/**
 * Why a document was not read:
 * - `unreadable-file`: it is damaged, encrypted, too large, or of an unsupported type;
 * - `reader-failed`: the process that read it crashed;
 * - `reader-exhausted`: reading it takes more memory or stack than a process has;
 * - `ocr-required`: a PDF without text of its own was to be read without OCR;
 * - `ocr-missing`: the PDF needs OCR, but this machine has no OCR engine;
 * - `overloaded`: too many documents are waiting.
 */
export type DocumentErrorCode =
  | "unreadable-file"
  | "reader-failed"
  | "reader-exhausted"
  | "ocr-required"
  | "ocr-missing"
  | "overloaded";

const MESSAGES: Readonly<Record<DocumentErrorCode, (reason: string) => string>> = {
  "unreadable-file": (reason) => `The file cannot be read: ${reason}.`,
  "reader-failed": (reason) => `The process that read the file did not survive it: ${reason}`,
  "reader-exhausted": (reason) => `The file takes more memory or stack than its reader has: ${reason}`,
  "ocr-required": (reason) =>
    `This PDF is ${reason} and has no text of its own. Read it with the mode "auto" or "ocr".`,
  "ocr-missing": (reason) =>
    `This PDF is ${reason} and has no text of its own, and nothing here recognises text: install tesseract.`,
  overloaded: (reason) => `Too many documents wait to be read: ${reason}.`,
};

export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;
  /** The problem, as part of a sentence. */
  readonly reason: string;

  constructor(code: DocumentErrorCode, reason: string, options?: { readonly cause?: unknown }) {
    super(MESSAGES[code](reason), options);
    this.code = code;
    this.reason = reason;
  }
}

/** For a file that is damaged, encrypted, too large, or of an unsupported type. */
export function unreadable(reason: string): DocumentError {
  return new DocumentError("unreadable-file", reason);
}
