import { ServiceError } from "../../api/errors.ts";

/**
 * The refusal of a file that the service does not read, or was asked not to read (contract, section 3.16f).
 * @param reason the file's MIME type, or what is wrong with it.
 */
export function unsupportedFile(reason: string, cause?: Error): ServiceError {
  const message = `The URL returned a file type that Pergamon cannot process: ${reason}. The rawBase64 format returns any file as it is.`;
  return new ServiceError("SCRAPE_UNSUPPORTED_FILE_ERROR", { message, cause });
}

/** The refusal of a file of a type that is read, which itself cannot be (contract, section 3.16b). */
export function unreadableFile(mimeType: string, reason: string): ServiceError {
  return unsupportedFile(`${mimeType}, because ${reason}`);
}
