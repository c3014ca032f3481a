import type { ErrorCode } from "../../api/error-codes.ts";
import type { Capture } from "../capture.ts";

/** Codes by what an address promises with its extension (contract, section 3.16a). */
const WALLS: readonly { readonly extension: RegExp; readonly code: ErrorCode }[] = [
  { extension: /\.pdf$/i, code: "SCRAPE_PDF_ANTIBOT_ERROR" },
  {
    extension: /\.(?:docx?|docm|odt|rtf|xlsx?|xlsm|xlsb|ods|pptx?|pptm|odp|epub)$/i,
    code: "SCRAPE_DOCUMENT_ANTIBOT_ERROR",
  },
];

/** Pages about files are named after them: `File:map.pdf` of a wiki, or a file in a code forge's viewer. */
const ABOUT_FILES = /:[^/]*$|\/(?:blob|src|tree)\//;

/**
 * The error of a page that came where a document was promised, which may be a wall against robots. Undefined when that is
 * what to expect, or the server says itself that something failed.
 */
export function wallInsteadOfDocument(
  { requestedUrl, statusCode }: Pick<Capture, "requestedUrl" | "statusCode">,
  isPage: boolean,
): ErrorCode | undefined {
  if (!isPage || statusCode < 200 || statusCode > 299) return undefined;
  const path = new URL(requestedUrl).pathname;
  if (ABOUT_FILES.test(path)) return undefined;
  return WALLS.find(({ extension }) => extension.test(path))?.code;
}
