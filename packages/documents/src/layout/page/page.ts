/**
 * A page of a PDF, or of a scan, as plain data. All lengths are points (1/72 inch), the origin is the top left corner
 * of the visible page, and the page's own rotation is applied already.
 */
export interface PdfPage {
  /** From 1, as the file counts. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly rulings: readonly Ruling[];
  readonly boxes: readonly FilledBox[];
  readonly images: readonly Box[];
  readonly links: readonly PageLink[];
  /** Marked-content id → the elements that hold it, outermost first. Undefined: the page is not tagged. */
  readonly tags: ReadonlyMap<number, readonly Tag[]> | undefined;
  /** Characters that were read, and those of them that have no known meaning. */
  readonly glyphs: number;
  readonly unmapped: number;
  /** True when a limit was met, so that the page has more than is here. */
  readonly isCut: boolean;
  /** Where the words come from. */
  readonly source: "native_text" | "layout_ocr";
}

/** [x0, y0, x1, y1] with x0 <= x1 and y0 <= y1. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

/** Characters in a row that look alike and have no gap between them. */
export interface Word {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Where the baseline is. */
  readonly base: number;
  /** Words that look alike share one object. */
  readonly look: Look;
  /** Marked-content id; -1 when there is none. */
  readonly markedContent: number;
  /** True when there is no space between this word and the one before. */
  readonly isGlued: boolean;
  /** 0 to 1; only of words that were recognised in a picture. */
  readonly confidence?: number;
}

/** How characters look. */
export interface Look {
  /** PostScript name without the subset's prefix; empty when unknown. */
  readonly font: string;
  /** As drawn, in points. */
  readonly size: number;
  /** As the file says or pdfium guesses, 100 to 900. */
  readonly weight: number;
  /** By the font's name. */
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  /** Radians, counter-clockwise; 0 is upright. */
  readonly angle: number;
  /** True when the characters are not drawn, as the text layer of scans. */
  readonly isHidden: boolean;
  /** 0xRRGGBB */
  readonly color: number;
}

/** A straight line that is drawn on the page. */
export type Ruling =
  | { readonly isHorizontal: true; readonly y: number; readonly x0: number; readonly x1: number }
  | { readonly isHorizontal: false; readonly x: number; readonly y0: number; readonly y1: number };

export interface FilledBox {
  readonly box: Box;
  readonly isWhite: boolean;
  /** True when the path is more than a box, as part of a drawing or chart. */
  readonly isDrawing: boolean;
}

export interface PageLink {
  readonly url: string;
  readonly box: Box;
}

/** An element of a tagged file. */
export interface Tag {
  /** As in PDF 1.7, section 14.8.4: P, H1, L, LI, Table, TR, … */
  readonly role: string;
  /** Tells elements of one page apart. */
  readonly id: number;
}

/** An entry of the file's outline. */
export interface OutlineEntry {
  readonly title: string;
  /** From 1; undefined when the entry leads nowhere in the file. */
  readonly page: number | undefined;
  /** From 1. */
  readonly depth: number;
}
