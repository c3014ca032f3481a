import { type Rect, unionOf } from "../numbers/geometry.ts";
import { startsAsCaption } from "../text/captions.ts";
import { textOf } from "../page/line-text.ts";
import type { PdfPage } from "../page/page.ts";
import { type Crossing, crossings } from "./rule-crossings.ts";
import { gridOfRules } from "./rule-grid.ts";
import { tableRules } from "./rulings.ts";
import { splitColumns } from "./split-columns.ts";
import { splitRows } from "./split-rows.ts";
import { type Grid, type GridCell, type Table, tableOf } from "./table.ts";
import type { PageWord } from "../page/words.ts";

/** Rules around so much text, and so few cells, frame a text. */
const FEW_CELLS = 4;
const LONG_TEXT_WORDS = 120;
/** What a note below a table begins with. */
const NOTE = /^(?:notes?|sources?|quelle|anmerkung|nota|fuente|exhibit):?$/i;
const LEAST_NOTE_WORDS = 4;
/** Share of cells that have to have words. */
const LEAST_FILLED = 0.12;

/** A table that was found on a page, and the words it has taken. */
export interface FoundTable extends Rect {
  readonly table: Table;
  readonly words: readonly PageWord[];
  readonly isRuled: boolean;
}

/** Tables drawn with lines, or tiled with coloured boxes, in both directions. */
export function ruledTables(page: PdfPage, words: readonly PageWord[]): FoundTable[] {
  const found = crossings(tableRules(page)).flatMap((rules) => tableIn(rules, words) ?? []);
  return found.filter((table) => !found.some((other) => isInside(table, other)));
}

function isInside(table: FoundTable, outer: FoundTable): boolean {
  if (outer === table || outer.table.rows.length <= table.table.rows.length) return false;
  return outer.x0 <= table.x0 && outer.x1 >= table.x1 && outer.y0 <= table.y0 && outer.y1 >= table.y1;
}

function tableIn(rules: Crossing, words: readonly PageWord[]): FoundTable | undefined {
  const found = gridOfRules(rules, words);
  if (!found || !isTable(found.grid)) return undefined;
  const cells = found.grid.cells.filter((cell) => !isAside(cell, found.grid));
  const own = { ...found.grid, cells };
  const rows = splitRows(own);
  if (!rows && isFramedText(own)) return undefined;
  const taken = cells.flatMap((cell) => cell.words);
  const isWhole = cells.length === found.grid.cells.length;
  const box = isWhole ? found.box : { ...found.box, ...heightsOf(taken) };
  return { ...box, table: tableOf(splitColumns(rows ?? own)), words: taken, isRuled: true };
}

function heightsOf(words: readonly PageWord[]): Pick<Rect, "y0" | "y1"> {
  const { y0, y1 } = unionOf(words);
  return { y0, y1 };
}

/** A caption above the columns, or a note below them: it is drawn into the table, but none of its cells. */
function isAside({ row, rows: height, columns: width, words }: GridCell, { rows, columns }: Grid): boolean {
  if (width < columns || rows < 4) return false;
  const base = words[0]?.base ?? 0;
  if (row === 0)
    return startsAsCaption(textOf(words.filter((word) => Math.abs(word.base - base) < 2).slice(0, 4)));
  return row + height === rows && words.length >= LEAST_NOTE_WORDS && NOTE.test(words[0]?.text ?? "");
}

function isTable({ cells, rows }: Grid): boolean {
  const filled = cells.filter(hasWords);
  if (filled.length < 2 || filled.length < LEAST_FILLED * cells.length) return false;
  const usedRows = new Set(filled.map(({ row }) => row)).size;
  const usedColumns = new Set(filled.map(({ column }) => column)).size;
  return usedColumns >= 2 && (usedRows >= 2 || rows >= 2);
}

function isFramedText({ cells }: Grid): boolean {
  return cells.length <= FEW_CELLS && cells.some(({ words }) => words.length > LONG_TEXT_WORDS);
}

function hasWords({ words }: GridCell): boolean {
  return words.length > 0;
}
