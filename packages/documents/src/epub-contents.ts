import { decodeXML } from "entities";

import type { ZipEntries } from "./archives/zip-entries.ts";
import { childAt, parseXml, type XmlElement, xmlText } from "./office/xml.ts";

/** Of a list of contents. */
const MAX_BYTES = 4 * 1024 * 1024;
const LOWEST_LEVEL = 6;

/** By the page of a book: titles that its contents give, with their levels. That of the book is above them. */
export type Titles = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * @param name - the page with the contents, in the form of EPUB 3 or of EPUB 2
 * @param pageAt - the name of the page that an address in the contents leads to
 */
export function titlesOf(entries: ZipEntries, name: string, pageAt: (href: string) => string): Titles {
  const titles = new Map<string, Map<string, number>>();
  const add = (href: string | undefined, label: string, level: number) => {
    if (href === undefined) return;
    const page = pageAt(href);
    const known = titles.get(page) ?? new Map<string, number>();
    titles.set(page, known.set(folded(label), Math.min(level, LOWEST_LEVEL)));
  };
  const walk = (node: XmlElement, level: number) => {
    if (node.name === "nav" && !/\btoc\b/.test(node.attributes["epub:type"] ?? "")) return;
    if (node.name === "pageList") return;
    if (node.name === "a") add(node.attributes["href"], xmlText(node), level);
    if (node.name === "navPoint")
      add(childAt(node, "content")?.attributes["src"], xmlText(childAt(node, "navLabel") ?? ""), level + 1);
    const isNested = node.name === "ol" || node.name === "navPoint";
    for (const child of node.children) if (typeof child !== "string") walk(child, level + (isNested ? 1 : 0));
  };
  const root = parseXml(entries.bytes(name, MAX_BYTES)?.toString() ?? "");
  if (root) walk(root, 1);
  return titles;
}

/** A line: a paragraph or box that holds no other. */
const LINE = /<(p|div)\b([^<>]*)>((?:(?!<\/?(?:p|div)\b).)*)<\/\1\s*>/gis;

/** A page without headings, in which lines that are titles in the contents are headings. */
export function withHeadings(page: string, titles: ReadonlyMap<string, number> | undefined): string {
  if (!titles || /<h[1-6]\b/i.test(page)) return page;
  const left = new Map(titles);
  return page.replace(LINE, (line, _name, attributes: string, inner: string) => {
    const text = folded(decodeXML(inner.replace(/<[^>]*>/g, "")));
    const level = left.get(text);
    left.delete(text);
    return level === undefined ? line : `<h${level}${attributes}>${inner}</h${level}>`;
  });
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
