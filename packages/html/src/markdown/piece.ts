/** An inline construct that encloses other inline content. */
export type Mark =
  | { readonly kind: "strong" | "emphasis" | "strike" }
  | { readonly kind: "link"; readonly destination: string; readonly title: string };

/** A mark on a line. The pieces that open and close it share this object. */
export interface PlacedMark {
  mark: Mark;
  /** True when the mark turned out to be unwanted. It then renders as nothing. */
  isCancelled: boolean;
}

/** White space between pieces: a space, a line break, or several line breaks in a row. */
export type Gap = "space" | "break" | "paragraph";

/** Text that is not escaped yet. */
export interface TextPiece {
  readonly kind: "text";
  text: string;
  /** True when no character could need an escape, except at the start of a line. */
  isPlain: boolean;
  readonly placed: undefined;
}

interface VerbatimPiece {
  readonly kind: "verbatim";
  readonly text: string;
  readonly isPlain: true;
  readonly placed: undefined;
}

interface GapPiece {
  readonly kind: "gap";
  readonly text: Gap;
  readonly isPlain: true;
  readonly placed: undefined;
}

export interface MarkPiece {
  readonly kind: "open" | "close";
  readonly text: "";
  readonly isPlain: true;
  readonly placed: PlacedMark;
}

/**
 * A piece of a line of inline content, in order. Verbatim is finished Markdown.
 * NOTE: all kinds have the same fields in the same order, which makes reading them several times faster.
 */
export type Piece = TextPiece | VerbatimPiece | GapPiece | MarkPiece;

export function textPiece(text: string, isPlain: boolean): TextPiece {
  return { kind: "text", text, isPlain, placed: undefined };
}

export function verbatimPiece(text: string): Piece {
  return { kind: "verbatim", text, isPlain: true, placed: undefined };
}

export function gapPiece(gap: Gap): Piece {
  return { kind: "gap", text: gap, isPlain: true, placed: undefined };
}

export function markPiece(kind: "open" | "close", placed: PlacedMark): Piece {
  return { kind, text: "", isPlain: true, placed };
}

const PUNCTUATION = /^[\p{P}\s]+$/u;

/** Whether a mark encloses nothing but punctuation, on which it would not be visible. */
export function isPunctuationIn(open: PlacedMark, pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1);
  return last?.kind === "text" && pieces.at(-2)?.placed === open && PUNCTUATION.test(last.text);
}
