import { characterAt, characterBefore } from "./escape.ts";
import { type Mark, type Piece, type PlacedMark, textPiece, verbatimPiece } from "./piece.ts";
import { canClose, canOpen } from "./flanking.ts";

/** Start and end of one emphasis in the list of pieces. */
interface Span {
  readonly open: number;
  readonly close: number;
}

/** How the two ends of a mark are written; "" omits the mark. */
interface Decision {
  readonly delimiter: string;
  /** Punctuation from the end of the marked text that is written after the closing delimiter instead. */
  readonly carried: string;
}

/** The characters on both sides of both delimiters; "" at the edge of the line. */
interface Ends {
  readonly outerLeft: string;
  readonly innerLeft: string;
  readonly innerRight: string;
  readonly outerRight: string;
}

/** @param decisions - decisions about the marks before this one */
function endsOf(pieces: readonly Piece[], span: Span, decisions: ReadonlyMap<PlacedMark, Decision>): Ends {
  return {
    outerLeft: lastCharacter(pieces, span.open - 1, decisions),
    innerLeft: firstCharacter(pieces, span.open + 1, decisions, "_"),
    innerRight: lastCharacter(pieces, span.close - 1, decisions),
    outerRight: firstCharacter(pieces, span.close + 1, decisions, undefined),
  };
}

/** Whether CommonMark reads the delimiter at the start of the marked text as opening. */
function opens(delimiter: string, { outerLeft, innerLeft }: Ends): boolean {
  return canOpen(delimiter.charAt(0), outerLeft, innerLeft);
}

/** Whether CommonMark reads the delimiter at the end as closing. */
function closes(delimiter: string, { innerRight, outerRight }: Ends): boolean {
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

/** @param undecided - stands for the delimiter of a mark that has not been decided; `undefined` skips it */
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

/** First or last character of a written piece; `undefined` when it is not written, or not decided yet. */
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

const TRAILING_PUNCTUATION = /\p{P}+$/u;

/** Delimiters by kind of mark, most preferred first. Links have their own. */
const DELIMITERS: Readonly<Record<Mark["kind"], readonly string[]>> = {
  strong: ["**"],
  emphasis: ["_", "*"],
  strike: ["~~"],
  link: [],
};

const OMITTED: Decision = { delimiter: "", carried: "" };

/**
 * Replaces emphasis marks by their delimiters. When CommonMark's flanking rules would not read the delimiters
 * back, trailing punctuation moves out (`**name**:john`) or the mark is omitted.
 */
export function placeDelimiters(pieces: readonly Piece[]): readonly Piece[] {
  const spans = findSpans(pieces);
  const decisions = new Map<PlacedMark, Decision>();
  const carriedFrom = new Map<number, number>();
  for (const span of spans) {
    const decision = decide(pieces, span, decisions);
    const open = pieces[span.open];
    if (open?.kind === "open") decisions.set(open.placed, decision);
    if (decision.carried !== "") carriedFrom.set(span.close - 1, decision.carried.length);
  }
  const written: Piece[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (piece.placed !== undefined) writeMark(piece, decisions.get(piece.placed), written);
    else written.push(shortened(piece, carriedFrom.get(at) ?? 0));
  }
  return written;
}

/** Removes the trailing punctuation that is written after the mark. */
function shortened(piece: Piece, carried: number): Piece {
  if (piece.kind !== "text" || carried === 0) return piece;
  return textPiece(piece.text.slice(0, -carried), piece.isPlain);
}

/** @param decision - `undefined` when the mark is not an emphasis */
function writeMark(piece: Piece, decision: Decision | undefined, written: Piece[]): void {
  if (decision === undefined) written.push(piece);
  else if (decision.delimiter !== "") written.push(verbatimPiece(decision.delimiter));
  const carried = piece.kind === "close" ? decision?.carried : undefined;
  if (carried) written.push(textPiece(carried, false));
}

function findSpans(pieces: readonly Piece[]): readonly Span[] {
  const openedAt = new Map<PlacedMark, number>();
  const spans: Span[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === "open" && piece.placed.mark.kind !== "link") openedAt.set(piece.placed, at);
    if (piece.kind !== "close") continue;
    const open = openedAt.get(piece.placed);
    if (open !== undefined) spans.push({ open, close: at });
  }
  return spans.sort((left, right) => left.open - right.open);
}

function decide(
  pieces: readonly Piece[],
  span: Span,
  decisions: ReadonlyMap<PlacedMark, Decision>,
): Decision {
  const open = pieces[span.open];
  if (open?.kind !== "open" || open.placed.isCancelled) return OMITTED;
  const ends = endsOf(pieces, span, decisions);
  const delimiters = DELIMITERS[open.placed.mark.kind].filter((delimiter) =>
    standsAlone(delimiter, ends, pieces, span),
  );
  const readable = delimiters.find((delimiter) => opens(delimiter, ends) && closes(delimiter, ends));
  if (readable !== undefined) return { delimiter: readable, carried: "" };
  const last = delimiters.at(-1);
  return last === undefined ? OMITTED : moveOut(pieces[span.close - 1], last, ends);
}

/** Adjacent delimiters of two marks would be read as one, so they must not touch. */
function standsAlone(delimiter: string, ends: Ends, pieces: readonly Piece[], span: Span): boolean {
  if (ends.outerLeft === delimiter.charAt(0)) return false;
  return delimiter !== "*" || (ends.outerRight !== "*" && !touchesMark(pieces, span));
}

/** A single asterisk right inside another mark could merge with its asterisks. */
function touchesMark(pieces: readonly Piece[], span: Span): boolean {
  return pieces[span.open + 1]?.kind === "open" || pieces[span.close - 1]?.kind === "close";
}

/** Tries again with the trailing punctuation of the marked text written after the mark. */
function moveOut(last: Piece | undefined, delimiter: string, ends: Ends): Decision {
  if (last?.kind !== "text" || !opens(delimiter, ends)) return OMITTED;
  const carried = TRAILING_PUNCTUATION.exec(last.text)?.[0] ?? "";
  const kept = last.text.length - carried.length;
  if (carried === "" || kept === 0) return OMITTED;
  const moved = { ...ends, innerRight: characterBefore(last.text, kept), outerRight: carried.charAt(0) };
  return closes(delimiter, moved) ? { delimiter, carried } : OMITTED;
}
