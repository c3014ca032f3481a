import type { WritingName } from "./texts.ts";

/** What a document shows, in reading order. Generators draw it; nothing here knows of any rule that reads it. */
export type MadeBlock =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "items"; readonly items: readonly string[]; readonly isNumbered: boolean }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: "entries"; readonly entries: readonly MadeEntry[] }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "boxes"; readonly boxes: readonly { readonly label: string; readonly isChecked: boolean }[] }
  /** Short entries that are lines of their own. */
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  /** Text that flows from column to column. */
  | { readonly kind: "flow"; readonly count: number; readonly blocks: readonly MadeBlock[] }
  /** Columns that each hold their own. */
  | { readonly kind: "beside"; readonly columns: readonly (readonly MadeBlock[])[] };

export interface MadeEntry {
  readonly text: string;
  readonly page: string;
  readonly level: number;
}

/** How it is drawn. */
export interface MadeLook {
  readonly hasSerifs: boolean;
  readonly points: number;
  readonly rules: "all" | "rows" | "head" | "none";
  readonly leaders: "dots" | "blank";
  readonly isIndented: boolean;
  readonly isJustified: boolean;
  readonly headings: "bold" | "large" | "italic";
  readonly gapPoints: number;
}

export interface MadeDocument {
  readonly name: string;
  readonly topic: string;
  readonly writing: WritingName;
  readonly isRightToLeft: boolean;
  readonly language: string;
  readonly look: MadeLook;
  readonly blocks: readonly MadeBlock[];
}
