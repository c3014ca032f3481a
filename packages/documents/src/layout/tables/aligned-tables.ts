import { type Band, bandsOf, partedAtStarts } from "./bands.ts";
import { type AlignedRow, alignedRows, joinContinued, piecesOf, tableOfRows } from "./aligned-rows.ts";
import { startsAsCaption } from "../text/captions.ts";
import { columnEdges } from "./column-edges.ts";
import { middleX, overlapX, unionOf } from "../numbers/geometry.ts";
import type { Line } from "../page/line.ts";
import { textOf } from "../page/line-text.ts";
import type { FoundTable } from "./ruled-tables.ts";
import type { HorizontalRule } from "./rulings.ts";
import { tableEvidence } from "./table-evidence.ts";
import type { Table } from "./table.ts";
import { wrappedRows } from "./wrapped-rows.ts";

/** In em. A row further below is not part of the table. */
const MAX_ROW_DISTANCE = 3.2;
/** Maximum consecutive one-piece rows inside a table. */
const MAX_SINGLE_ROWS = 2;
const MAX_COLUMNS = 30;
/** Pages with more lines are not searched for tables. */
const MAX_LINES = 3000;
/** Maximum bands of one table. */
const MAX_BANDS = 400;
/** Limits on start rows tried per end, and on lines examined by all failed tries. */
const MAX_TRIES = 60;
const MAX_TRIED_LINES = 12_000;
/** In em. Maximum baseline distance within a cell. */
const SAME_CELL = 1.5;

/** In em. */
const ALIGNED = 0.2;

/** Weight of a head above keys, against columns of text. */
const KEYED_EVIDENCE = 3;

/** A table without rules around its cells. */
export interface AlignedTable extends FoundTable {
  readonly lines: readonly Line[];
}

/**
 * Tables from neighbouring rows whose pieces are in the same columns.
 * @param heads - end tables; keys with their meanings stand below them
 */
export function alignedTables(
  lines: readonly Line[],
  rules: readonly HorizontalRule[],
  heads: readonly Line[] = [],
): AlignedTable[] {
  if (lines.length > MAX_LINES) return [];
  const bands = bandsOf(lines);
  if (bands.every((band) => band.lines.length < 2)) return [];
  const captions = new Set(
    bands.filter(
      (band, at) =>
        isCaption(band) || isTitle(band, bands, at) || band.lines.some((line) => heads.includes(line)),
    ),
  );
  const found: AlignedTable[] = [];
  let [free, triedLines] = [0, 0];
  let [tries, triedEnd] = [0, 0];
  for (let at = 0; at < bands.length && triedLines < MAX_TRIED_LINES; at++) {
    if (!mayBegin(bands[at], captions)) continue;
    const extent = { bands, captions, start: at };
    const run = {
      ...extent,
      free,
      rules,
      isKeyed: heads.length > 0,
      wrappedEnd: endOfWrapped(extent),
      plainEnd: endOfRun(extent),
    };
    const end = Math.max(run.wrappedEnd, run.plainEnd);
    tries = end === triedEnd ? tries + 1 : 0;
    triedEnd = end;
    const next = tries < MAX_TRIES ? tableFrom(run) : undefined;
    if (!next) {
      if (tries < MAX_TRIES) triedLines += countLines(bands, at, end);
      continue;
    }
    found.push(next.table);
    free = next.end;
    at = free - 1;
  }
  return found;
}

function mayBegin(row: Band | undefined, captions: ReadonlySet<Band>): boolean {
  return row !== undefined && row.lines.length > 1 && !captions.has(row);
}

function countLines(bands: readonly Band[], start: number, end: number): number {
  return bands.slice(start, end).reduce((sum, { lines }) => sum + lines.length, 0);
}

interface Extent {
  readonly bands: readonly Band[];
  /** Rows that begin a caption and so end a table. */
  readonly captions: ReadonlySet<Band>;
  readonly start: number;
}

