import type {
  OfficeDocument,
  OfficeFile,
  PdfOptions,
  PictureFile,
  PictureText,
  ReadDocument,
} from "@pergamon-dev/documents/model/reader";

/**
 * Reads documents for one scrape.
 * @throws ServiceError when the file cannot be read, or a PDF not in time; the signal's reason once it is
 * aborted.
 */
export interface DocumentTools {
  readPdf(body: Uint8Array, options: PdfOptions, signal: AbortSignal): Promise<ReadDocument>;
  readOffice(file: OfficeFile, signal: AbortSignal): Promise<OfficeDocument>;
  /** @param file the error for an unreadable file names its MIME type */
  readPicture(file: PictureFile & { readonly mimeType: string }, signal: AbortSignal): Promise<PictureText>;
}

/** Refuses all documents, in threads and for pages that are no documents. */
export const noDocuments: DocumentTools = { readPdf: refuse, readOffice: refuse, readPicture: refuse };

function refuse(): Promise<never> {
  return Promise.reject(new Error("Documents are not read here."));
}
