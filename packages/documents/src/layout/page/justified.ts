import { median, Tally } from "../numbers/statistics.ts";
import { isFigure, type Row } from "./rows.ts";
import type { PageWord } from "./words.ts";

/** In em. Wider columns have no blanks that look like gaps. */
const MAX_WIDTH = 32;
const LEAST_WIDTH = 4;
/** In em. Lines begin and end at the edges of their column, up to this; the first line of a paragraph may be indented. */
const SAME_EDGE = 0.35;
const MAX_INDENT = 3;
/** Lines of a column that reach from edge to edge, and their share. */
const LEAST_FULL = 4;
const FULL_SHARE = 0.4;
/** In em. Rows of a text are this close. */
const MAX_PITCH = 1.8;
/** Rows above and below that are looked at. */
const NEAR_ROWS = 3;
const LEAST_REPEATED = 2;
/** In em. Narrower blanks never part words. */
const LEAST_BLANK = 0.4;

interface Span {
  readonly words: readonly PageWord[];
  readonly x0: number;
  readonly x1: number;
}

interface Piece extends Span {
  readonly row: Row;
}

/** Lines of justified text in narrow columns. */
interface Justified {
  /** Words behind the blanks of such lines, which reach from edge to edge of their column, however few words they have. */
  readonly words: ReadonlySet<PageWord>;
  /** Places beside such columns, where all lines end. */
  readonly gaps: readonly number[];
}

/** @param pageGaps - places between the columns of the page */
export function justifiedText(rows: readonly Row[], pageGaps: readonly number[]): Justified {
  const edges = [-Infinity, ...pageGaps.toSorted((a, b) => a - b), Infinity];
  const columns = edges.slice(1).flatMap((right, at) => {
    const left = edges[at] ?? -Infinity;
    const words = wordsOfColumn(rows.flatMap((row) => pieceOf(row, left, right)));
    return words ? [{ left, right, words }] : [];
  });
  return {
    words: new Set(columns.flatMap(({ words }) => words)),
    gaps: columns.flatMap(({ left, right }) => [left, right]),
  };
}

/** What of the row is in the column, unless a word reaches out of it. */
function pieceOf(row: Row, left: number, right: number): Piece[] {
  const words = row.words.filter(({ x0, x1 }) => x1 > left + 1 && x0 < right - 1);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || first.x0 < left - 1 || last.x1 > right + 1) return [];
  return [{ row, words, x0: first.x0, x1: last.x1 }];
}

function wordsOfColumn(pieces: readonly Piece[]): PageWord[] | undefined {
  const size = median(pieces.map(({ row }) => row.size));
  const isFull = fullLines(pieces, size);
  if (!isFull) return undefined;
  return pieces.flatMap((piece, at) => {
    if (!isFull(piece)) return [];
    const near = neighbours(pieces, at);
    return piece.words.slice(1).filter((word, last) => {
      const before = piece.words[last] ?? word;
      return word.x0 - before.x1 > LEAST_BLANK * word.size && isBlank(before, word, near);
    });
  });
}

/** Tells lines that reach from edge to edge of a narrow column; undefined where not enough do for running text. */
export function fullLines(lines: readonly Span[], size: number): ((line: Span) => boolean) | undefined {
  const [x0, x1] = [commonPlace(lines.map((line) => line.x0)), commonPlace(lines.map((line) => line.x1))];
  if (x1 - x0 > MAX_WIDTH * size || x1 - x0 < LEAST_WIDTH * size) return undefined;
  const isFull = (line: Span): boolean =>
    line.x0 > x0 - SAME_EDGE * size &&
    line.x0 < x0 + MAX_INDENT * size &&
    Math.abs(line.x1 - x1) < SAME_EDGE * size;
  const full = lines.filter((line) => isFull(line) && isText(line)).length;
  return full >= Math.max(LEAST_FULL, FULL_SHARE * lines.length) ? isFull : undefined;
}

/** Cells of a table may be equally wide, as dates are; they are one word, or figures. */
function isText({ words }: Span): boolean {
  return words.filter(({ text }) => !isFigure(text)).length > 1;
}

/** In points. */
const STEP = 1.5;

function commonPlace(places: readonly number[]): number {
  const counts = new Tally<number>();
  for (const place of places) counts.add(Math.round(place / STEP));
  const top = (counts.top() ?? 0) * STEP;
  const near = places.filter((place) => Math.abs(place - top) < STEP);
  return near.reduce((sum, place) => sum + place, 0) / Math.max(1, near.length);
}

/** Pieces that follow each other above and below without more room than between lines. */
function neighbours(pieces: readonly Piece[], at: number): Piece[] {
  const found: Piece[] = [];
  for (const step of [-1, 1]) {
    let last = pieces[at];
    for (let away = 1; away <= NEAR_ROWS && last; away++) {
      const next: Piece | undefined = pieces[at + step * away];
      const isNear = next && Math.abs(next.row.base - last.row.base) < MAX_PITCH * last.row.size;
      if (isNear) found.push(next);
      last = isNear ? next : undefined;
    }
  }
  return found;
}

/** True unless the gap is repeated at neighbours: cells begin below each other, and figures end so. */
function isBlank(before: PageWord, word: PageWord, near: readonly Piece[]): boolean {
  const room = LEAST_BLANK * word.size;
  const hasFigure = isFigure(word.text) || isFigure(before.text);
  const bridged = near.filter(({ words }) =>
    words.some(({ x0, x1 }) => x0 < word.x0 - room && x1 > before.x1 + room),
  );
  const repeated = near.filter(({ words }) =>
    words
      .slice(1)
      .some(
        (other, at) =>
          Math.abs(other.x0 - word.x0) < SAME_EDGE * word.size && other.x0 - (words[at]?.x1 ?? 0) > room,
      ),
  );
  if (hasFigure) return bridged.length > repeated.length;
  return repeated.length < LEAST_REPEATED || bridged.length > repeated.length;
}