/** Candidate rows from `start` on. Rows before `free` belong to another table. */
interface Run extends Extent {
  readonly free: number;
  readonly rules: readonly HorizontalRule[];
  readonly isKeyed: boolean;
  /** Exclusive end of the table if its cells have several lines, or one. */
  readonly wrappedEnd: number;
  readonly plainEnd: number;
}

interface TableInBands {
  readonly table: AlignedTable;
  /** Exclusive. */
  readonly end: number;
}

function tableFrom(run: Run): TableInBands | undefined {
  const { bands, start, rules, isKeyed, wrappedEnd, plainEnd } = run;
  const wrappedStart = startOfWrapped(run);
  const columns = columnsOf(bands.slice(wrappedStart, wrappedEnd));
  const wrapped = columns && wrappedTable(columns, rules);
  if (wrapped) return { table: wrapped, end: wrappedEnd };
  if (plainEnd === start + 1) return undefined;
  const isSame = wrappedStart === start && wrappedEnd === plainEnd;
  const plainColumns = isSame ? columns : columnsOf(bands.slice(start, plainEnd));
  const plain = plainColumns && plainTable(plainColumns, rules, isKeyed);
  return plain && { table: plain, end: plainEnd };
}

/** Cells of the first row may begin higher in one column than in others. */
function startOfWrapped({ bands, captions, start, free }: Run): number {
  const open = bands[start];
  let first = start;
  if (!open) return start;
  while (first > free) {
    const [before, band] = [bands[first - 1], bands[first]];
    if (!before || !band || before.lines.length > 1 || !goesOnInColumn(before, open) || captions.has(before))
      break;
    if (band.top - before.base > SAME_CELL * band.size) break;
    first--;
  }
  return first;
}

/** Exclusive end of the rows that may form one table. */
function endOfRun({ bands, captions, start }: Extent): number {
  let end = start + 1;
  let singles = 0;
  for (
    let at = start + 1;
    at < Math.min(bands.length, start + MAX_BANDS) && singles <= MAX_SINGLE_ROWS;
    at++
  ) {
    const [before, band] = [bands[at - 1], bands[at]];
    if (!before || !band || isFar(before, band) || captions.has(band) || isOther(bands[start], band)) break;
    singles = band.lines.length < 2 ? singles + 1 : 0;
    if (singles === 0) end = at + 1;
  }
  // The last cell of the last row may go on.
  for (let next = bands[end]; next && isEndOfCell(next, bands[end - 1], captions); next = bands[end]) end++;
  return end;
}

function isEndOfCell(band: Band, before: Band | undefined, captions: ReadonlySet<Band>): boolean {
  const [line] = band.lines;
  const cell = before?.lines.at(-1);
  if (!before || !cell || !line || band.lines.length > 1 || captions.has(band)) return false;
  const isClose = band.top - before.base <= SAME_CELL * band.size;
  return (
    isClose &&
    Math.abs(cell.x0 - line.x0) < ALIGNED * line.size &&
    cell.isBold === line.isBold &&
    (before.lines.length > 1 || cell.x0 > line.x0 - 1)
  );
}

/** As `endOfRun`, for cells of several lines: a line may stand alone in its column. */
function endOfWrapped({ bands, captions, start }: Extent): number {
  let open = bands[start];
  let end = start + 1;
  for (let at = start + 1; open && at < Math.min(bands.length, start + MAX_BANDS); at++) {
    const [before, band] = [bands[at - 1], bands[at]];
    if (!before || !band || isFar(before, band) || captions.has(band) || isOther(bands[start], band)) break;
    if (band.lines.length > 1) {
      open = band;
      end = at + 1;
    } else if (!goesOnInColumn(band, open)) break;
    // Below the last row with several cells, only directly following lines belong to the table.
    else if (end === at && band.top - before.base <= SAME_CELL * band.size) end = at + 1;
  }
  return end;
}

function isCaption({ lines }: Band): boolean {
  return lines.some(({ words }) => startsAsCaption(textOf(words.slice(0, 4))));
}

