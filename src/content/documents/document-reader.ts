import type { OfficeFile, OfficeReading } from "./office-reading.ts";

/** Reads files in processes of their own, so that a hostile file breaks nothing but its own request. */
export interface DocumentReader {
  /** @throws the signal's reason once it is aborted; Error when the process dies. */
  readOffice(file: OfficeFile, signal: AbortSignal): Promise<OfficeReading>;
}

/** For places that no files but text come to. */
export const noDocuments: DocumentReader = {
  readOffice: () => Promise.reject(new Error("Documents are read elsewhere.")),
};
