import { DocumentError } from "@pergamon-dev/documents/errors";
import { ServiceError } from "../../api/errors.ts";
import { unreadableFile, unsupportedFile } from "../../fetch/file-kinds/unreadable.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * What clients are told when a document was not read. Anything else stays as it is.
 * @param mimeType - of the file, where the message has to name it
 */
export function serviceErrorOf(failure: unknown, mimeType?: string): unknown {
  if (!(failure instanceof DocumentError)) return failure;
  const { code, reason, cause } = failure;
  switch (code) {
    case "unreadable-file":
      return mimeType === undefined ? unsupportedFile(reason) : unreadableFile(mimeType, reason);
    case "reader-failed":
      return unsupportedFile("the reader did not survive the file", cause as Error);
    case "ocr-required":
      return withoutText(reason, 'Use the mode "auto" or "ocr" of the pdf parser.');
    case "ocr-missing":
      return withoutText(reason, "This service has no engine that recognises text: install tesseract.");
    case "overloaded":
      return new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

function withoutText(kind: string, remedy: string): ServiceError {
  return new ServiceError("SCRAPE_PDF_OCR_REQUIRED", {
    message: `This PDF is ${kind} and has no text of its own, so that its text has to be recognised. ${remedy}`,
  });
}
