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

export interface DocumentBlock {
  /** `p<page>.b<index in reading order>`. */
  readonly id: string;
  readonly type: BlockType;
  /** More specific than the type, such as `list`, `list_item` or `footnote`. */
  readonly label: string | null;
  /** [x0, y0, x1, y1] as fractions of the page size, from the top left corner. */
  readonly bbox: readonly [number, number, number, number] | null;
  readonly content: string;
  /**
   * [start, end) in UTF-16 code units of the document's Markdown; null if the Markdown leaves the block out.
   */
  readonly markdownSpan: readonly [number, number] | null;
  /** Position in the reading order of the page, from 0. */
  readonly readingOrder: number;
  /** `native_text` or `layout_ocr`. */
  readonly source: string | null;
  /** 0 to 1; null if unknown. */
  readonly confidence: { readonly layout: number | null; readonly ocr: number | null };
}

export interface PageBlocks {
  /** From 1, in file order. */
  readonly pageNumber: number;
  /** In pixels at 200 dpi; null if the page could not be read. */
  readonly width: number | null;
  readonly height: number | null;
  readonly status: "ok" | "partial" | "failed";
  readonly items: readonly DocumentBlock[];
}
