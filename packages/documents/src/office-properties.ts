import { decodeXML } from "entities";

import type { PageProperties } from "./model/html.ts";
import type { ZipEntries } from "./archives/zip-entries.ts";

/** Properties are short: this much of their file, compressed, is looked at. */
const PROPERTY_BYTES = 16 * 1024;
/** The first name of a sheet is behind the styles. */
const WORKBOOK_BYTES = 32 * 1024;

/** Where documents of different formats keep their properties. */
const PROPERTY_FILES = /^docProps\/core\.xml$|^meta\.xml$|\.opf$/;

/** Dublin Core terms → what pages call them (contract, section 2.3). */
const TERMS = {
  title: "title",
  description: "description",
  language: "language",
  creator: "author",
} as const;

/** The properties of an Office Open XML, OpenDocument or EPUB file; none of others. */
export function officeProperties(entries: ZipEntries): PageProperties {
  const file = entries.names().find((name) => PROPERTY_FILES.test(name));
  const xml = (file && entries.text(file, PROPERTY_BYTES)) ?? "";
  const found = Object.entries(TERMS).map(([term, name]) => [name, termOf(xml, term)]);
  return Object.fromEntries(found.filter(([, value]) => value));
}

function termOf(xml: string, term: string): string | undefined {
  const value = new RegExp(`<dc:${term}(?:\\s[^>]*)?>([^<]*)<`).exec(xml)?.[1];
  return value && decodeXML(value).trim();
}

/** The name of the first sheet that is shown. Undefined if the file is not a workbook, or damaged. */
export function firstSheetName(entries: ZipEntries): string | undefined {
  const workbook = entries.text("xl/workbook.xml", WORKBOOK_BYTES);
  if (workbook !== undefined) return attributeOf(shownSheet(workbook), "name");
  const tag = /<table:table\s[^>]*>/.exec(entries.text("content.xml", WORKBOOK_BYTES) ?? "")?.[0];
  return attributeOf(tag, "table:name");
}

function shownSheet(workbook: string): string | undefined {
  const sheets = workbook.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? [];
  return sheets.find((sheet) => !/\sstate="(?:hidden|veryHidden)"/.test(sheet));
}

function attributeOf(tag: string | undefined, name: string): string | undefined {
  const value = tag && new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return value ? decodeXML(value[1] ?? value[2] ?? "") : undefined;
}
