import { posix } from "node:path";

import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";

import type { ZipEntries } from "./archives/zip-entries.ts";
import { unreadable } from "./errors.ts";
import { escapeText } from "./model/html-escape.ts";
import { describing } from "./office-inlines.ts";
import { elementsBelow, parseXml, type XmlElement } from "./office/xml.ts";

/** Of all chapters together. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
/** Of one style sheet, in the archive and of its text; and of how many. */
const MAX_STYLE_BYTES = 64 * 1024;
const MAX_STYLES = 50;

/** Elements that HTML knows to be empty. Others that XHTML closes at once would hold all that follows. */
const EMPTY = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
const CLOSED_AT_ONCE = /<([a-z][\w:.-]*)((?:\s[^<>]*)?)\/>/gi;
const LINK_WITHIN = /(<a\b[^<>]*?)\shref\s*=\s*(["'])(?![a-z][a-z\d+.-]*:)[^"'<>]*\2/gi;
const PICTURE = /<img\b[^<>]*>/gi;
const STYLE_SHEET = /<link\b[^<>]*\shref\s*=\s*["']([^"'<>]+\.css)["'][^<>]*>/gi;
const HIDES = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/**
 * The chapters of a book in order, each converted as a page: EPUB 3.3. Without pictures, but with their descriptions,
 * and without links within the book.
 * @throws DocumentError `unreadable-file`.
 */
export function epubMarkdown(entries: ZipEntries, title: string | undefined): string {
  const chapters = chaptersOf(entries);
  if (chapters.length === 0) throw unreadable("it is damaged, or no such file");
  const locked = entries.text("META-INF/encryption.xml", MAX_STYLE_BYTES) ?? "";
  if (chapters.some((name) => locked.includes(`"${name}"`)))
    throw unreadable("it is encrypted; save it without a password");
  const styles = new Styles(entries);
  let leftBytes = MAX_UNPACKED_BYTES;
  const parts = title ? [markdownOf(`<h1>${escapeText(title)}</h1>`)] : [];
  for (const name of chapters) {
    const bytes = entries.bytes(name, Math.max(1, leftBytes));
    leftBytes -= bytes?.length ?? 0;
    const text = bytes ? markdownOf(chapterHtml(bytes, name, styles)) : "";
    const shown = withoutRepeatedHeading(text, parts.at(-1));
    if (shown !== "") parts.push(shown);
  }
  return parts.join("\n\n");
}

/** Names of the pages in their order. */
function chaptersOf(entries: ZipEntries): readonly string[] {
  const named = (parent: XmlElement | undefined, name: string) =>
    parent ? elementsBelow(parent, name, `opf:${name}`) : [];
  const container = parseXml(entries.bytes("META-INF/container.xml")?.toString() ?? "");
  const told = named(container, "rootfile")[0]?.attributes["full-path"];
  const main = told ?? entries.names().find((name) => name.endsWith(".opf")) ?? "";
  const book = parseXml(entries.bytes(main, MAX_UNPACKED_BYTES)?.toString() ?? "");
  const items = new Map(named(book, "item").map(({ attributes }) => [attributes["id"], attributes]));
  return named(book, "itemref").flatMap(({ attributes }) => {
    const item = items.get(attributes["idref"]);
    const isPage = /html/.test(item?.["media-type"] ?? "");
    return item && isPage ? [pathFrom(main, item["href"] ?? "")] : [];
  });
}

function pathFrom(file: string, href: string): string {
  let path = href.replace(/[?#].*$/s, "");
  try {
    path = decodeURIComponent(path);
  } catch {
    // A per cent sign that is one.
  }
  return posix.join(posix.dirname(file), path);
}

function chapterHtml(bytes: Buffer, name: string, styles: Styles): string {
  return decodeBody(bytes, "application/xhtml+xml")
    .replace(STYLE_SHEET, (_all, href: string) => styles.at(pathFrom(name, href)))
    .replace(PICTURE, (tag) => {
      const [, double, single = ""] = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
      return describing(double ?? single);
    })
    .replace(LINK_WITHIN, "$1")
    .replace(CLOSED_AT_ONCE, (tag, element: string, attributes: string) =>
      EMPTY.test(element) ? tag : `<${element}${attributes}></${element}>`,
    );
}

/** Style sheets as elements, if they hide anything: other rules have no effect on the text. */
class Styles {
  readonly #entries: ZipEntries;
  readonly #read = new Map<string, string>();

  constructor(entries: ZipEntries) {
    this.#entries = entries;
  }

  at(path: string): string {
    const known = this.#read.get(path);
    if (known !== undefined || this.#read.size >= MAX_STYLES) return known ?? "";
    const css = this.#entries.text(path, MAX_STYLE_BYTES)?.slice(0, MAX_STYLE_BYTES) ?? "";
    const style = HIDES.test(css) ? `<style>${css.replaceAll("<", "")}</style>` : "";
    this.#read.set(path, style);
    return style;
  }
}

function markdownOf(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "");
}

const OPENING_HEADING = /^#{1,6} (.+)(?:\n\n|$)/;

/** As after a page that has only the title. */
function withoutRepeatedHeading(text: string, before = ""): string {
  const [heading = "", words] = OPENING_HEADING.exec(text) ?? [];
  const last = /(?:^|\n)#{1,6} (.+)$/.exec(before)?.[1];
  return words !== undefined && words === last ? text.slice(heading.length) : text;
}
