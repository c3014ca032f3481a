import type { Table, TableCell } from "./pdf/tables/table.ts";

/** A pipe table; one whose cells span rows or columns is written as HTML. */
export function writeTable(table: Table): string {
  const hasSpans = table.rows.some((row) => row.some(({ colspan, rowspan }) => colspan > 1 || rowspan > 1));
  return hasSpans ? writeHtml(table) : writePipes(table);
}

function writeHtml({ rows }: Table): string {
  const lines = rows.map((row) => `<tr>${row.map(writeCell).join("")}</tr>`);
  return `<table>${lines.join("")}</table>`;
}

function writeCell({ colspan, rowspan, text }: TableCell): string {
  const spans = (colspan > 1 ? ` colspan="${colspan}"` : "") + (rowspan > 1 ? ` rowspan="${rowspan}"` : "");
  return `<td${spans}>${escapeHtml(text)}</td>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function writePipes({ rows, columns }: Table): string {
  const [head, ...body] = rows.map((row) => writeRow(row, columns));
  return [head, `|${" --- |".repeat(columns)}`, ...body].join("\n");
}

function writeRow(row: readonly TableCell[], columns: number): string {
  const cells = Array.from({ length: columns }, () => "");
  for (const { column, text } of row) cells[column] = text.replaceAll("|", "\\|");
  return `| ${cells.join(" | ")} |`;
}
