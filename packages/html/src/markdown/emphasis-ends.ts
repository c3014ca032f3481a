import { characterAt, characterBefore } from "./escape.ts";
import { canClose, canOpen } from "./flanking.ts";
import type { Piece, PlacedMark } from "./piece.ts";

/** Where one emphasis starts and ends in the list of pieces. */
export interface Span {
  readonly open: number;
  readonly close: number;
}

/** How the two ends of a mark are written; "" leaves the mark out. */
export interface Decision {
  readonly delimiter: string;
  /** Punctuation at the end of the marked text that is written behind the closing delimiter instead. */
  readonly carried: string;
}

/** The characters on both sides of both delimiters; "" at the edge of the line. */
export interface Ends {
  readonly outerLeft: string;
  readonly innerLeft: string;
  readonly innerRight: string;
  readonly outerRight: string;
}

/** @param decisions - of the marks before this one */
export function endsOf(
  pieces: readonly Piece[],
  span: Span,
  decisions: ReadonlyMap<PlacedMark, Decision>,
): Ends {
  return {
    outerLeft: lastCharacter(pieces, span.open - 1, decisions),
    innerLeft: firstCharacter(pieces, span.open + 1, decisions, "_"),
    innerRight: lastCharacter(pieces, span.close - 1, decisions),
    outerRight: firstCharacter(pieces, span.close + 1, decisions, undefined),
  };
}

/** Whether CommonMark reads the delimiter at the start of the marked text as one that opens. */
export function opens(delimiter: string, { outerLeft, innerLeft }: Ends): boolean {
  return canOpen(delimiter.charAt(0), outerLeft, innerLeft);
}

/** Whether it reads the one at the end as one that closes. */
export function closes(delimiter: string, { innerRight, outerRight }: Ends): boolean {
  return canClose(delimiter.charAt(0), innerRight, outerRight);
}

function lastCharacter(
  pieces: readonly Piece[],
  from: number,
  decisions: ReadonlyMap<PlacedMark, Decision>,
): string {
  for (let at = from; at >= 0; at--) {
    const piece = pieces[at];
    if (!piece) return "";
    const character = edgeOf(piece, decisions, "last");
    if (character !== undefined) return character;
    if (piece.kind === "close" && !decisions.has(piece.placed)) return "_";
  }
  return "";
}

/** @param undecided - stands for the delimiter of a mark that has not been decided; `undefined` looks behind it */
function firstCharacter(
  pieces: readonly Piece[],
  from: number,
  decisions: ReadonlyMap<PlacedMark, Decision>,
  undecided: string | undefined,
): string {
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) return "";
    const character = edgeOf(piece, decisions, "first");
    if (character !== undefined) return character;
    if (piece.kind === "open" && !decisions.has(piece.placed) && undecided !== undefined) return undecided;
  }
  return "";
}

/** First or last character of a written piece; `undefined` when it is not written, or not decided. */
function edgeOf(
  piece: Piece,
  decisions: ReadonlyMap<PlacedMark, Decision>,
  side: "first" | "last",
): string | undefined {
  if (piece.kind === "gap") return " ";
  if (piece.kind === "text" || piece.kind === "verbatim") {
    return side === "first" ? characterAt(piece.text, 0) : characterBefore(piece.text, piece.text.length);
  }
  const { placed } = piece;
  if (placed.mark.kind === "link") return placed.isCancelled ? undefined : linkEdge(piece.kind, side);
  const delimiter = decisions.get(placed)?.delimiter;
  return delimiter === undefined || delimiter === "" ? undefined : delimiter.charAt(0);
}

function linkEdge(kind: "open" | "close", side: "first" | "last"): string {
  if (kind === "open") return "[";
  return side === "first" ? "]" : ")";
}
