/**
 * A page of a PDF or of a scan, as plain data. All lengths are points (1/72 inch). The origin is the top left
 * corner of the visible page, and the page's own rotation is already applied.
 */
export interface PdfPage {
  /** From 1, in file order. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly rulings: readonly Ruling[];
  readonly boxes: readonly FilledBox[];
  readonly images: readonly Box[];
  readonly links: readonly PageLink[];
  /** Marked-content id → the elements that hold it, outermost first. Undefined if the page is not tagged. */
  readonly tags: ReadonlyMap<number, readonly Tag[]> | undefined;
  /** Number of characters read, and how many of them have no Unicode mapping. */
  readonly glyphs: number;
  readonly unmapped: number;
  /** True if a limit was reached, so that part of the page is missing. */
  readonly isCut: boolean;
  readonly source: "native_text" | "layout_ocr";
}

/** [x0, y0, x1, y1] with x0 <= x1 and y0 <= y1. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

/** Consecutive characters with the same look and no gap between them. */
export interface Word {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** y of the baseline. */
  readonly base: number;
  /** Words with the same look share one object. */
  readonly look: Look;
  /** Marked-content id; -1 if there is none. */
  readonly markedContent: number;
  /** True if no space separates this word from the one before. */
  readonly isGlued: boolean;
  /** True if the file draws a space between the word before and this one. */
  readonly isBehindSpace?: boolean;
  /** OCR confidence, 0 to 1; absent for native text. */
  readonly confidence?: number;
  /** True if x counts from the right of the page. */
  readonly isMirrored?: boolean;
}

export interface Look {
  /** PostScript name without the subset prefix; empty if unknown. */
  readonly font: string;
  /** In points, as drawn. */
  readonly size: number;
  /** 100 to 900, from the file or guessed by pdfium. */
  readonly weight: number;
  /** Derived from the font's name. */
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  /** Radians, counter-clockwise; 0 is upright. */
  readonly angle: number;
  /** True if the characters are not drawn, as in the text layer of scans. */
  readonly isHidden: boolean;
  /** 0xRRGGBB */
  readonly color: number;
}

/** Upright black text whose font is unknown. */
export const PLAIN_LOOK: Omit<Look, "size"> = {
  font: "",
  weight: 400,
  isBold: false,
  isItalic: false,
  isMonospaced: false,
  angle: 0,
  isHidden: false,
  color: 0,
};

export type Ruling =
  | { readonly isHorizontal: true; readonly y: number; readonly x0: number; readonly x1: number }
  | { readonly isHorizontal: false; readonly x: number; readonly y0: number; readonly y1: number };

export interface FilledBox {
  readonly box: Box;
  readonly isWhite: boolean;
  /** True if the path is more than a box, such as part of a drawing or chart. */
  readonly isDrawing: boolean;
}

export interface PageLink {
  readonly url: string;
  readonly box: Box;
}

/** Structure element of a tagged PDF. */
export interface Tag {
  /** PDF 1.7, section 14.8.4: P, H1, L, LI, Table, TR, … */
  readonly role: string;
  /** Unique per page. */
  readonly id: number;
}

export interface OutlineEntry {
  readonly title: string;
  /** From 1; undefined if the entry has no target in the file. */
  readonly page: number | undefined;
  /** From 1. */
  readonly depth: number;
}
