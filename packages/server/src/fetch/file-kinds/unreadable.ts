import { ServiceError } from "../../api/errors.ts";

/**
 * Error for a file that the service does not read, or must not read (contract, section 3.16f).
 * @param reason the file's MIME type, or the problem with it.
 */
export function unsupportedFile(reason: string, cause?: Error): ServiceError {
  const message = `The URL returned a file type that Pergamon cannot process: ${reason}. The rawBase64 format returns any file as it is.`;
  return new ServiceError("SCRAPE_UNSUPPORTED_FILE_ERROR", { message, cause });
}

/** Error for an unreadable file of a supported type (contract, section 3.16b). */
export function unreadableFile(mimeType: string, reason: string): ServiceError {
  return unsupportedFile(`${mimeType}, because ${reason}`);
}
