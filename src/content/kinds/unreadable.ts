import { ServiceError } from "../../contract/errors.ts";

/** The refusal of a file that the service does not read, or was told not to read (contract, section 3.16f). */
export function unsupportedFile(mimeType: string): ServiceError {
  const message = `The URL returned a file type that Pergamon cannot process: ${mimeType}. The rawBase64 format returns any file as it is.`;
  return new ServiceError("SCRAPE_UNSUPPORTED_FILE_ERROR", { message });
}

/** The refusal of a file of a type that is read, which itself cannot be (contract, section 3.16b). */
export function unreadableFile(mimeType: string, reason: string): ServiceError {
  return unsupportedFile(`${mimeType}, because ${reason}`);
}

/** The refusal of files whose reader is not built yet. */
export function notReadYet(files: string): ServiceError {
  return new ServiceError("NOT_IMPLEMENTED", { message: `Reading ${files} is not available yet.` });
}
