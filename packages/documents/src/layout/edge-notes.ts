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

/** Short notes at the right edge, each far behind a line of text, go on with that line. */
export function withEdgeNotes(lines: readonly Line[], pageHeight: number): readonly Line[] {
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
