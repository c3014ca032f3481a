import { HIDDEN_COLUMN, HIDDEN_ROW, linkedText } from "../model/marks.ts";
import { formatted, numberFormat } from "./number-formats.ts";
import type { SharedTexts } from "./workbook-links.ts";
import {
  childAt,
  childrenOf,
  element,
  parseXml,
  rewriteXml,
  type XmlElement,
  type XmlNode,
  xmlOf,
  xmlText,
} from "./xml.ts";

/** Number formats of a workbook, by the number of a cell's style. */
export type CellFormats = readonly (string | undefined)[];

/** The list of sheets, without those that Excel does not show. */
export function shownSheetList(workbook: string): string {
  return rewriteXml(
    workbook,
    (name, { state = "" }) => name === "x:sheet" && /^(?:veryH|h)idden$/.test(state),
    () => [],
  );
}

export function cellFormats(styles: string): CellFormats {
  const root = parseXml(styles);
  const own = new Map(
    childrenOf(childAt(root, "x:numFmts"), "x:numFmt").map(({ attributes }) => [
      attributes["numFmtId"],
      attributes["formatCode"],
    ]),
  );
  return childrenOf(childAt(root, "x:cellXfs"), "x:xf").map(({ attributes }) => {
    const id = attributes["numFmtId"] ?? "0";
    return numberFormat(Number(id), own.get(id));
  });
}

/** A sheet of nothing but charts. */
export function chartSheet(charts: readonly ChartLines[]): string {
  return shownSheet(
    '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData/></x:worksheet>',
    { formats: [] },
    charts,
  );
}

/** Rows of cells. */
type ChartLines = readonly (readonly string[])[];

/**
 * A sheet with its numbers as shown, formulas that nothing has calculated as their text, and marks in rows and
 * columns that are not shown. Charts follow below all rows.
 */
export function shownSheet(sheet: string, cells: CellLooks, charts: readonly ChartLines[]): string {
  // Large sheets of plain values need no second look at each cell.
  const isPlain = !cells.links?.size && cells.formats.every((format) => format === undefined);
  if (charts.length === 0 && isPlain && !SPECIAL.test(sheet)) return sheet;
  const hidden: Range[] = [];
  let lastRow = 0;
  const shown = rewriteXml(
    sheet,
    (name) => name === "x:row" || name === "x:col",
    (part) => {
      const isHidden = /^(?:1|true)$/.test(part.attributes["hidden"] ?? "");
      if (part.name === "x:row") lastRow = Math.max(lastRow + 1, Number(part.attributes["r"] ?? 0));
      if (part.name === "x:row") return [isHidden ? hiddenRow(part) : shownRow(part, cells, hidden)];
      if (isHidden) hidden.push([Number(part.attributes["min"]), Number(part.attributes["max"])]);
      return [part];
    },
  );
  const rows = charts
    .flatMap((lines) => [[], [], ...lines])
    .map((line, at) => chartRow(line, lastRow + 1 + at, hidden));
  return shown.replace("</x:sheetData>", () => `${rows.map(xmlOf).join("")}</x:sheetData>`);
}

interface CellLooks {
  readonly formats: CellFormats;
  /** By the names of cells. */
  readonly links?: ReadonlyMap<string, string>;
  readonly texts?: SharedTexts;
}

/** From 1. */
type Range = readonly [first: number, last: number];

function chartRow(cells: readonly string[], row: number, hidden: readonly Range[]): XmlElement {
  let column = 0;
  const written = cells.map((text) => {
    do column += 1;
    while (isWithin(hidden, column));
    return textCell(element("x:c", { r: `${lettersOf(column)}${row}` }), text);
  });
  return element("x:row", { r: String(row) }, written);
}

function isWithin(ranges: readonly Range[], column: number): boolean {
  return ranges.some(([first, last]) => first <= column && column <= last);
}

/** Hidden rows and columns, formulas, and errors. */
const SPECIAL = /\shidden\s*=|<(?:[\w-]+:)?f[\s>]|\st\s*=\s*["']e["']/;

/** Other cells of the row go with the mark. */
function hiddenRow(row: XmlElement): XmlElement {
  const [first] = childrenOf(row, "x:c");
  return { ...row, children: first ? [textCell(first, HIDDEN_ROW)] : [] };
}

function shownRow(row: XmlElement, cells: CellLooks, hidden: readonly Range[]): XmlElement {
  const children = row.children.map((cell): XmlNode => {
    if (typeof cell === "string" || cell.name !== "x:c" || cell.children.length === 0) return cell;
    const column = hidden.length > 0 ? columnOf(cell.attributes["r"] ?? "") : 0;
    if (isWithin(hidden, column)) return textCell(cell, HIDDEN_COLUMN);
    const text = shownText(cell, cells.formats);
    const link = cells.links?.get(cell.attributes["r"] ?? "");
    const linked = link === undefined ? undefined : (text ?? cells.texts?.of(cell));
    if (link !== undefined && linked) return textCell(cell, linkedText(link, linked));
    return text === undefined ? cell : textCell(cell, text);
  });
  return { ...row, children };
}

function textCell({ name, attributes }: XmlElement, text: string): XmlElement {
  return element(name, { ...attributes, t: "str" }, [element("x:v", {}, [text])]);
}

/** The number of a column by its letters: 27 for AA1. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? "")
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column > 26 ? lettersOf(Math.floor((column - 1) / 26)) + letter : letter;
}

function shownText(cell: XmlElement, formats: CellFormats): string | undefined {
  const value = xmlText(childAt(cell, "x:v") ?? "");
  const formula = childAt(cell, "x:f");
  if (value === "" && formula && xmlText(formula) !== "") return `=${xmlText(formula)}`;
  const { t = "n", s = "0" } = cell.attributes;
  // The engine has names of its own for errors.
  if (t === "e" && value !== "") return value;
  const format = t === "n" ? formats[Number(s)] : undefined;
  return format === undefined || value === "" ? undefined : formatted(Number(value), format);
}
