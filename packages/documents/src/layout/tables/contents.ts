import { median } from "../numbers/statistics.ts";
import { type Line, lineOf } from "../page/line.ts";
import { rowsOf } from "../page/rows.ts";
import type { FoundTable } from "./ruled-tables.ts";

/** Fewer entries are not a table of contents. */
const LEAST_ENTRIES = 5;
/** Of the entries, those that begin with the number of a section. */
const NUMBERED_SHARE = 0.5;
/** Of the rows, those that end with the number of a page; titles of several lines have others. */
const LEAST_ENDED = 0.5;

/** Numbers of pages end nearly below each other, in sizes. */
const SAME_COLUMN = 2.5;

const PAGE = /^\d{1,4}$/;
const SECTION = /^(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]+\.)$/;

/** The lines of one entry, or of what is between entries. */
export interface ContentsPart {
  readonly lines: readonly Line[];
  readonly isEntry: boolean;
}

/**
 * The entries of a table of contents: titles with the numbers of their pages in the last column, which rise. Undefined
 * for all other tables.
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

/** The number that a line ends with, when there is more than that. */
function pageOf(line: Line | undefined): string | undefined {
  const last = line && line.words.length > 1 ? line.words.at(-1)?.text : undefined;
  return last !== undefined && PAGE.test(last) ? last : undefined;
}

/** A line without a page continues in the next one, when that looks like it. */
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
