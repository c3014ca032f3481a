import type { PageBlocks } from "./blocks.ts";
import type { PageProperties } from "./html.ts";

/** How a PDF is to be read. */
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
  readonly blocks: readonly PageBlocks[];
  readonly totalPages: number;
  /** What the file says about itself: title, author … */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A document, presentation, workbook, book or table of values. */
export interface OfficeFile {
  readonly body: Uint8Array;
  /** Without parameters; "" when it is not known. Only tables of values need it. */
  readonly mimeType: string;
  /** Where it is; relative addresses count from there. */
  readonly url: string;
}

export interface OfficeDocument {
  readonly markdown: string;
  readonly html: string;
  readonly properties: PageProperties;
}

/** A picture, and what is known of its text. */
export interface PictureFile {
  readonly body: Uint8Array;
  /** Locale tags of the languages that are likely in it, the likeliest first. */
  readonly languages: readonly string[];
}

/** The text that a picture shows, laid out as a page; "" when it shows none. */
export interface PictureText {
  readonly markdown: string;
}
