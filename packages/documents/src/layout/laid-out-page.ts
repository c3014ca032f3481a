import type { BlockType } from "../model/blocks.ts";
import type { Box } from "./page/page.ts";
import type { Table } from "./tables/table.ts";

/** A page after both passes. */
export interface LaidOutPage {
  /** From 1, as the file counts. */
  readonly number: number;
  /** In points. */
  readonly width: number;
  readonly height: number;
  readonly status: "ok" | "partial" | "failed";
  /** In the order they are read. */
  readonly blocks: readonly LaidOutBlock[];
}

export interface LaidOutBlock {
  readonly type: BlockType;
  /** A finer type, such as list_item. */
  readonly label: string | undefined;
  /** Whether its words are in the Markdown: not those of figures and of what repeats at the edges of pages. */
  readonly isShown: boolean;
  /** In points, on the page as the file shows it. */
  readonly box: Box;
  readonly source: "native_text" | "layout_ocr";
  /** 0 to 1; undefined: not known. */
  readonly confidence: { readonly layout: number | undefined; readonly ocr: number | undefined };
  readonly body: BlockBody;
  /** How it continues with the text or table before it; undefined: it begins one of its own. */
  readonly seam: "space" | "none" | "closed hyphen" | "rows" | undefined;
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

/** A part of a table over several pages. */
export interface TablePiece {
  /** All parts are written as HTML, as one of them has spans. */
  readonly isMarkup: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A piece of text that looks alike. */
export interface TextRun {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  readonly script: "raised" | "lowered" | undefined;
  readonly url: string | undefined;
}

/** A page that could not be read. */
export function failedPage(number: number): LaidOutPage {
  return { number, width: 0, height: 0, status: "failed", blocks: [] };
}
