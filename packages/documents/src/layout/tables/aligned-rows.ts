import type { Band } from "./bands.ts";
import { joinLines } from "../text/characters.ts";
import { type Line, lineOf } from "../page/line.ts";
import type { Table, TableCell } from "./table.ts";
import type { PageWord } from "../page/words.ts";

export interface AlignedRow {
  /** Indexed by column. */
  readonly cells: readonly (readonly Piece[])[];
  /** Baselines of the first and last line. */
  readonly top: number;
  readonly base: number;
  readonly size: number;
  readonly isTall: boolean;
}

/** A line in a cell, with the columns it spans. */
export interface Piece {
  readonly line: Line;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export function alignedRows(bands: readonly Band[], edges: readonly number[]): AlignedRow[] {
  return bands.map(({ lines, top, base, size, isTall }, at) => {
    const cells = Array.from({ length: edges.length + 1 }, (): Piece[] => []);
    for (const piece of at === 0 ? headPieces(lines, edges) : piecesOf(lines, edges))
      cells[piece.from]?.push(piece);
    return { cells, top, base, size, isTall };
  });
}

/** Assigns lines to the columns between these edges. */
export function piecesOf(lines: readonly Line[], edges: readonly number[]): Piece[] {
  return lines.flatMap((line) => cutAtEdges(line, edges).map((part) => pieceOf(part, edges)));
}

/** As `piecesOf`; a head with as many texts as there are columns has one for each, wherever it stands above figures. */
export function headPieces(lines: readonly Line[], edges: readonly number[]): Piece[] {
  const pieces = piecesOf(lines, edges);
  const [first] = lines;
  if (!first || lines.some(({ base }) => Math.abs(base - first.base) > SAME_BASE * first.size)) return pieces;
  const segments = lines.flatMap((line) => line.segments.map(({ words }) => lineOf(words)));
  const heads = [segments, pieces.map(({ line }) => line)].find(({ length }) => length === edges.length + 1);
  const sorted = heads?.toSorted((a, b) => a.x0 - b.x0);
  return sorted?.map((line, at) => ({ line, text: line.text, from: at, to: at })) ?? pieces;
}

/** In em. */
const SAME_BASE = 0.3;

/** Splits a line where a wide gap between its words lies over an edge. */
function cutAtEdges(line: Line, edges: readonly number[]): readonly Line[] {
  if (line.segments.length === 1) return [line];
  const joined: PageWord[][] = [];
  for (const { words, x0 } of line.segments) {
    const before = joined.at(-1);
    const end = before?.at(-1)?.x1 ?? 0;
    const isCut = edges.some((edge) => edge >= end - 0.5 && edge <= x0 + 0.5);
    if (before && !isCut) before.push(...words);
    else joined.push([...words]);
  }
  return joined.length === 1 ? [line] : joined.map(lineOf);
}

function pieceOf(line: Line, edges: readonly number[]): Piece {
  return { line, text: line.text, from: columnAt(edges, line.x0 + 1), to: columnAt(edges, line.x1 - 1) };
}

function columnAt(edges: readonly number[], x: number): number {
  let column = 0;
  for (const edge of edges) if (x > edge) column++;
  return column;
}

export function filledCells({ cells }: AlignedRow): number {
  return cells.filter((cell) => cell.length > 0).length;
}

/**
 * Merges rows that only continue the text of the row above.
 * @param areBetweenRules - they may be one row, whose cells go on below its first line
 */
export function joinContinued(rows: readonly AlignedRow[], areBetweenRules = false): AlignedRow[] {
  const [first, ...others] = rows;
  if (areBetweenRules && first && others.every((row) => goesOn(row, first)))
    return [others.reduce(joinRows, first)];
  const pitches = rows.slice(1).map((row, at) => row.top - (rows[at]?.base ?? 0));
  const tightest = Math.min(99, ...pitches);
  const ends = columnEnds(rows);
  // If all rows have the same distance, only a key tells a cell's second line from a new row.
  const isEven = !pitches.some((pitch) => pitch > 1.25 * tightest);
  if (isEven && !hasKey(rows) && !areKeysWithTexts(rows)) return [...rows];
  const joined: AlignedRow[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    const mayContinue = !isEven || (row.cells[0]?.length === 0 && filledCells(row) === 1);
    if (above && mayContinue && isContinued(row, above, { tightest, ends }))
      joined[joined.length - 1] = joinRows(above, row);
    else joined.push(row);
  }
  return joined;
}

/** Share of rows that begin with a key, in tables of several columns. */
const KEY_SHARE = 0.75;

function hasKey(rows: readonly AlignedRow[]): boolean {
  const keyed = rows.filter(({ cells }) => cells.length > 2 && (cells[0]?.length ?? 0) > 0).length;
  return keyed >= KEY_SHARE * rows.length;
}

/** True for keys with texts beside them if small letters begin what stands below a text, and only that. */
function areKeysWithTexts(rows: readonly AlignedRow[]): boolean {
  const isRest = ({ cells: [, cell = []] }: AlignedRow) => /^\p{Ll}/u.test(cell[0]?.text ?? "");
  return rows.every((row) => row.cells.length === 2 && isRest(row) === (row.cells[0]?.length === 0));
}

interface Columns {
  /** Smallest baseline distance between rows. */
  readonly tightest: number;
  /** Right end of the text in each column. */
  readonly ends: readonly number[];
}

function columnEnds(rows: readonly AlignedRow[]): number[] {
  return (rows[0]?.cells ?? []).map((_cell, at) =>
    Math.max(
      ...rows.flatMap(({ cells }) =>
        (cells[at] ?? []).map(({ line, from, to }) => (from === to ? line.x1 : 0)),
      ),
    ),
  );
}

/** If a row's first words had fitted in the row above, the lines are not one cell. */
function hadRoom(row: AlignedRow, above: AlignedRow, ends: readonly number[]): boolean {
  return row.cells.some((cell, at) => {
    const [first, before] = [cell[0]?.line, above.cells[at]?.at(-1)?.line];
    return first && before && before.hasRoomFor(first, (ends[at] ?? 0) - 0.5 * before.size);
  });
}

function isContinued(row: AlignedRow, above: AlignedRow, { tightest, ends }: Columns): boolean {
  const filled = filledCells(row);
  if (row.isTall || filled === row.cells.length || filled > Math.max(1, row.cells.length / 2)) return false;
  if (hadRoom(row, above, ends)) return false;
  const isClose = row.top - above.base < 1.35 * Math.max(tightest, row.size);
  const beginsLater = row.cells[0]?.length === 0 || filled === 1;
  return isClose && beginsLater && !row.cells.some(isFigures);
}

function goesOn(row: AlignedRow, first: AlignedRow): boolean {
  return filledCells(row) < filledCells(first) && !row.cells.some(isFigures);
}

function isFigures(cell: readonly Piece[]): boolean {
  return cell.length > 0 && /^[\d$€£(.,%\s)-]+$/.test(cell.map(({ text }) => text).join(""));
}

function joinRows(above: AlignedRow, row: AlignedRow): AlignedRow {
  const cells = above.cells.map((cell, at) => [...cell, ...(row.cells[at] ?? [])]);
  return { ...above, cells, base: row.base };
}

export function tableOfRows(rows: readonly AlignedRow[], columns: number): Table {
  return { columns, rows: rows.map((row) => cellsOf(row)) };
}

function cellsOf({ cells }: AlignedRow): TableCell[] {
  const row: TableCell[] = [];
  for (let column = 0; column < cells.length;) {
    const pieces = cells[column] ?? [];
    const colspan = pieces.length === 1 ? spanOf(pieces[0], cells, column) : 1;
    row.push({ column, colspan, rowspan: 1, text: textOfPieces(pieces) });
    column += colspan;
  }
  return row;
}

/** Number of columns a piece spans, at most up to the next cell with text. */
function spanOf(piece: Piece | undefined, cells: AlignedRow["cells"], column: number): number {
  const end = (piece?.to ?? column) + 1;
  const next = cells.findIndex((cell, at) => at > column && cell.length > 0);
  return (next < 0 ? end : Math.min(end, next)) - column;
}

function textOfPieces(pieces: readonly Piece[]): string {
  const sorted = [...pieces].sort((a, b) => a.line.base - b.line.base || a.line.x0 - b.line.x0);
  return joinLines(sorted.map(({ text }) => text));
}
