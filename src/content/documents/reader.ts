import type { DocumentPageBlocks } from "../../contract/document-blocks.ts";
import type { OfficeFile, OfficeReading } from "./office-reading.ts";

/** How a PDF is to be read (contract, section 1.3). */
export interface PdfWish {
  /** `fast`: its own text only; `ocr`: what is seen on its pages only; `auto`: what is better, page by page. */
  readonly mode: "fast" | "auto" | "ocr";
  /** Undefined: all pages. */
  readonly maxPages: number | undefined;
  /** Marks the borders of pages in the Markdown. */
  readonly pageMarkers: boolean;
  /** Locale tags of the languages that are likely in it, the likeliest first. */
  readonly languages: readonly string[];
}

/** A document after reading: what an answer shows of it. */
export interface ReadDocument {
  readonly markdown: string;
  /** Those that were read, in the order of the file. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  readonly blocks: readonly DocumentPageBlocks[];
  readonly totalPages: number;
  /** What the file says about itself: title, author … */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A picture, and what is known of its text. */
export interface PictureFile {
  readonly body: Uint8Array;
  /** As it was recognised, without parameters. */
  readonly mimeType: string;
  /** Locale tags of the languages that are likely in it, the likeliest first. */
  readonly languages: readonly string[];
}

/** Reads documents, for one scrape. */
export interface DocumentTools {
  /**
   * @throws ServiceError when the file cannot be read, or not in time; the signal's reason once it is aborted.
   */
  readPdf(body: Uint8Array, wish: PdfWish, signal: AbortSignal): Promise<ReadDocument>;
  /** @throws ServiceError when the process does not survive the file; the signal's reason once it is aborted. */
  readOffice(file: OfficeFile, signal: AbortSignal): Promise<OfficeReading>;
  /**
   * The text that a picture shows, laid out as a page; "" when it shows none.
   * @throws ServiceError when it cannot be read, or nothing here recognises text; the signal's reason once it is aborted.
   */
  readPicture(file: PictureFile, signal: AbortSignal): Promise<{ readonly markdown: string }>;
}

/** Where no documents are read: in threads, and for pages that are none. */
export const noDocuments: DocumentTools = {
  readPdf: () => Promise.reject(new Error("Documents are not read here.")),
  readOffice: () => Promise.reject(new Error("Documents are not read here.")),
  readPicture: () => Promise.reject(new Error("Documents are not read here.")),
};
