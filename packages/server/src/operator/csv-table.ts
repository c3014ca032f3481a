type Cell = string | number | null;

/**
 * A table as CSV (RFC 4180) with a header row. Texts that spreadsheets would read as formulas get a leading
 * apostrophe, because teams and pages choose their own names.
 */
export function csvTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => cell(row[name])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

function cell(value: Cell): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
