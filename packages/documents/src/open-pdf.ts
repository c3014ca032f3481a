import { unreadable } from "./errors.ts";
import { type OpenedPdf, UnreadablePdf } from "./pdfium/reader.ts";
import type { WorkTools } from "./work.ts";

/** @throws DocumentError `unreadable-file`, with the reason, if the file cannot be opened. */
export function openPdf(bytes: Uint8Array, { pdf }: Pick<WorkTools, "pdf">): OpenedPdf {
  try {
    return pdf.open(bytes);
  } catch (failure) {
    if (!(failure instanceof UnreadablePdf)) throw failure;
    throw unreadable(
      failure.reason === "encrypted" ? "the PDF is encrypted and needs a password" : "the PDF is damaged",
    );
  }
}
