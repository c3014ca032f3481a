import { AttributeNames } from "../parser/attribute-names.ts";
import { placeCells, type SpanningCell, spanOf } from "../selection/table-grid.ts";
import { holdsText } from "../selection/text.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import { codeText, fitsCell, isGutter, writeFence } from "./code.ts";
import { languageOf } from "./code-language.ts";
import type { Conversion } from "./conversion.ts";
import { drawnCell } from "./drawn-cell.ts";

const TABLE = tagId("table");
const PRE = tagId("pre");
const CAPTION = tagId("caption");
const HEAD = tagId("thead");
const ROW = tagId("tr");
const HEADER_CELL = tagId("th");
const CELL = tagSet("td th");
const ROW_GROUP = tagSet("thead tbody tfoot form");
const IGNORED = tagSet("colgroup col");

const SPANS = new AttributeNames("colspan rowspan");

/** Elements that never lie inside a cell of a data table. */
const PAGE_STRUCTURE = tagSet("table h1 h2 article section main form iframe");
/** Elements inside a cell of a data table only when the table has a header. */
const LIGHT_STRUCTURE = tagSet("ul ol dl h3 h4 h5 h6 blockquote pre");

/** The parts of a table in output order: rows of the head first. */
interface TableParts {
  readonly captions: number[];
  readonly head: number[][];
  readonly body: number[][];
  /** Whether content lies between the rows. */
  hasStrayContent: boolean;
}

/** Writes `table` as a pipe table. Of tables that only lay out the page, the content is written. */
export function writeTable(conversion: Conversion, node: number): void {
  if (conversion.style !== "paragraph") {
    conversion.block(node);
    return;
  }
  conversion.boundary();
  const parts: TableParts = { captions: [], head: [], body: [], hasStrayContent: false };
  collectRows(conversion, node, parts, false);
  const rows = [...parts.head, ...parts.body];
  if (isCodeTable(conversion.tree, rows)) writeCodeTable(conversion, node, rows);
  else if (isLayout(conversion, node, parts)) conversion.block(node);
  else writeDataTable(conversion, parts.captions, rows);
}

/** Writes `td` and `th` outside a data table. */
export function writeLooseCell(conversion: Conversion, node: number): void {
  if (!isGutter(conversion.tree, node)) conversion.block(node);
}

function collectRows(conversion: Conversion, node: number, parts: TableParts, isHead: boolean): void {
  const { tree } = conversion;
  for (const child of conversion.childrenOf(node)) {
    const tag = tree.tag[child] ?? 0;
    if (IGNORED[tag] === 1 || !conversion.isKept(child)) continue;
    if (tag === ROW) (isHead ? parts.head : parts.body).push(cellsOf(conversion, child, parts));
    else if (ROW_GROUP[tag] === 1 && holdsCell(conversion, child)) {
      // Browsers build the row that the author left out.
      (isHead || tag === HEAD ? parts.head : parts.body).push(cellsOf(conversion, child, parts));
    } else if (ROW_GROUP[tag] === 1) collectRows(conversion, child, parts, isHead || tag === HEAD);
    else if (tag === CAPTION) parts.captions.push(child);
    else parts.hasStrayContent ||= holdsText(tree, child);
  }
}

function holdsCell(conversion: Conversion, group: number): boolean {
  const { tree } = conversion;
  return conversion.childrenOf(group).some((child) => CELL[tree.tag[child] ?? 0] === 1);
}

function cellsOf(conversion: Conversion, row: number, parts: TableParts): number[] {
  const { tree } = conversion;
  const cells: number[] = [];
  for (const child of conversion.childrenOf(row)) {
    if (conversion.isHidden(child)) continue;
    // A cell that the selection omits keeps its column, or its neighbours would shift.
    if (CELL[tree.tag[child] ?? 0] === 1) cells.push(child);
    else if (conversion.isKept(child)) parts.hasStrayContent ||= holdsText(tree, child);
  }
  return cells;
}

/** Whether the rows are lines of code: a line number next to its text. */
function isCodeTable(tree: HtmlTree, rows: readonly (readonly number[])[]): boolean {
  const isNumbered = rows.some((cells) => cells.length > 1 && cells.some((cell) => isGutter(tree, cell)));
  return isNumbered && rows.every((cells) => cells.filter((cell) => !isGutter(tree, cell)).length <= 1);
}

