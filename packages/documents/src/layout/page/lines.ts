import { columnGapsOf, type Gutter } from "./gutters.ts";
import { isFigure, type Row, rowsOf } from "./rows.ts";
import { justifiedText } from "./justified.ts";
import { type Line, lineOf } from "./line.ts";
import { textOf } from "./line-text.ts";
import type { TextColumns } from "./text-columns.ts";
import type { PageWord } from "./words.ts";
import { unionOf, widthOf } from "../numbers/geometry.ts";
import { Shelves } from "../numbers/shelves.ts";

/** In em. Wider gaps split a row anywhere; gaps down to the smaller one split only at a column gap. */
const WIDE_GAP = 1.9;
const LEAST_GAP = 0.4;
/** In em. A bullet or number stays with its text up to this gap. */
const MARKER_GAP = 4.5;

const MARKER = /^(?:[^\p{L}\p{N}([]|\(?(?:\d{1,2}|[a-z])[.)])$/u;
const SECTION = /^[1-9]\d?(?:\.[1-9]\d?){0,3}\.?$/;
const LEADER = /^\.{3,}$/;
const LEADS_TO_PAGE = /[.…·_] ?(?:\d{1,4}|[ivxlc]+)$/;

/**
 * The lines of a page, from top to bottom. Neighbouring columns get separate lines.
 * @param columns - of running text, within which only wide gaps part words
 */
export function linesOf(words: readonly PageWord[], columns?: TextColumns): Line[] {
  const rows = rowsOf(words);
  // Without a blank that may be a gap, rows are lines.
  if (!rows.some(hasGap)) return joinScripts(rows.map((row) => lineOf(row.words)));
  const columnGaps = columnGapsOf(rows, words);
  const prose = words.filter(({ look }) => !look.isMonospaced);
  const hasTyped = prose.length < words.length;
  const gaps = {
    columnGaps,
    pageGaps: hasTyped
      ? [...pageGapsOf(prose), ...middleGaps(words, columnGaps)]
      : uncrossed(columnGaps, words),
  };
  const justified = justifiedText(rows, columns?.gaps ?? gaps.pageGaps);
  return joinScripts(rows.flatMap((row) => cutRow(row, { ...gaps, columns }, justified)));
}

/** Share of the words of running text that may cross a gap between the columns of a page. */
const MAX_CROSSING = 0.015;

/** How far from the middle of the text the gap between two columns is, as a share of its width. */
const MIDDLE = 0.08;

/** Places of gaps between columns of running text, which hardly any of its words cross. */
function pageGapsOf(prose: readonly PageWord[]): number[] {
  return uncrossed(columnGapsOf(rowsOf(prose), prose), prose);
}

/** Of pages that are mostly in fixed-width letters: gaps between two columns of the same width. */
function middleGaps(words: readonly PageWord[], gaps: readonly Gutter[]): number[] {
  const { x0, x1 } = unionOf(words);
  const isMiddle = ({ x }: Gutter) => Math.abs((x0 + x1) / 2 - x) < MIDDLE * (x1 - x0);
  return uncrossed(gaps.filter(isMiddle), words);
}

function uncrossed(gaps: readonly Gutter[], words: readonly PageWord[]): number[] {
  return [...new Set(gaps.map(({ x }) => Math.round(x)))].filter((x) => {
    const crossing = words.filter(({ x0, x1 }) => x0 < x - 1 && x1 > x + 1).length;
    return crossing <= MAX_CROSSING * words.length;
  });
}

interface PageGaps {
  readonly columnGaps: readonly Gutter[];
  /** Where words in fixed-width letters, and those of a justified line, are parted, too. */
  readonly pageGaps: readonly number[];
  readonly columns: TextColumns | undefined;
}

function cutRow(
  row: Row,
  { columnGaps, pageGaps, columns }: PageGaps,
  justified: ReturnType<typeof justifiedText>,
): Line[] {
  if (!hasGap(row)) return [lineOf(row.words)];
  const isInColumns = columns !== undefined && columns.y0 <= row.base && row.base <= columns.y1;
  const here = isInColumns
    ? columns.gaps.map((x) => ({ ...columns, x }))
    : columnGaps.filter(({ y0, y1 }) => y0 <= row.base && row.base <= y1);
  const isFigures = isRowOfFigures(row.words);
  const isEntry = () => LEADS_TO_PAGE.test(textOf(row.words.slice(-2)));
  const spread = isFigures ? undefined : spreadWords(row, pageGaps);
  const rowGaps = { here, pageGaps, textGaps: justified.gaps, isFigures, isEntry };
  const lines: Line[] = [];
  let words: PageWord[] = [];
  for (const word of row.words) {
    if (words.length > 0 && !justified.words.has(word) && !spread?.has(word) && isCut(words, word, rowGaps)) {
      lines.push(lineOf(words));
      words = [];
    }
    words.push(word);
  }
  if (words.length > 0) lines.push(lineOf(words));
  return lines;
}

/** True if a blank of the row is wide enough to part it. */
function hasGap({ words }: Row): boolean {
  return words.some((word, at) => {
    const before = words[at - 1];
    return before !== undefined && word.x0 - before.x1 > LEAST_GAP * Math.max(word.size, before.size);
  });
}

/** In em. Blanks of a justified line are as wide as this, and as equal. */
const MAX_BLANK = 4;
const SAME_BLANK = 0.06;
const LEAST_BLANKS = 2;

/** Words behind the blanks of justified lines: however wide, all of a line are equal. */
function spreadWords({ words, size }: Row, pageGaps: readonly number[]): ReadonlySet<PageWord> {
  const spread = new Set<PageWord>();
  let open: PageWord[] = [];
  const close = (): void => {
    const blanks = open.slice(1).map((word, at) => word.x0 - (open[at]?.x1 ?? 0));
    const isEven = Math.max(...blanks) - Math.min(...blanks) < SAME_BLANK * size;
    if (blanks.length >= LEAST_BLANKS && isEven && !open.some(({ text }) => isFigure(text)))
      for (const word of open.slice(1)) spread.add(word);
  };
  for (const word of words) {
    const before = open.at(-1);
    const isParted =
      before &&
      (word.x0 - before.x1 > MAX_BLANK * size || pageGaps.some((x) => x > before.x1 && x < word.x0));
    if (isParted) {
      close();
      open = [];
    }
    open.push(word);
  }
  close();
  return spread;
}

/** In table rows that are mostly numbers, each number is a piece of its own. */
function isRowOfFigures(words: readonly PageWord[]): boolean {
  const figures = words.filter(({ text }) => isFigure(text)).length;
  return figures >= 4 && figures > words.length * 0.5;
}

/** True for bullets and item numbers, and for bold section numbers before bold text. */
function isMarker(marker: PageWord, word: PageWord): boolean {
  const isBold = marker.isBold && word.isBold && marker.size === word.size;
  return MARKER.test(marker.text) || (isBold && SECTION.test(marker.text) && /^\p{Lu}/u.test(word.text));
}

interface RowGaps {
  readonly here: readonly Gutter[];
  readonly pageGaps: readonly number[];
  readonly textGaps: readonly number[];
  readonly isFigures: boolean;
  /** True for an entry of contents. */
  readonly isEntry: () => boolean;
}

function isCut(
  words: readonly PageWord[],
  word: PageWord,
  { here, pageGaps, textGaps, isFigures, isEntry }: RowGaps,
): boolean {
  const before = words.at(-1);
  if (!before) return false;
  const gap = word.x0 - before.x1;
  const size = Math.max(word.size, before.size);
  if (gap > LEAST_GAP * size && textGaps.some((x) => x > before.x1 && x < word.x0)) return true;
  if (!isFigures && isTyped(before, word) && gap < TYPED_GAP * size) {
    return gap > LEAST_GAP * size && pageGaps.some((x) => x > before.x1 && x < word.x0);
  }
  if (!isFigures && isLeader(words)) return false;
  const isAtMarker = () => isMarker(before, word) || (SECTION.test(before.text) && isEntry());
  if (words.length === 1 && gap < MARKER_GAP * size && isAtMarker()) return false;
  const isAtColumn = here.some(({ x }) => x > before.x1 - 0.5 && x < word.x0 + 0.5);
  if (gap > WIDE_GAP * size) return true;
  if (gap <= LEAST_GAP * size) return false;
  if (isFigures && isFigure(word.text) && (isFigure(before.text) || LEADER.test(before.text))) return true;
  return isAtColumn;
}

/** In em. Blanks part the words of a line in fixed-width letters, up to this gap. */
const TYPED_GAP = 20;

function isTyped(before: PageWord, word: PageWord): boolean {
  return before.look.isMonospaced && word.look.isMonospaced && before.size === word.size;
}

/** Dots lead from an entry to its page. */
function isLeader(words: readonly PageWord[]): boolean {
  const [before, last] = words.slice(-2).map(({ text }) => text);
  return (
    words.length > 1 &&
    (/[^.…·_][.…·_]{4,}$/.test(last ?? "") ||
      (DOTS.test(last ?? "") && DOTS.test(before ?? "")) ||
      /^[.…·_]{4,}$/.test(last ?? ""))
  );
}

const DOTS = /^[.…·_]+$/;

/** Pages with more lines skip the joining. */
const MAX_LINES = 3000;
/** In em of the line. Subscript baselines lie at most this far below it. */
const REACH_BELOW = 0.35;

/** Joins footnote marks and exponents to the line next to or around them. */
function joinScripts(lines: readonly Line[]): Line[] {
  const sorted = [...lines].sort(byPlace);
  if (sorted.length > MAX_LINES) return sorted;
  const byHeight = new Shelves(sorted, ({ y0, y1, size }) => [y0, y1 + REACH_BELOW * size]);
  const hosts = new Map<Line, Line[]>();
  const joined = new Set<Line>();
  for (const small of [...sorted].sort((a, b) => b.size - a.size)) {
    const host = isSmall(small) ? hostOf(small, byHeight.at(small.base), joined) : undefined;
    if (!host) continue;
    joined.add(small);
    hosts.set(host, [...(hosts.get(host) ?? []), small]);
  }
  return sorted.filter((line) => !joined.has(line)).map((line) => withScripts(line, hosts.get(line)));
}

function byPlace(a: Line, b: Line): number {
  return a.base - b.base || a.x0 - b.x0;
}

function isSmall(line: Line): boolean {
  return line.words.length <= 2 && widthOf(line) <= 6 * line.size;
}

/** The nearest line with larger characters that vertically contains the small line's baseline. */
function hostOf(small: Line, lines: readonly Line[], joined: ReadonlySet<Line>): Line | undefined {
  let host: Line | undefined;
  let nearest = Infinity;
  for (const line of lines) {
    if (
      line.size <= small.size * 1.15 ||
      small.base < line.y0 ||
      small.base > line.y1 + REACH_BELOW * line.size
    )
      continue;
    const gap = Math.max(small.x0 - line.x1, line.x0 - small.x1, 0);
    if (gap >= 0.35 * line.size || gap >= nearest || line === small || joined.has(line)) continue;
    host = line;
    nearest = gap;
  }
  return host;
}

function withScripts(line: Line, scripts: readonly Line[] | undefined): Line {
  if (!scripts) return line;
  const small = scripts.flatMap(({ words }) => words.map((word) => ({ ...word, isScript: true })));
  return lineOf([...line.words, ...small].sort((a, b) => a.x0 - b.x0));
}
