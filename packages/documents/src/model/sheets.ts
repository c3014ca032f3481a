import { hiddenBy } from "./marks.ts";
import { type Block, type Cell, PLAIN, plainText, type Slot, type TableBlock } from "./document.ts";
import { connectedRegions, type Region } from "./regions.ts";

type Rows = TableBlock["rows"];

const EMPTY: Cell = { blocks: [], columns: 1, rows: 1 };

/**
 * The blocks of a workbook: each sheet's name as a heading, followed by its content.
 * @param blocks - a table for each sheet, after its name if there are several
 * @param firstName - name of the first sheet
 */
export function workbookBlocks(blocks: readonly Block[], firstName: string | undefined): readonly Block[] {
  const isNamed = blocks[0]?.kind === "heading";
  const name = isNamed || firstName === undefined ? [] : [nameHeading(firstName)];
  return [...name, ...blocks.flatMap((block) => (block.kind === "table" ? blocksOfSheet(block) : [block]))];
}

function nameHeading(name: string): Block {
  return { kind: "heading", level: 2, content: [{ kind: "text", text: name, ...PLAIN }] };
}

/**
 * Content of a sheet, from top to bottom, then from left to right: tables separated by empty rows and
 * columns, and isolated cells as paragraphs.
 */
function blocksOfSheet(table: TableBlock): readonly Block[] {
  const rows = withoutHidden(table.rows);
  const filled = filledSlots(rows);
  const clean = rows.map((row, top) => row.map((slot, left) => cleanSlot(slot, filled[top]?.[left] === 1)));
  return connectedRegions(filled).flatMap((region) => blocksOfRegion(clean, region));
}

/** Rows and columns with a mark are not shown. A merged cell that reaches into them shrinks. */
function withoutHidden(rows: Rows): Rows {
  const markOf = (slot: Slot) =>
    slot?.blocks[0]?.kind === "paragraph" ? plainText(slot.blocks[0].content) : "";
  const hiddenRows = new Set<number>();
  const hiddenColumns = new Set<number>();
  rows.forEach((row, top) =>
    row.forEach((slot, left) => {
      const hidden = hiddenBy(markOf(slot));
      if (hidden === "row") hiddenRows.add(top);
      if (hidden === "column") hiddenColumns.add(left);
    }),
  );
  if (hiddenRows.size + hiddenColumns.size === 0) return rows;
  const shownOf = (start: number, length: number, hidden: ReadonlySet<number>) =>
    Math.max(1, Array.from({ length }, (_, at) => start + at).filter((at) => !hidden.has(at)).length);
  return rows
    .map((row, top) =>
      row
        .map(
          (slot, left) =>
            slot && {
              ...slot,
              columns: shownOf(left, slot.columns, hiddenColumns),
              rows: shownOf(top, slot.rows, hiddenRows),
            },
        )
        .filter((_, left) => !hiddenColumns.has(left)),
    )
    .filter((_, top) => !hiddenRows.has(top));
}

/** By row, then by column: 1 if a cell with content covers the slot. */
function filledSlots(rows: Rows): readonly Uint8Array[] {
  const filled = rows.map((row) => new Uint8Array(row.length));
  rows.forEach((row, top) =>
    row.forEach((slot, left) => {
      if (!slot || slot.blocks.length === 0) return;
      for (let at = top; at < top + slot.rows; at++) filled[at]?.fill(1, left, left + slot.columns);
    }),
  );
  return filled;
}

/** A merged cell without content is treated as empty cells. */
function cleanSlot(slot: Slot, isFilled: boolean): Slot {
  return isFilled ? slot : EMPTY;
}

function withoutEmptyLines(rows: Rows): Rows {
  const isFilled = (slot: Slot) => slot !== EMPTY;
  const columns = (rows[0] ?? []).map((_, at) => rows.some((row) => isFilled(row[at])));
  return rows.filter((row) => row.some(isFilled)).map((row) => row.filter((_, at) => columns[at]));
}

/** A merged cell over all columns says what the table is, if rows of heads and of values follow. */
function hasTitle([first = [], ...others]: Rows): boolean {
  const [only, ...covered] = first;
  return only?.rows === 1 && covered.length > 0 && covered.every((slot) => !slot) && others.length > 1;
}

function blocksOfRegion(rows: Rows, { top, bottom, left, right }: Region): readonly Block[] {
  const table = withoutEmptyLines(rows.slice(top, bottom).map((row) => row.slice(left, right)));
  const isOneCell = table.flat().filter((slot) => slot !== undefined).length === 1;
  if (isOneCell) return table[0]?.[0]?.blocks ?? [];
  const [title, ...others] = hasTitle(table) ? (table[0] ?? []) : [];
  const shown = others.length > 0 ? table.slice(1) : table;
  return [...(title?.blocks ?? []), { kind: "table", headerRows: 0, rows: shown }];
}
