import type { BlockType } from "../model/blocks.ts";
import type { Box } from "./page/page.ts";
import type { Table } from "./tables/table.ts";

export interface LaidOutPage {
  /** From 1, in file order. */
  readonly number: number;
  /** In points. */
  readonly width: number;
  readonly height: number;
  readonly status: "ok" | "partial" | "failed";
  /** In reading order. */
  readonly blocks: readonly LaidOutBlock[];
}

export interface LaidOutBlock {
  readonly type: BlockType;
  /** More specific than the type, such as list_item. */
  readonly label: string | undefined;
  /** False for figures and page furniture, which the Markdown leaves out. */
  readonly isShown: boolean;
  /** In points, on the page as the file shows it (before any turn). */
  readonly box: Box;
  readonly source: "native_text" | "layout_ocr";
  /** 0 to 1; undefined if unknown. */
  readonly confidence: { readonly layout: number | undefined; readonly ocr: number | undefined };
  readonly body: BlockBody;
  /** How the block joins the text or table before it; undefined if it begins a new one. */
  readonly seam: "space" | "none" | "closed hyphen" | "rows" | undefined;
  /** True for a list item set as close to the one before as its lines are: one block holds them. */
  readonly isNextOfList: boolean;
}

export type BlockBody =
  | { readonly kind: "text"; readonly runs: readonly TextRun[] }
  | { readonly kind: "heading"; readonly level: number; readonly runs: readonly TextRun[] }
  | {
      readonly kind: "item";
      readonly depth: number;
      readonly marker: string;
      readonly runs: readonly TextRun[];
    }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "table"; readonly table: Table; readonly piece?: TablePiece };

/** One page's piece of a table that spans pages. */
export interface TablePiece {
  /** All pieces are written as HTML if any of them has spans. */
  readonly isMarkup: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Consecutive text with the same look. */
export interface TextRun {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  readonly script: "raised" | "lowered" | undefined;
  readonly url: string | undefined;
}

/** Placeholder for a page that could not be read. */
export function failedPage(number: number): LaidOutPage {
  return { number, width: 0, height: 0, status: "failed", blocks: [] };
}
