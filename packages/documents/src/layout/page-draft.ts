import type { Rect } from "./numbers/geometry.ts";
import type { Look } from "./page/page.ts";
import type { Table } from "./tables/table.ts";
import type { Turn } from "./turned.ts";

/**
 * A page after the first pass, which looks at one page alone, in reading order. It is plain data and much
 * smaller than the words.
 */
export interface PageDraft {
  readonly number: number;
  /** In points, of the page turned upright. */
  readonly width: number;
  readonly height: number;
  readonly turn: Turn;
  readonly source: "native_text" | "layout_ocr";
  /** True if part of the page could not be read or decoded. */
  readonly isPartial: boolean;
  readonly areas: readonly DraftArea[];
}

export type DraftArea = DraftText | DraftTable | DraftFigure;

/** Similar lines of one column. */
export interface DraftText extends Rect {
  readonly kind: "text";
  readonly lines: readonly DraftLine[];
  /** True if a short rule lies right above, as above footnotes. */
  readonly isUnderRule: boolean;
  /** A title with its page number in a table of contents is one paragraph. */
  readonly isContentsEntry: boolean;
}

export interface DraftTable extends Rect {
  readonly kind: "table";
  readonly table: Table;
  readonly isRuled: boolean;
  readonly confidence: number | undefined;
  /** How many characters have which look. */
  readonly looks: readonly (readonly [Look, number])[];
}

export interface DraftFigure extends Rect {
  readonly kind: "figure";
  readonly text: string;
}

export interface DraftLine extends Rect {
  readonly base: number;
  readonly size: number;
  readonly text: string;
  readonly runs: readonly Run[];
  readonly isMonospaced: boolean;
  readonly isItalic: boolean;
  /** Share of characters that are set in a formula font or that only formulas use. */
  readonly mathShare: number;
  /** The tagged element that holds most of the words; undefined in untagged files. */
  readonly tag: LineTag | undefined;
  /** Mean OCR confidence of its words, 0 to 1; undefined for native text. */
  readonly confidence: number | undefined;
}

export interface LineTag {
  /** The innermost role that gives a type, such as H1, P, LI. */
  readonly role: string;
  /** Unique per page. */
  readonly id: number;
}

/** Text with one look. The space between two runs belongs to the second. */
export interface Run {
  readonly text: string;
  /** Derived from the font's name. */
  readonly isBold: boolean;
  /** 100 to 900; meaningful only relative to the document's usual weight. */
  readonly weight: number;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  readonly script: "raised" | "lowered" | undefined;
  readonly url: string | undefined;
}
