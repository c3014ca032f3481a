import { startsAsCaption } from "./text/captions.ts";
import { isUnspaced, joinLines } from "./text/characters.ts";
import { type Rect, unionOf, widthOf } from "./numbers/geometry.ts";
import { type Marker, markerOf } from "./text/markers.ts";
import type { DraftText } from "./page-draft.ts";
import { median } from "./numbers/statistics.ts";
import type { TextLine } from "./text-line.ts";

/** One paragraph, heading, list item or code piece. */
export interface Paragraph extends Rect {
  readonly kind: "text";
  readonly lines: readonly TextLine[];
  readonly text: string;
  readonly marker: Marker | undefined;
  readonly isUnderRule: boolean;
  /** A title with its page number in a table of contents. */
  readonly isContentsEntry: boolean;
}

/** The column around the lines of an area. */
interface Column {
  readonly left: number;
  readonly right: number;
  /** Typical baseline distance, in points. */
  readonly pitch: number;
  /** True if most lines end at the column's right edge. */
  readonly isJustified: boolean;
  /** True if most lines have room for the next word, as in lists and indexes. */
  readonly isOfLines: boolean;
}

/**
 * A column is justified if at least this share of its lines, and this many, end within this distance (em) of
 * its edge.
 */
const LEAST_JUSTIFIED = 0.6;
const LEAST_JUSTIFIED_LINES = 4;
const SAME_END = 0.25;

/** Share of ends of lines that have room for the next word, in columns of lines. Fewer lines may be a verse or an address. */
const CHOSEN_SHARE = 0.6;
const LEAST_LINES = 6;
/** Share of lines that begin small: those of running text. */
const GOING_ON_SHARE = 0.2;
/**
 * Of columns of lines in the order of the alphabet or with numbers at their ends, as in an index, fewer ends are chosen; of those
 * with both, none need be.
 */
const INDEX_SHARE = 0.8;
const CHOSEN_IN_INDEX = [CHOSEN_SHARE, 0.2, -1] as const;

export function paragraphsOf(area: DraftText, lines: readonly TextLine[]): Paragraph[] {
  if (area.isContentsEntry) return [{ ...paragraphOf(lines, false), isContentsEntry: true }];
  const column = columnOf(lines);
  const paragraphs: TextLine[][] = [];
  let isItem = false;
  lines.forEach((line, at) => {
    const open = paragraphs.at(-1);
    if (open && !startsParagraph(line, { open, isItem, next: lines[at + 1], column })) open.push(line);
    else {
      paragraphs.push([line]);
      isItem = markerOf(line) !== undefined;
    }
  });
  return paragraphs.map((own, at) => paragraphOf(own, area.isUnderRule && at === 0));
}

export function paragraphOf(lines: readonly TextLine[], isUnderRule: boolean): Paragraph {
  const marker = markerOf(lines[0]);
  return {
    ...unionOf(lines),
    kind: "text",
    lines,
    text: joinLines(lines.map(({ text }) => text)),
    marker,
    isUnderRule,
    isContentsEntry: endsEntry(lines.at(-1)?.text ?? ""),
  };
}

/** An entry of a table of contents: dots lead to its page. */
const ENTRY = /(?:\.\s?|·\s?|…\s?|_){4,}\s*(?:[A-Z]-?)?(?:\d{1,4}|[ivxlc]{1,7})$/i;
/** In characters. The end of a line says whether it is an entry, however long its dots are. */
const ENTRY_LENGTH = 60;

function endsEntry(text: string): boolean {
  return /[.·…_] ?[.·…_]/.test(text) && ENTRY.test(text.slice(-ENTRY_LENGTH));
}

function columnOf(lines: readonly TextLine[]): Column {
  const { x0, x1 } = unionOf(lines);
  const pitches = lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
  const full = lines.filter((line) => x1 - line.x1 < SAME_END * line.size);
  const isJustified = full.length >= LEAST_JUSTIFIED_LINES && full.length > LEAST_JUSTIFIED * lines.length;
  return { left: x0, right: x1, pitch: median(pitches), isJustified, isOfLines: areOfLines(lines, x1) };
}

function areOfLines(lines: readonly TextLine[], right: number): boolean {
  if (lines.length < LEAST_LINES) return false;
  const goingOn = lines.filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  if (goingOn >= GOING_ON_SHARE * lines.length) return false;
  const chosen = lines.slice(1).filter((line, at) => hasRoom(lines[at] ?? line, line, right)).length;
  return chosen > (CHOSEN_IN_INDEX[signsOfIndex(lines)] ?? 0) * (lines.length - 1);
}

/** How many there are of two. */
function signsOfIndex(lines: readonly TextLine[]): number {
  const entries = lines.filter(({ text }) => /^\p{L}/u.test(text));
  const rising = entries.filter(({ text }, at) => text.localeCompare(entries[at - 1]?.text ?? "") >= 0);
  const numbered = lines.filter(({ text }) => /\d,?$/.test(text));
  const isRising = rising.length > INDEX_SHARE * entries.length;
  return Number(isRising && entries.length > 1) + Number(numbered.length > INDEX_SHARE * lines.length);
}

interface Context {
  readonly open: readonly TextLine[];
  /** True if the open paragraph is an item of a list. */
  readonly isItem: boolean;
  readonly next: TextLine | undefined;
  readonly column: Column;
}

