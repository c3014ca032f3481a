import { unsupportedFile } from "./model/unreadable.ts";
import { type OpenedPdf, UnreadablePdf } from "./pdfium/reader.ts";
import type { WorkTools } from "./work.ts";

/** @throws ServiceError SCRAPE_UNSUPPORTED_FILE_ERROR, with the reason, when the file cannot be opened. */
export function openPdf(bytes: Uint8Array, { pdf }: Pick<WorkTools, "pdf">): OpenedPdf {
  try {
    return pdf.open(bytes);
  } catch (failure) {
    if (!(failure instanceof UnreadablePdf)) throw failure;
    throw unsupportedFile(
      failure.reason === "encrypted" ? "the PDF is encrypted and needs a password" : "the PDF is damaged",
    );
  }
}
