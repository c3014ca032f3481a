import { median } from "../numbers/statistics.ts";
import { type Line, lineOf } from "../page/line.ts";
import { rowsOf } from "../page/rows.ts";
import type { FoundTable } from "./ruled-tables.ts";

/** A table of contents has at least this many entries. */
const LEAST_ENTRIES = 5;
/** Minimum share of entries that begin with a section number. */
const NUMBERED_SHARE = 0.5;
/** Minimum share of rows that end with a page number. Rows of multi-line titles do not. */
const LEAST_ENDED = 0.5;

/** In em. Page numbers are right-aligned within this tolerance. */
const SAME_COLUMN = 2.5;

const PAGE = /^\d{1,4}$/;
const SECTION = /^(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]+\.)$/;

/** The lines of one entry, or the lines between entries. */
export interface ContentsPart {
  readonly lines: readonly Line[];
  readonly isEntry: boolean;
}

/**
 * Entries of a table of contents: titles with rising page numbers in the last column. Undefined for other
 * tables.
 */
export function contentsOf({ words }: FoundTable): readonly ContentsPart[] | undefined {
  const rows = rowsOf(words).map((row) => lineOf(row.words));
  const right = median(rows.flatMap((line) => (pageOf(line) === undefined ? [] : [line.x1])));
  const isEntry = (line: Line) =>
    pageOf(line) !== undefined && Math.abs(line.x1 - right) < SAME_COLUMN * line.size;
  const ended = rows.filter(isEntry);
  const isRising = ended.every(
    (line, at) => at === 0 || Number(pageOf(line)) >= Number(pageOf(ended[at - 1])),
  );
  const numbered = ended.filter((line) => SECTION.test(line.words[0]?.text ?? ""));
  const isContents =
    isRising &&
    ended.length >= Math.max(LEAST_ENTRIES, LEAST_ENDED * rows.length) &&
    numbered.length >= NUMBERED_SHARE * ended.length;
  return isContents ? partsOf(rows, isEntry) : undefined;
}

/** The number at the end of the line, if other text precedes it. */
function pageOf(line: Line | undefined): string | undefined {
  const last = line && line.words.length > 1 ? line.words.at(-1)?.text : undefined;
  return last !== undefined && PAGE.test(last) ? last : undefined;
}

/** A line without a page number joins the next one if both look alike. */
function partsOf(rows: readonly Line[], isEntry: (line: Line) => boolean): readonly ContentsPart[] {
  const parts: { lines: Line[]; isEntry: boolean }[] = [];
  for (const line of rows) {
    const before = parts.at(-1);
    const last = before?.isEntry === false ? before.lines.at(-1) : undefined;
    if (before && last && isAlike(last, line)) {
      before.lines.push(line);
      before.isEntry = isEntry(line);
    } else parts.push({ lines: [line], isEntry: isEntry(line) });
  }
  return parts;
}

function isAlike(before: Line, line: Line): boolean {
  const isNext = line.base - before.base < 2 * line.size;
  return isNext && before.isBold === line.isBold && Math.abs(before.size - line.size) < 0.05 * line.size;
}