function startsParagraph(line: TextLine, context: Context): boolean {
  const before = context.open.at(-1);
  if (!before || endsEntry(before.text)) return true;
  // Code has free indentation.
  if (line.isMonospaced && before.isMonospaced) return looksDifferent(line, before);
  return (
    line.base - before.base > 1.28 * context.column.pitch + 0.5 ||
    looksDifferent(line, before) ||
    isApart(line, before, context.column) ||
    startsNote(line, context) ||
    startsRunIn(line, before) ||
    startsItem(line, before, context) ||
    endsItem(line, context) ||
    (endsShort(before, context.column) && hasRoom(before, line, context.column.right)) ||
    endsEarly(before, line, context.column) ||
    endsTitle(before, line, context) ||
    isIndented(line, before, context)
  );
}

/** A small difference in size counts between italic and upright lines, as below italic heads. */
function looksDifferent(line: TextLine, before: TextLine): boolean {
  const isOtherLook = line.isBold !== before.isBold || line.isMonospaced !== before.isMonospaced;
  const sameSize = line.isItalic === before.isItalic ? 0.09 : 0.04;
  return isOtherLook || Math.abs(line.size - before.size) > sameSize * before.size;
}

/** True behind an italic line of its own, and for lines of a list: only what is indented, or begins small, goes on. */
function isApart(line: TextLine, before: TextLine, { left, right, isOfLines }: Column): boolean {
  if (isOfLines && hasRoom(before, line, right)) return true;
  if (isOfLines)
    return line.x0 - left < 0.8 * line.size && !/^[\p{Ll}\d(]/u.test(line.text) && !before.text.endsWith(",");
  const isTitle = before.isItalic && !line.isItalic && /^\p{Lu}/u.test(line.text);
  return isTitle && hasRoom(before, line, right - before.size);
}

/** True if the first word of the next line would have fitted behind this one. */
function hasRoom(before: TextLine, { text, ...rect }: TextLine, right: number): boolean {
  const word = text.split(" ", 1)[0] ?? "";
  return before.x1 + (widthOf(rect) / Math.max(1, text.length)) * word.length + 0.3 * before.size < right;
}

function startsItem(line: TextLine, before: TextLine, { isItem, column }: Context): boolean {
  const marker = markerOf(line);
  if (!marker?.isOrdered) return marker !== undefined;
  return isItem || endsShort(before, column) || before.x1 < column.right - 2 * line.size;
}

/** A bold or italic start such as "Results." after the end of a sentence begins a new paragraph. */
function startsRunIn({ runs, isBold }: TextLine, before: TextLine): boolean {
  const [first, second] = runs;
  const last = before.runs.at(-1);
  if (!first || !last || !/^\W?\p{Lu}.*\p{L}.*[.:]$/u.test(first.text.trim())) return false;
  if (!/[.!?:;。！？]["”'’)\]]*$/.test(before.text)) return false;
  if (first.isBold) return !isBold && !last.isBold;
  // Italic journal names also end in a full stop, but a number or a lower-case letter follows them.
  return first.isItalic && !last.isItalic && /^\s*[–—]?\s*["“(]?\p{Lu}/u.test(second?.text ?? "");
}

/** Each footnote begins with a raised number. */
function startsNote(line: TextLine, { open }: Context): boolean {
  return isNote(line) && open[0] !== undefined && isNote(open[0]);
}

function isNote({ runs: [first] }: TextLine): boolean {
  return first?.script === "raised" && /^\s*(?:\d{1,3}|[*†‡§¶]{1,3})\s*$/u.test(first.text);
}

/** A line to the left of the item's marker is not part of the item. */
function endsItem(line: TextLine, { open, isItem }: Context): boolean {
  const first = open[0];
  return first !== undefined && isItem && line.x0 < first.x0 - 0.5 * line.size;
}

/**
 * True if a sentence ends well before the column's edge. The full stop after a caption number does not count.
 */
function endsShort(line: TextLine, { left, right }: Column): boolean {
  if (line.text.length < 15 && startsAsCaption(line.text)) return false;
  return right - line.x1 > 0.22 * (right - left) && /[.!?:;。！？]["”'’)\]]*$/.test(line.text);
}

/** In justified text, a line with room for the next word is the last of its paragraph. */
function endsEarly(before: TextLine, line: TextLine, { left, right, isJustified }: Column): boolean {
  if (!isJustified || before.x0 - left > before.size || !/[.!?:;\d"”’)\]]$/u.test(before.text)) return false;
  return hasRoom(before, line, right - 0.7 * before.size);
}

/** Share of the column that is free behind a numbered title. */
const FREE_SHARE = 0.25;

/** A numbered line with much room is a title if the text below begins at its number: in justified text, and where lines break at any letter. */
function endsTitle(before: TextLine, line: TextLine, { open, isItem, column }: Context): boolean {
  const { left, right, isJustified } = column;
  if (
    !isItem ||
    open.length > 1 ||
    !/^(?!\p{Ll})\p{L}/u.test(line.text) ||
    /[,;:，、；：-]$/.test(before.text)
  )
    return false;
  const isFree = right - before.x1 > FREE_SHARE * (right - left);
  const isEnd =
    isUnspaced(line.text.slice(0, 1)) || (isJustified && hasRoom(before, line, right - before.size));
  return isFree && isEnd && Math.abs(line.x0 - before.x0) < 0.3 * line.size;
}

function isIndented(line: TextLine, before: TextLine, { isItem, next, column }: Context): boolean {
  if (isItem) return false;
  const isIn = line.x0 - Math.min(column.left, before.x0) > 0.8 * line.size;
  const comesBack = next === undefined || next.x0 < line.x0 - 0.6 * line.size;
  return isIn && comesBack && Math.abs(before.x0 - column.left) < 0.5 * line.size;
}
