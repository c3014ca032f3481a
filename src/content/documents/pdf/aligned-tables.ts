import { type Band, bandsOf } from "./bands.ts";
import { alignedRows, joinContinued, piecesOf, tableOfRows } from "./aligned-rows.ts";
import { startsAsCaption } from "./captions.ts";
import { columnEdges } from "./column-edges.ts";
import { middleX, overlapX, unionOf } from "./geometry.ts";
import type { Line } from "./line.ts";
import { textOf } from "./line-text.ts";
import type { FoundTable } from "./ruled-tables.ts";
import type { HorizontalRule } from "./rulings.ts";
import { tableEvidence } from "./table-evidence.ts";
import type { Table } from "./table.ts";
import { wrappedRows } from "./wrapped-rows.ts";

/** A row further below than this, in sizes, belongs to something else. */
const FARTHEST_ROW = 3.2;
/** Rows of one piece that a table may have between those of several. */
const MOST_SINGLE_ROWS = 2;
const MOST_COLUMNS = 30;
/** Baselines of one cell are at most this far apart, in sizes. */
const SAME_CELL = 1.5;

/** A table without rules around its cells, and the lines it has taken. */
export interface AlignedTable extends FoundTable {
  readonly lines: readonly Line[];
}

/** Neighbouring rows whose pieces stand in the same columns. */
export function alignedTables(lines: readonly Line[], rules: readonly HorizontalRule[]): AlignedTable[] {
  const bands = bandsOf(lines);
  const found: AlignedTable[] = [];
  for (let at = 0; at < bands.length; at++) {
    const next = tableFrom(bands, at, rules);
    if (!next) continue;
    found.push(next.table);
    at = next.end - 1;
  }
  return found;
}

interface TableInBands {
  readonly table: AlignedTable;
  /** The first band after it. */
  readonly end: number;
}

function tableFrom(
  bands: readonly Band[],
  start: number,
  rules: readonly HorizontalRule[],
): TableInBands | undefined {
  const first = bands[start];
  if (!first || first.lines.length < 2 || isCaption(first)) return undefined;
  const ends = { wrapped: endOfWrapped(bands, start), plain: endOfRun(bands, start) };
  const wrapped = wrappedTable(bands.slice(start, ends.wrapped), rules);
  if (wrapped) return { table: wrapped, end: ends.wrapped };
  const plain = ends.plain > start + 1 ? plainTable(bands.slice(start, ends.plain), rules) : undefined;
  return plain && { table: plain, end: ends.plain };
}

/** Where the rows that may be one table end, exclusive. */
function endOfRun(bands: readonly Band[], start: number): number {
  let end = start + 1;
  let singles = 0;
  for (let at = start + 1; at < bands.length && singles <= MOST_SINGLE_ROWS; at++) {
    const [before, band] = [bands[at - 1], bands[at]];
    if (!before || !band || isFar(before, band) || isCaption(band)) break;
    singles = band.lines.length < 2 ? singles + 1 : 0;
    if (singles === 0) end = at + 1;
  }
  return end;
}

/** The same for tables with cells of several lines: such a line may stand alone, in its column. */
function endOfWrapped(bands: readonly Band[], start: number): number {
  let open = bands[start];
  let end = start + 1;
  for (let at = start + 1; open && at < bands.length; at++) {
    const [before, band] = [bands[at - 1], bands[at]];
    if (!before || !band || isFar(before, band) || isCaption(band)) break;
    if (band.lines.length > 1) {
      open = band;
      end = at + 1;
    } else if (!goesOnInColumn(band, open)) break;
    // Below the last row with several cells, only lines right below each other belong to the table.
    else if (end === at && band.top - before.base <= SAME_CELL * band.size) end = at + 1;
  }
  return end;
}

function isCaption({ lines }: Band): boolean {
  return lines.some(({ words }) => startsAsCaption(textOf(words.slice(0, 4))));
}

function isFar(before: Band, band: Band): boolean {
  return band.top - before.base > FARTHEST_ROW * Math.max(before.size, band.size);
}

/** Whether a line stands in a column of a row above, and reaches into none beside it. */
function goesOnInColumn({ lines: [line] }: Band, { lines }: Band): boolean {
  if (!line) return false;
  const at = lines.findIndex((one) => overlapX(one, line) > 0);
  const [column, next] = [lines[at], lines[at + 1]];
  if (!column || (next && next.x0 < line.x1 + 0.3 * line.size)) return false;
  const isAligned =
    Math.abs(column.x0 - line.x0) < line.size || Math.abs(middleX(column) - middleX(line)) < line.size;
  return isAligned && Math.abs(column.size - line.size) < 0.1 * line.size;
}

function wrappedTable(bands: readonly Band[], rules: readonly HorizontalRule[]): AlignedTable | undefined {
  const edges = edgesOf(bands);
  if (!edges) return undefined;
  const lines = bands.flatMap((band) => band.lines);
  const rows = wrappedRows(piecesOf(lines, edges), edges.length + 1);
  const box = unionOf(lines);
  if (!rows || tableEvidence(rows, { box, rules, isWrapped: true }) < 0) return undefined;
  return tableWith(lines, tableOfRows(rows, edges.length + 1));
}

function plainTable(bands: readonly Band[], rules: readonly HorizontalRule[]): AlignedTable | undefined {
  const edges = edgesOf(bands);
  if (!edges) return undefined;
  const lines = bands.flatMap((band) => band.lines);
  const rows = alignedRows(bands, edges);
  const box = unionOf(lines);
  if (tableEvidence(rows, { box, rules, isWrapped: false }) < 0) return undefined;
  return tableWith(lines, tableOfRows(joinContinued(rows), edges.length + 1));
}

function edgesOf(bands: readonly Band[]): readonly number[] | undefined {
  if (bands.filter((band) => band.lines.length > 1).length < 2) return undefined;
  const edges = columnEdges(bands);
  return edges.length > 0 && edges.length < MOST_COLUMNS ? edges : undefined;
}

function tableWith(lines: readonly Line[], table: Table): AlignedTable {
  return { ...unionOf(lines), table, lines, words: lines.flatMap(({ words }) => words), isRuled: false };
}