function writeCodeTable(conversion: Conversion, node: number, rows: readonly (readonly number[])[]): void {
  const { tree } = conversion;
  const lines = rows.flatMap((cells) =>
    cells.filter((cell) => !isGutter(tree, cell)).map((cell) => codeText(tree, cell).replace(/\n+$/, "")),
  );
  writeFence(conversion, lines.join("\n"), languageOf(tree, node));
}

function isLayout(conversion: Conversion, node: number, parts: TableParts): boolean {
  const { tree } = conversion;
  const role = tree.attribute(node, "role");
  if (role === "presentation" || role === "none" || parts.hasStrayContent) return true;
  const rows = [...parts.head, ...parts.body];
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  const hasHeader =
    parts.head.length > 0 || rows.some((cells) => cells.some((cell) => tree.tag[cell] === HEADER_CELL));
  if (width < 2 && !(hasHeader && width === 1 && rows.length > 1)) return true;
  if (rows.length < 2 && !hasHeader) return true;
  return holdsStructure(conversion, node, hasHeader);
}

function holdsStructure(conversion: Conversion, table: number, hasHeader: boolean): boolean {
  const { tree } = conversion;
  const end = tree.end[table] ?? 0;
  for (let inner = table + 1; inner < end; inner++) {
    const tag = tree.tag[inner] ?? 0;
    const isLight = hasHeader && (tag !== PRE || fitsCell(tree, inner));
    const isStructure = PAGE_STRUCTURE[tag] === 1 || (!isLight && LIGHT_STRUCTURE[tag] === 1);
    if (!isStructure) continue;
    if (conversion.isKept(inner) && (tag !== TABLE || holdsText(tree, inner))) return true;
  }
  return false;
}

function writeDataTable(
  conversion: Conversion,
  captions: readonly number[],
  rows: readonly (readonly number[])[],
): void {
  for (const caption of captions) conversion.block(caption);
  const table = formatTable(rows.map((cells) => cells.map((cell) => readCell(conversion, cell))));
  if (table !== "") conversion.writer.block(table);
}

function readCell(conversion: Conversion, cell: number): Cell {
  const { tree } = conversion;
  const text = conversion.isKept(cell)
    ? conversion.captureChildren("cell", cell) || drawnCell(tree, cell)
    : "";
  if (!tree.mayHave(cell, SPANS)) return { text, columns: 1, rows: 1 };
  return {
    text,
    columns: spanOf(tree.attribute(cell, "colspan")),
    rows: spanOf(tree.attribute(cell, "rowspan")),
  };
}

interface Cell extends SpanningCell {
  readonly text: string;
}

/** Rows are padded to the table's width while the table is at most this many times larger than its cells. */
const MAX_PADDING_RATIO = 3;

/**
 * Formats a pipe table whose first row is its header. Covered cells are empty; rows and columns without
 * content are dropped. Returns "" when there is no content.
 */
function formatTable(rows: readonly (readonly Cell[])[]): string {
  const grid = withoutEmptyColumns(layOut(rows).filter((row) => row.some((text) => text !== "")));
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
  const cellCount = grid.reduce((sum, row) => sum + row.length, 0);
  if (width === 0) return "";
  const isPadded = width * grid.length <= cellCount * MAX_PADDING_RATIO;
  const lines = grid.map((row, at) => formatRow(row, at === 0 || isPadded ? width : row.length));
  lines.splice(1, 0, `|${" --- |".repeat(width)}`);
  return lines.join("\n");
}

function withoutEmptyColumns(grid: string[][]): string[][] {
  const isUsed: boolean[] = [];
  for (const row of grid) row.forEach((text, column) => (isUsed[column] ||= text !== ""));
  return isUsed.includes(false) ? grid.map((row) => row.filter((_, column) => isUsed[column])) : grid;
}

function formatRow(row: readonly string[], width: number): string {
  let line = "|";
  for (const text of row) line += ` ${text} |`;
  return row.length < width ? line + "  |".repeat(width - row.length) : line;
}

/** Covered places stay empty, so each cell's text appears once. A row ends with its own last cell. */
function layOut(rows: readonly (readonly Cell[])[]): string[][] {
  return placeCells(rows).map((row) => {
    const end = row.findLastIndex((place) => place && place.at !== "below") + 1;
    return row.slice(0, end).map((place) => (place?.at === "start" ? place.cell.text : ""));
  });
}
