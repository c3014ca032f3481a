import { columnStarts } from "./column-starts.ts";
import { type Gutter, gutters } from "./gutters.ts";
import { type Row, rowsOf } from "./rows.ts";
import { joinScripts } from "./joined-scripts.ts";
import { type Line, lineOf } from "./line.ts";
import type { PageWord } from "./words.ts";

/** Gaps in sizes of the characters: wider ones part a row everywhere, smaller ones where a column gap is. */
const WIDE_GAP = 1.9;
const LEAST_GAP = 0.4;
/** A bullet or number keeps its text, however far away. */
const MARKER_GAP = 4.5;

const MARKER = /^(?:[^\p{L}\p{N}([]|\(?(?:\d{1,2}|[a-z])[.)])$/u;
const SECTION = /^[1-9]\d?(?:\.[1-9]\d?){0,3}\.?$/;
const FIGURE = /^[-–−+$€£(]*\d[\d.,]*[%)*]*$|^[-–—]$/;
const LEADER = /^\.{3,}$/;

/** The lines of a page, from top to bottom. Columns next to each other have lines of their own. */
export function linesOf(words: readonly PageWord[]): Line[] {
  const rows = rowsOf(words);
  const columnGaps = [...gutters(rows), ...columnStarts(words)].sort((a, b) => a.y0 - b.y0);
  return joinScripts(rows.flatMap((row) => cutRow(row, columnGaps)));
}

function cutRow(row: Row, columnGaps: readonly Gutter[]): Line[] {
  const here = columnGaps.filter(({ y0, y1 }) => y0 <= row.base && row.base <= y1);
  const isFigures = isRowOfFigures(row.words);
  const lines: Line[] = [];
  let words: PageWord[] = [];
  for (const word of row.words) {
    if (words.length > 0 && isCut(words, word, here, isFigures)) {
      lines.push(lineOf(words));
      words = [];
    }
    words.push(word);
  }
  if (words.length > 0) lines.push(lineOf(words));
  return lines;
}

/** Rows of a table that have nearly only figures: each is a piece of its own. */
function isRowOfFigures(words: readonly PageWord[]): boolean {
  const figures = words.filter(({ text }) => FIGURE.test(text)).length;
  return figures >= 4 && figures > words.length * 0.5;
}

/** Bullets and numbers of items, and bold numbers before bold text, as headings have them. */
function isMarker(marker: PageWord, word: PageWord): boolean {
  const isBold = marker.isBold && word.isBold && marker.size === word.size;
  return MARKER.test(marker.text) || (isBold && SECTION.test(marker.text) && /^\p{Lu}/u.test(word.text));
}

function isCut(
  words: readonly PageWord[],
  word: PageWord,
  columnGaps: readonly Gutter[],
  isFigures: boolean,
): boolean {
  const before = words.at(-1);
  if (!before) return false;
  const gap = word.x0 - before.x1;
  const size = Math.max(word.size, before.size);
  if (words.length === 1 && gap < MARKER_GAP * size && isMarker(before, word)) return false;
  if (gap > WIDE_GAP * size) return true;
  if (gap <= LEAST_GAP * size) return false;
  if (isFigures && FIGURE.test(word.text) && (FIGURE.test(before.text) || LEADER.test(before.text)))
    return true;
  return columnGaps.some(({ x }) => x > before.x1 - 0.5 && x < word.x0 + 0.5);
}
