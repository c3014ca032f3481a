import type { ErrorCode } from "../../api/error-codes.ts";
import type { Capture } from "../capture.ts";

/** Error codes by the file type that the extension in an address promises (contract, section 3.16a). */
const WALLS: readonly { readonly extension: RegExp; readonly code: ErrorCode }[] = [
  { extension: /\.pdf$/i, code: "SCRAPE_PDF_ANTIBOT_ERROR" },
  {
    extension: /\.(?:docx?|docm|odt|rtf|xlsx?|xlsm|xlsb|ods|pptx?|pptm|odp|epub)$/i,
    code: "SCRAPE_DOCUMENT_ANTIBOT_ERROR",
  },
];

/** Pages about files have names like files: `File:map.pdf` of a wiki, or a file in a code forge's viewer. */
const ABOUT_FILES = /:[^/]*$|\/(?:blob|src|tree)\//;

/**
 * Error for a page in place of a promised document, which may be a wall against robots. Undefined when a page
 * is to be expected, or the server itself reports an error.
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