/** How much larger than the rows around it. */
const LARGER = 1.2;

function isTitle({ lines, size }: Band, bands: readonly Band[], at: number): boolean {
  const around = [bands[at - 1], bands[at + 1]].every(
    (band) => band === undefined || size > LARGER * band.size,
  );
  return lines.length === 1 && around;
}

/** Labels with values are no rows of a table of more columns, above it or below. */
function isOther(first: Band | undefined, { lines }: Band): boolean {
  if (!first || lines.length < 2 || Math.max(first.lines.length, lines.length) < 3) return false;
  return isLabel(first.lines[0]) !== isLabel(lines[0]);
}

function isLabel(line: Line | undefined): boolean {
  return /[:：]$/.test(line?.text ?? "");
}

function isFar(before: Band, band: Band): boolean {
  return band.top - before.base > MAX_ROW_DISTANCE * Math.max(before.size, band.size);
}

/** True if the line lies in one column of a row above and does not reach into a neighbouring one. */
function goesOnInColumn({ lines: [line] }: Band, { lines }: Band): boolean {
  if (!line) return false;
  const at = lines.findIndex((one) => overlapX(one, line) > 0);
  const [column, next] = [lines[at], lines[at + 1]];
  if (!column || (next && next.x0 < line.x1 + 0.3 * line.size)) return false;
  const isAligned =
    Math.abs(column.x0 - line.x0) < line.size || Math.abs(middleX(column) - middleX(line)) < line.size;
  return isAligned && Math.abs(column.size - line.size) < 0.1 * line.size;
}

interface Columns {
  readonly bands: readonly Band[];
  readonly edges: readonly number[];
  /** As the page has them, where rows were parted. */
  readonly lines: readonly Line[];
}

function wrappedTable(
  { bands, edges, lines }: Columns,
  rules: readonly HorizontalRule[],
): AlignedTable | undefined {
  const head = headOf(bands, edges);
  const pieces = piecesOf(
    (head ? bands.slice(1) : bands).flatMap((band) => band.lines),
    edges,
  );
  const wrapped = wrappedRows(pieces, edges.length + 1);
  const rows = head && wrapped ? [head, ...wrapped] : wrapped;
  const box = unionOf(lines);
  if (!rows || tableEvidence(rows, { box, rules, isWrapped: true }) < 0) return undefined;
  return tableWith(lines, tableOfRows(rows, edges.length + 1));
}

/** A head with a text for each column, of which some stand beside what is below them. */
function headOf(bands: readonly Band[], edges: readonly number[]): AlignedRow | undefined {
  const [row] = alignedRows(bands.slice(0, 1), edges);
  const isFull = row?.cells.every(({ length }) => length === 1);
  const isShifted = piecesOf(bands[0]?.lines ?? [], edges).some(
    ({ from, to }, at) => from !== at || to !== at,
  );
  return isFull && isShifted ? row : undefined;
}

function plainTable(
  { bands, edges, lines }: Columns,
  rules: readonly HorizontalRule[],
  isKeyed: boolean,
): AlignedTable | undefined {
  const rows = alignedRows(bands, edges);
  const box = unionOf(lines);
  const evidence = tableEvidence(rows, { box, rules, isWrapped: false }) + (isKeyed ? KEYED_EVIDENCE : 0);
  if (evidence < 0) return undefined;
  return tableWith(lines, tableOfRows(joinContinued(rows), edges.length + 1));
}

function columnsOf(rows: readonly Band[]): Columns | undefined {
  if (rows.filter((band) => band.lines.length > 1).length < 2) return undefined;
  const bands = partedAtStarts(rows);
  const edges = columnEdges(bands);
  const lines = rows.flatMap((band) => band.lines);
  return edges.length > 0 && edges.length < MAX_COLUMNS ? { bands, edges, lines } : undefined;
}

function tableWith(lines: readonly Line[], table: Table): AlignedTable {
  return { ...unionOf(lines), table, lines, words: lines.flatMap(({ words }) => words), isRuled: false };
}
