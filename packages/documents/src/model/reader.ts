import type { DocumentPageBlocks } from "@pergamon-dev/server/api/document-blocks";
import type { OfficeFile, OfficeReading } from "./office-reading.ts";

/** How a PDF is to be read (contract, section 1.3). */
export interface PdfOptions {
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

/**
 * Kinds of documents that are read whole, each by the work of the same name in `documents/works.ts` → what it reads, and
 * what comes of it.
 */
export interface DocumentWorks {
  readonly readOffice: { readonly file: OfficeFile; readonly reading: OfficeReading };
  /** The text that a picture shows, laid out as a page; "" when it shows none. */
  readonly readPicture: { readonly file: PictureFile; readonly reading: { readonly markdown: string } };
}

/** Reads documents, for one scrape. */
export interface DocumentTools {
  /**
   * @throws ServiceError when the file cannot be read, or not in time; the signal's reason once it is aborted.
   */
  readPdf(body: Uint8Array, options: PdfOptions, signal: AbortSignal): Promise<ReadDocument>;
  /**
   * @throws ServiceError when the file cannot be read or the process does not survive it; the signal's reason once it is
   * aborted.
   */
  read<Name extends keyof DocumentWorks>(
    work: Name,
    file: DocumentWorks[Name]["file"],
    signal: AbortSignal,
  ): Promise<DocumentWorks[Name]["reading"]>;
}

/** Where no documents are read: in threads, and for pages that are none. */
export const noDocuments: DocumentTools = { readPdf: refuse, read: refuse };

function refuse(): Promise<never> {
  return Promise.reject(new Error("Documents are not read here."));
}
