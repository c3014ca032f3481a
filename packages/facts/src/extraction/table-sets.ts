import { type GridRow, placeCells, type SpanningCell, spanOf } from "@pergamon-dev/html/selection/table-grid";
import { type HtmlTree, tagId } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import { childElements } from "./list-texts.ts";
import { headingAbove } from "./heading-above.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import { openScope, type Scope, type ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";

const [TABLE, TR, TH, TD, THEAD, CAPTION] = ["table", "tr", "th", "td", "thead", "caption"].map(tagId);
const MAX_TABLES = 60;
const MAX_ROWS = 1000;
const MAX_CELLS = 40;
const MAX_LENGTH = 500;

/** Rows of those tables that have a heading row. */
export function tableSets(parts: PageParts): readonly ScopeSet[] {
  const { tree } = parts;
  const sets: ScopeSet[] = [];
  for (let node = tree.tag.indexOf(TABLE ?? 0); node >= 0; node = tree.tag.indexOf(TABLE ?? 0, node + 1)) {
    if (sets.length >= MAX_TABLES) break;
    const set = setOfTable(parts, node);
    if (set) sets.push(set);
  }
  return sets;
}

function setOfTable(parts: PageParts, table: number): ScopeSet | undefined {
  const { tree } = parts;
  const rows = rowsOf(tree, table);
  const headRows = headRowsOf(rows);
  const head = rows.slice(0, headRows);
  const body = rows.slice(headRows).filter((row) => row.places.length > 1 && !isRepeatedHead(row, head));
  const weight = 0.9 * weightOfPlace(parts, table);
  const width = Math.max(0, ...head.map(({ places }) => places.length));
  const hasHead = width > 1 && (head.every(({ isHead }) => isHead) || body.length > 1);
  if (!hasHead || body.length === 0 || weight === 0) return undefined;
  const columns = labelsOf(head, width);
  const caption = childElements(tree, table).find((child) => tree.tag[child] === CAPTION);
  const names = [caption === undefined ? "" : textOf(tree, caption, 80), headingAbove(parts, table)];
  const scopes = body.map(({ places }) => scopeOfRow(places, columns));
  return { labels: [...names, "row"].map(labelWords), weight, scopes };
}

function rowsOf(tree: HtmlTree, table: number): readonly TableRow[] {
  const nodes: number[] = [];
  const end = tree.end[table] ?? 0;
  for (let node = table + 1; node < end && nodes.length < MAX_ROWS; node++) {
    // Skips nested tables, which are handled separately.
    if (tree.tag[node] === TABLE) node = (tree.end[node] ?? end) - 1;
    else if (tree.tag[node] === TR) nodes.push(node);
  }
  const cells = nodes.map((node) => cellsOf(tree, node));
  return placeCells(cells).flatMap((places, at) => {
    const own = cells[at] ?? [];
    if (own.length === 0) return [];
    const isInHead = tree.tag[tree.parent[nodes[at] ?? 0] ?? 0] === THEAD;
    return [{ places: places.slice(0, MAX_CELLS), isHead: isInHead || own.every(({ isHead }) => isHead) }];
  });
}

function cellsOf(tree: HtmlTree, row: number): readonly TableCell[] {
  return childElements(tree, row)
    .slice(0, MAX_CELLS)
    .filter((node) => tree.tag[node] === TH || tree.tag[node] === TD)
    .map((node) => ({
      node,
      isHead: tree.tag[node] === TH,
      text: textOf(tree, node, MAX_LENGTH),
      columns: spanOf(tree.attribute(node, "colspan")),
      rows: spanOf(tree.attribute(node, "rowspan")),
    }));
}

/** A spanning cell counts in every column and row that it covers. */
function scopeOfRow(places: GridRow<TableCell>, columns: readonly (readonly (readonly string[])[])[]): Scope {
  return openScope(() => {
    const candidates = places.flatMap((place, column) =>
      place ? candidatesOf(place.cell, columns[column] ?? []) : [],
    );
    // A cell that spans several rows names a group, not the row's own thing.
    const own = places.find((place) => place && place.cell.rows === 1 && place.cell.text !== "")?.cell;
    if (!own || !/\p{L}/u.test(own.text)) return candidates;
    const named: Candidate = {
      label: [],
      concept: "title",
      values: [own.text],
      foundBy: "table",
      weight: 0.6,
      node: own.node,
    };
    return [...candidates, named];
  });
}

/** Labelled by all headings above the cell, and with less weight by the lowest heading alone. */
function candidatesOf(
  { text, node }: TableCell,
  labels: readonly (readonly string[])[],
): readonly Candidate[] {
  if (text === "") return [];
  return labels.map((label, at) => ({
    label,
    values: [text],
    foundBy: "table",
    weight: at === 0 ? 0.95 : 0.9,
    node,
  }));
}

interface TableCell extends SpanningCell {
  readonly node: number;
  readonly isHead: boolean;
  readonly text: string;
}

interface TableRow {
  readonly places: GridRow<TableCell>;
  /** In `thead`, or made of heading cells only. */
  readonly isHead: boolean;
}

/** Maximum heading rows. Further ones count as data. */
const MAX_HEAD_ROWS = 4;

/** Number of leading rows that name the table and its columns; at least 1 if there are rows. */
function headRowsOf(rows: readonly TableRow[]): number {
  // A title below the column names heads a group of rows.
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

/**
 * Number of rows that a heading row spans. A title needs headings below it, as do headings over several
 * columns.
 */
function reachOf(row: TableRow, next: TableRow | undefined): number {
  if (isTitle(row.places)) return 2;
  const cells = row.places.flatMap((place) => place?.cell ?? []);
  const heights = cells.map(({ rows }) => rows);
  if (!cells.some(({ columns }) => columns > 1)) return Math.max(1, Math.min(...heights));
  const below = next?.places.filter((place) => place && place.at !== "below") ?? [];
  const isNamed = below.length > 0 && below.every((place) => !/\d{2}/.test(place?.cell.text ?? ""));
  return Math.max(...heights, isNamed || next?.isHead ? 2 : 1);
}

/** A cell over the whole width names the table, not a column. */
function isTitle(places: GridRow<TableCell>): boolean {
  return places.length > 1 && new Set(places.map((place) => place?.cell)).size === 1;
}

/** True for a heading row that repeats further down, or that heads a group of rows. */
function isRepeatedHead({ places, isHead }: TableRow, head: readonly TableRow[]): boolean {
  const cells = new Set(places.flatMap((place) => place?.cell ?? []));
  if (isHead || cells.size < 2) return true;
  const texts = (row: TableRow) => row.places.map((place) => place?.cell.text).join("\n");
  return head.some((row) => texts(row) === texts({ places, isHead }));
}

/** For each column: the words of all headings above, then those of the lowest alone if they differ. */
function labelsOf(head: readonly TableRow[], width: number): readonly (readonly (readonly string[])[])[] {
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
