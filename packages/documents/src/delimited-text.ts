import { decodeBody } from "@pergamon-dev/html/parser/decode";

import { type Block, type Inline, PLAIN, type TableBlock } from "./model/document.ts";
import { documentHtml } from "./model/html.ts";
import { documentMarkdown } from "./model/markdown.ts";
import type { OfficeDocument } from "./model/reader.ts";

/** From the one that text contains least. */
const DELIMITERS = ["\t", ";", "|", ","];

/** In characters and records: what the delimiter is judged by. */
const SAMPLE_LENGTH = 64 * 1024;
const SAMPLE_RECORDS = 200;

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Reads values between delimiters (RFC 4180), whatever the delimiter and the charset are.
 * @param contentType - may name the charset; else it is found as for pages
 */
export function readDelimitedText(body: Uint8Array, contentType: string | undefined): OfficeDocument {
  const text = decodeBody(body, contentType).replace(/^\uFEFF/, "");
  // Excel writes the delimiter into the first line.
  const told = /^sep=([^\r\n])\r?\n/i.exec(text);
  const values = told ? text.slice(told[0].length) : text;
  const records = recordsOf(values, told?.[1] ?? delimiterOf(values));
  const table: TableBlock = {
    kind: "table",
    headerRows: 1,
    rows: records.map((record) => record.map(cellOf)),
  };
  const model = { blocks: records.length === 0 ? [] : [table], notes: [] };
  return { markdown: documentMarkdown(model, ""), html: documentHtml(model, {}), properties: {} };
}

/** The delimiter that gives most records the same number of fields. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const shares = DELIMITERS.map((delimiter) => {
    const records = recordsOf(sample, delimiter);
    // The last one may be cut.
    const whole = records.slice(0, Math.min(SAMPLE_RECORDS, Math.max(1, records.length - 1)));
    const counts = new Map<number, number>();
    for (const { length } of whole) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    return Math.max(0, ...counts.values()) / whole.length;
  });
  const best = Math.max(...shares);
  return best > 0 ? (DELIMITERS[shares.indexOf(best)] ?? ",") : ",";
}

/** Records with their fields, without empty lines. A quote that nothing closes is a character. */
function recordsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  const separator = delimiter.charCodeAt(0);
  let record: string[] = [];
  let hasQuotes = true;
  for (let at = 0; at <= text.length; at++) {
    const quote = hasQuotes ? openingQuote(text, at) : -1;
    const close = quote < 0 ? -1 : closingQuote(text, quote + 1);
    if (quote >= 0 && close < 0) hasQuotes = false;
    const end = fieldEnd(text, close < 0 ? at : close + 1, separator);
    record.push(
      close < 0
        ? text.slice(at, end)
        : text.slice(quote + 1, close).replaceAll('""', '"') + text.slice(close + 1, end).trim(),
    );
    at = end;
    if (text.charCodeAt(end) === separator) continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (text.charCodeAt(end) === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED) at += 1;
  }
  return records;
}

/** Where the quote of a field is, behind blanks. -1 if it has none. */
function openingQuote(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at += 1;
  return text.charCodeAt(at) === QUOTE ? at : -1;
}

/** Two quotes are a quote within the field. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

function fieldEnd(text: string, from: number, separator: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN) return at;
  }
  return text.length;
}

function cellOf(field: string): TableBlock["rows"][number][number] {
  const content = field.split(/\r\n|\r|\n/).flatMap((text, at): readonly Inline[] => {
    const line: Inline = { kind: "text", text, ...PLAIN };
    return at === 0 ? [line] : [{ kind: "break" }, line];
  });
  const blocks: readonly Block[] = field === "" ? [] : [{ kind: "paragraph", content }];
  return { blocks, columns: 1, rows: 1 };
}
