import type { GridRow, SpanningCell } from "@pergamon-dev/html/selection/table-grid";
import { labelWords } from "./words.ts";

/** A cell as the table has it. */
export interface TableCell extends SpanningCell {
  readonly node: number;
  readonly isHead: boolean;
  readonly text: string;
}

export interface TableRow {
  readonly places: GridRow<TableCell>;
  /** Within `thead`, or of heading cells alone. */
  readonly isHead: boolean;
}

/** More rows of headings than this are not headings. */
const MAX_HEAD_ROWS = 4;

/** How many of the first rows name the table and its columns. At least one, as far as there are any. */
export function headRowsOf(rows: readonly TableRow[]): number {
  // A title below the names of columns heads a group of rows.
  const isGroup = (at: number) => at > 0 && isTitle(placesAt(rows, at)) && !isTitle(placesAt(rows, at - 1));
  const marked = rows.findIndex(({ isHead }, at) => !isHead || isGroup(at));
  let count = Math.max(1, marked < 0 ? 1 : marked);
  for (let at = 0; at < Math.min(count, MAX_HEAD_ROWS); at++) {
    const row = rows[at];
    if (row) count = Math.max(count, at + reachOf(row, rows[at + 1]));
  }
  return Math.min(rows.length, MAX_HEAD_ROWS, count);
}

function placesAt(rows: readonly TableRow[], at: number): GridRow<TableCell> {
  return rows[at]?.places ?? [];
}

/** The rows that the headings of a row reach over: a title needs headings below it, as do headings over several columns. */
function reachOf(row: TableRow, next: TableRow | undefined): number {
  if (isTitle(row.places)) return 2;
  const cells = row.places.flatMap((place) => place?.cell ?? []);
  const heights = cells.map(({ rows }) => rows);
  if (!cells.some(({ columns }) => columns > 1)) return Math.max(1, Math.min(...heights));
  const below = next?.places.filter((place) => place && place.at !== "below") ?? [];
  const isNamed = below.length > 0 && below.every((place) => !/\d{2}/.test(place?.cell.text ?? ""));
  return Math.max(...heights, isNamed || next?.isHead ? 2 : 1);
}

/** One cell over the whole table names it, not its columns. */
function isTitle(places: GridRow<TableCell>): boolean {
  return places.length > 1 && new Set(places.map((place) => place?.cell)).size === 1;
}

/** A row of headings that comes again further down, or heads a group of rows. */
export function isRepeatedHead({ places, isHead }: TableRow, head: readonly TableRow[]): boolean {
  const cells = new Set(places.flatMap((place) => place?.cell ?? []));
  if (isHead || cells.size < 2) return true;
  const texts = (row: TableRow) => row.places.map((place) => place?.cell.text).join("\n");
  return head.some((row) => texts(row) === texts({ places, isHead }));
}

/** For each column: the words of all headings above it, then those of the lowest alone where they differ. */
export function labelsOf(
  head: readonly TableRow[],
  width: number,
): readonly (readonly (readonly string[])[])[] {
  return Array.from({ length: width }, (_, column) => {
    const cells = new Set(head.flatMap(({ places }) => namesOf(places, column)));
    const texts = [...cells].map(({ text }) => text).filter((text) => text !== "");
    const lowest = texts.at(-1);
    if (lowest === undefined) return [];
    const all = labelWords(texts.join(" ").slice(0, 80));
    return texts.length > 1 ? [all, labelWords(lowest.slice(0, 80))] : [all];
  });
}

function namesOf(places: GridRow<TableCell>, column: number): readonly TableCell[] {
  const cell = places[column]?.cell;
  return cell && !isTitle(places) ? [cell] : [];
}
