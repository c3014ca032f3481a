import { posix } from "node:path";

import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";

import type { ZipEntries } from "./archives/zip-entries.ts";
import { titlesOf, withHeadings, type Titles } from "./epub-contents.ts";
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
const LINK_WITHIN = /(<a\b[^<>]*?\shref\s*=\s*["'])(?![a-z][a-z\d+.-]*:)([^"'<>]*)/gi;
const IDENTIFIED = /(<[a-z][^<>]*?\sid\s*=\s*["'])/gi;
/** What a part of a book is: EPUB Structural Semantics Vocabulary 1.1. */
const NOTE_REFERENCE = /\sepub:type\s*=\s*["'][^"'<>]*\bnoteref\b[^"'<>]*["']/gi;
const NOTE = /\sepub:type\s*=\s*["'][^"'<>]*\b(?:foot|end|rear)notes?\b[^"'<>]*["']/gi;
const BODY = /<body\b[^<>]*>(.*)<\/body\s*>/is;
const OWN_STYLE = /<style\b[^<>]*>[^<]*<\/style\s*>/gi;
const PICTURE = /<img\b[^<>]*>/gi;
const STYLE_SHEET = /<link\b[^<>]*\shref\s*=\s*["']([^"'<>]+\.css)["'][^<>]*>/gi;
const HIDES = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/**
 * The chapters of a book in order: EPUB 3.3. Without pictures, but with their descriptions, with notes, wherever they
 * stand, and without other links within the book.
 * @throws DocumentError `unreadable-file`.
 */
export function epubMarkdown(entries: ZipEntries, title: string | undefined): string {
  const { chapters, titles } = bookOf(entries);
  if (chapters.length === 0) throw unreadable("it is damaged, or no such file");
  const locked = entries.text("META-INF/encryption.xml", MAX_STYLE_BYTES) ?? "";
  if (chapters.some((name) => locked.includes(`"${name}"`)))
    throw unreadable("it is encrypted; save it without a password");
  const styles = new Styles(entries);
  const numbers = new Map(chapters.map((name, at) => [name, at]));
  let leftBytes = MAX_UNPACKED_BYTES;
  const parts = title ? [`<h1>${escapeText(title)}</h1>`] : [];
  for (const name of chapters) {
    const bytes = entries.bytes(name, Math.max(1, leftBytes));
    leftBytes -= bytes?.length ?? 0;
    const html = bytes ? chapterHtml(bytes, name, numbers, styles) : "";
    parts.push(`<section>${withHeadings(html, titles.get(name))}</section>`);
  }
  return withoutRepeatedHeadings(toMarkdown(selectAll(parseHtml(parts.join(""))), ""));
}

interface Book {
  /** Names of the pages in their order. */
  readonly chapters: readonly string[];
  readonly titles: Titles;
}

function bookOf(entries: ZipEntries): Book {
  const named = (parent: XmlElement | undefined, name: string) =>
    parent ? elementsBelow(parent, name, `opf:${name}`) : [];
  const container = parseXml(entries.bytes("META-INF/container.xml")?.toString() ?? "");
  const told = named(container, "rootfile")[0]?.attributes["full-path"];
  const main = told ?? entries.names().find((name) => name.endsWith(".opf")) ?? "";
  const book = parseXml(entries.bytes(main, MAX_UNPACKED_BYTES)?.toString() ?? "");
  const items = named(book, "item").map(({ attributes }) => attributes);
  const byId = new Map(items.map((item) => [item["id"], item]));
  const chapters = named(book, "itemref").flatMap(({ attributes }) => {
    const item = byId.get(attributes["idref"]);
    const isPage = /html/.test(item?.["media-type"] ?? "");
    return item && isPage ? [pathFrom(main, item["href"] ?? "")] : [];
  });
  const contents =
    items.find((item) => /\bnav\b/.test(item["properties"] ?? "")) ??
    items.find((item) => item["media-type"] === "application/x-dtbncx+xml");
  const list = contents && pathFrom(main, contents["href"] ?? "");
  const titles = list === undefined ? [] : titlesOf(entries, list, (href) => pathFrom(list, href));
  return { chapters, titles: new Map(titles) };
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

/** What stands in a page of the book, with the styles that hide something of it. Ids are those of the whole book. */
function chapterHtml(
  bytes: Buffer,
  name: string,
  numbers: ReadonlyMap<string, number>,
  styles: Styles,
): string {
  const page = decodeBody(bytes, "application/xhtml+xml").replace(
    CLOSED_AT_ONCE,
    (tag, element: string, attributes: string) =>
      EMPTY.test(element) ? tag : `<${element}${attributes}></${element}>`,
  );
  const body = BODY.exec(page)?.[1] ?? page;
  const sheets = [...page.matchAll(STYLE_SHEET)].map(([, href = ""]) => styles.at(pathFrom(name, href)));
  const shown = body
    .replace(PICTURE, (tag) => {
      const [, double, single = ""] = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
      return describing(double ?? single);
    })
    .replace(IDENTIFIED, `$1${numbers.get(name)}-`)
    .replace(LINK_WITHIN, (_all, before: string, href: string) => {
      const path = href.startsWith("#") ? name : pathFrom(name, href);
      return `${before}book:#${numbers.get(path)}-${href.replace(/^[^#]*#?/, "")}`;
    })
    .replace(NOTE_REFERENCE, ' role="doc-noteref"')
    .replace(NOTE, ' role="doc-footnote"');
  return [...sheets, ...(body === page ? [] : (page.match(OWN_STYLE) ?? [])), shown].join("");
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

/** As after a page that has only the title. */
function withoutRepeatedHeadings(text: string): string {
  return text.replace(/^(#{1,6} )(.+)(?:\n\n#{1,6} \2$)+/gm, "$1$2");
}
