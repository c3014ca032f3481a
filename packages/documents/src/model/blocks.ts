/** What a block of a page is. */
export type BlockType =
  | "title"
  | "section_header"
  | "text"
  | "table"
  | "formula"
  | "figure"
  | "caption"
  | "page_number"
  | "page_header"
  | "page_footer";

/** One block of a page. */
export interface DocumentBlock {
  /** `p<page>.b<index in reading order>`. */
  readonly id: string;
  readonly type: BlockType;
  /** A finer type, such as `list_item` or `footnote`. */
  readonly label: string | null;
  /** [x0, y0, x1, y1] as fractions of the page size, from the top left corner. */
  readonly bbox: readonly [number, number, number, number] | null;
  /** The Markdown of the block. */
  readonly content: string;
  /** [start, end) in UTF-16 code units of the document's Markdown; null when the block is not in it. */
  readonly markdownSpan: readonly [number, number] | null;
  /** Position in the reading order of the page, from 0. */
  readonly readingOrder: number;
  /** Where the text comes from: `native_text` or `layout_ocr`. */
  readonly source: string | null;
  /** 0 to 1; null: not known. */
  readonly confidence: { readonly layout: number | null; readonly ocr: number | null };
}

/** The blocks of one page. */
export interface PageBlocks {
  /** From 1, as the file counts. */
  readonly pageNumber: number;
  /** In pixels at 200 dpi; null when the page could not be read. */
  readonly width: number | null;
  readonly height: number | null;
  readonly status: "ok" | "partial" | "failed";
  readonly items: readonly DocumentBlock[];
}
