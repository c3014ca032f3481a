import type { Rect } from "./numbers/geometry.ts";
import type { Table } from "./tables/table.ts";
import type { Turn } from "./turned.ts";

/**
 * A page after the first pass, in which nothing is known of the other pages: what is on it, in the order it is read.
 * Plain data, much smaller than the words.
 */
export interface PageDraft {
  readonly number: number;
  /** Of the upright page, in points. */
  readonly width: number;
  readonly height: number;
  readonly turn: Turn;
  readonly source: "native_text" | "layout_ocr";
  /** Not all of the page was read or understood. */
  readonly isPartial: boolean;
  readonly areas: readonly DraftArea[];
}

export type DraftArea = DraftText | DraftTable | DraftFigure;

/** Lines of one column that look alike. */
export interface DraftText extends Rect {
  readonly kind: "text";
  readonly lines: readonly DraftLine[];
  /** A short rule stands right above it, as above footnotes. */
  readonly isUnderRule: boolean;
  /** A title and its page in a table of contents: one paragraph. */
  readonly isContentsEntry: boolean;
}

export interface DraftTable extends Rect {
  readonly kind: "table";
  readonly table: Table;
  readonly isRuled: boolean;
  readonly confidence: number | undefined;
}

export interface DraftFigure extends Rect {
  readonly kind: "figure";
  /** The words in it. */
  readonly text: string;
}

/** A line in the order it is read. */
export interface DraftLine extends Rect {
  readonly base: number;
  readonly size: number;
  readonly text: string;
  readonly runs: readonly Run[];
  readonly isMonospaced: boolean;
  readonly isItalic: boolean;
  /** Share of its characters in fonts of formulas, or that only formulas have. */
  readonly mathShare: number;
  /** The element that holds most of its words; undefined in files without tags. */
  readonly tag: LineTag | undefined;
  /** Mean of its words, 0 to 1; only of recognised text. */
  readonly confidence: number | undefined;
}

export interface LineTag {
  /** The innermost role that tells something, such as H1, P, LI. */
  readonly role: string;
  /** Tells elements of one page apart. */
  readonly id: number;
}

/** A piece of text that looks alike; spaces between pieces belong to the second. */
export interface Run {
  readonly text: string;
  /** By the name of its font. */
  readonly isBold: boolean;
  /** 100 to 900; meaningful only relative to that of most text. */
  readonly weight: number;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  readonly script: "raised" | "lowered" | undefined;
  readonly url: string | undefined;
}
