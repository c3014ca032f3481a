import { unionOf } from "./numbers/geometry.ts";
import { type Line, lineOf } from "./page/line.ts";

/** In points. Notes end at one edge, and begin where their length says. */
const SAME_EDGE = 1.5;
/** In em. Notes stand on the baseline of their lines, behind a gap. */
const SAME_BASE = 0.2;
const LEAST_GAP = 1.5;
const LEAST_NOTES = 2;
const MAX_WORDS = 3;
/** Share of the page's height, from the edge: running heads have their numbers there. */
const FURNITURE_EDGE = 0.1;
/** Pages with more lines are not searched, as each note is compared with all lines. */
const MAX_LINES = 1000;

/** Marks in brackets, prices, years. */
const NOTE = /^[([].*[)\]]$|^(?:\P{L}*\p{L}){0,5}\P{L}*$/u;

interface Note {
  readonly line: Line;
  readonly host: Line;
}

/** Lines with what belongs to them and stands apart: notes at the right edge, and numbers of items above. */
export function rejoinedLines(lines: readonly Line[], pageHeight: number): readonly Line[] {
  return withNumbersAbove(withEdgeNotes(lines, pageHeight));
}

/** Short notes at the right edge, each far behind a line of text, go on with that line. */
function withEdgeNotes(lines: readonly Line[], pageHeight: number): readonly Line[] {
  if (lines.length > MAX_LINES) return lines;
  const right = Math.max(...lines.map(({ x1 }) => x1));
  const atEdge = lines.filter((line) => right - line.x1 < SAME_EDGE);
  const notes = atEdge.flatMap((line) => noteOf(line, lines, pageHeight));
  if (notes.length < LEAST_NOTES) return lines;
  const left = unionOf(notes.map(({ line }) => line)).x0;
  const own = new Set(notes.map(({ line }) => line));
  const areAlone = lines.every((line) => own.has(line) || line.x0 < left - SAME_EDGE);
  if (!areAlone) return lines;
  const joined = new Map(notes.map(({ line, host }) => [host, lineOf([...host.words, ...line.words])]));
  return lines.flatMap((line) => (own.has(line) ? [] : [joined.get(line) ?? line]));
}

function noteOf(line: Line, lines: readonly Line[], pageHeight: number): Note[] {
  const isInside = line.base > FURNITURE_EDGE * pageHeight && line.base < (1 - FURNITURE_EDGE) * pageHeight;
  if (!isInside || line.words.length > MAX_WORDS || !/\d/.test(line.text) || !NOTE.test(line.text)) return [];
  const beside = lines.filter(
    (other) => other !== line && Math.abs(other.base - line.base) < SAME_BASE * line.size,
  );
  const [host] = beside;
  const isHost =
    host && beside.length === 1 && line.x0 - host.x1 > LEAST_GAP * line.size && /\p{L}/u.test(host.text);
  return isHost ? [{ line, host }] : [];
}

/** The number of an item that is too wide for its place, and so stands on a line of its own. */
const NUMBER = /^\(?\d{1,3}[.)]$/;
/** In em, from one baseline to the next, and from the number to the text to its right. */
const MAX_PITCH = 1.8;
const MAX_INDENT = 3;

/** Numbers of items on lines of their own go on with the text below, which begins behind them. */
function withNumbersAbove(lines: readonly Line[]): readonly Line[] {
  const numbers = lines.filter(({ words: [word, next] }) => word && !next && NUMBER.test(word.text));
  if (numbers.length === 0 || numbers.length > MAX_LINES || lines.length > MAX_LINES) return lines;
  const joined = new Map<Line, Line>();
  for (const number of numbers) {
    const { base, size, x1 } = number;
    const isAlone = lines.every((line) => line === number || Math.abs(line.base - base) > SAME_BASE * size);
    const text = lines.find(
      (line) =>
        line.base > base &&
        line.base - base < MAX_PITCH * size &&
        line.x0 > x1 - SAME_EDGE &&
        line.x0 - x1 < MAX_INDENT * size,
    );
    if (isAlone && text) joined.set(text, number);
  }
  const taken = new Set(joined.values());
  return lines.flatMap((line) => {
    if (taken.has(line)) return [];
    const number = joined.get(line);
    return [number ? lineOf([...number.words, ...line.words]) : line];
  });
}
