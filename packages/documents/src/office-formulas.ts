import { buffer } from "node:stream/consumers";

import type { ZipEntries } from "./archives/zip-entries.ts";

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
/** A cell with the text of a formula, and no value. */
const WITHOUT_VALUE = /<c\b([^<>]*)>\s*<f\b[^<>]*>([^<]+)<\/f>\s*(?:<v\s*\/>\s*|<v>\s*<\/v>\s*)?<\/c>/g;

/**
 * An Office Open XML workbook in which formulas without a value have their text as value: programs that only write files
 * leave the calculation to who opens them. The same bytes where there are none.
 */
export async function withFormulas(body: Uint8Array, entries: ZipEntries): Promise<Uint8Array> {
  const names = entries.names();
  const changed = new Map<string, string>();
  for (const name of names.filter((one) => SHEET.test(one))) {
    const sheet = entries.bytes(name)?.toString();
    if (!sheet?.includes("<f")) continue;
    const shown = sheet.replace(WITHOUT_VALUE, showFormula);
    if (shown !== sheet) changed.set(name, shown);
  }
  return changed.size > 0 ? rewritten(entries, changed) : body;
}

function showFormula(_cell: string, attributes: string, formula: string): string {
  const others = attributes.replace(/\st="[^"]*"/, "");
  return `<c${others} t="str"><f>${formula}</f><v>=${formula}</v></c>`;
}

async function rewritten(entries: ZipEntries, changed: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const { default: yazl } = await import("yazl");
  const zip = new yazl.ZipFile();
  for (const name of entries.names().filter((one) => !one.endsWith("/"))) {
    const text = changed.get(name);
    const bytes = text === undefined ? entries.bytes(name) : Buffer.from(text);
    if (bytes) zip.addBuffer(bytes, name, { compress: false });
  }
  zip.end();
  return buffer(zip.outputStream);
}
