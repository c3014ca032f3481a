import type { PageBlocks } from "./blocks.ts";
import type { PageProperties } from "./html.ts";

export interface PdfOptions {
  /**
   * `fast`: only the embedded text; `ocr`: only what the rendered pages show; `auto`: the better per page.
   */
  readonly mode: "fast" | "auto" | "ocr";
  /** Undefined means all pages. */
  readonly maxPages: number | undefined;
  /** Marks page boundaries in the Markdown. */
  readonly pageMarkers: boolean;
  /** Locale tags of likely languages, most likely first. */
  readonly languages: readonly string[];
}

export interface ReadDocument {
  readonly markdown: string;
  /** The pages that were read, in file order. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  readonly blocks: readonly PageBlocks[];
  readonly totalPages: number;
  /** Metadata in the file: title, author … */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A document, presentation, workbook, e-book, delimited text, mail, notebook or a folder of these. */
export interface OfficeFile {
  readonly body: Uint8Array;
  /** Without parameters; "" if unknown. Only text needs it, and mail. */
  readonly mimeType: string;
  /** The header, whose charset is that of delimited text. Default: it is found in the bytes. */
  readonly contentType?: string | undefined;
  /** URL of the file. Relative URLs resolve against it. */
  readonly url: string;
}

export interface OfficeDocument {
  readonly markdown: string;
  /** Undefined for files whose parts are joined as Markdown: it is to be rendered. */
  readonly html: string | undefined;
  readonly properties: PageProperties;
}

export interface PictureFile {
  readonly body: Uint8Array;
  /** Locale tags of likely languages, most likely first. */
  readonly languages: readonly string[];
}

/** Text in the picture, laid out as a page; "" if there is none. */
export interface PictureText {
  readonly markdown: string;
}
