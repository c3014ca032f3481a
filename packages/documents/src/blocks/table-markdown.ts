import type { TablePiece } from "../layout/laid-out-page.ts";
import { hasSpans, type Table, type TableCell } from "../layout/tables/table.ts";

/** A pipe table; one whose cells span rows or columns is written as HTML. Of one over pages, the given piece. */
export function writeTable(table: Table, piece?: TablePiece): string {
  const whole = piece ?? { isMarkup: hasSpans(table), isFirst: true, isLast: true };
  return whole.isMarkup ? writeHtml(table, whole) : writePipes(table, whole);
}

function writeHtml({ rows }: Table, { isFirst, isLast }: TablePiece): string {
  const lines = rows.map((row) => `<tr>${row.map(writeCell).join("")}</tr>`);
  return `${isFirst ? "<table>" : ""}${lines.join("")}${isLast ? "</table>" : ""}`;
}

function writeCell({ colspan, rowspan, text }: TableCell): string {
  const spans = (colspan > 1 ? ` colspan="${colspan}"` : "") + (rowspan > 1 ? ` rowspan="${rowspan}"` : "");
  return `<td${spans}>${escapeHtml(text)}</td>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function writePipes({ rows, columns }: Table, { isFirst }: TablePiece): string {
  const [first, ...others] = rows.map((row) => writeRow(row, columns));
  return [first, ...(isFirst ? [`|${" --- |".repeat(columns)}`] : []), ...others].join("\n");
}

function writeRow(row: readonly TableCell[], columns: number): string {
  const cells = Array.from({ length: columns }, () => "");
  for (const { column, text } of row) cells[column] = text.replaceAll("|", "\\|");
  return `| ${cells.join(" | ")} |`;
}
