import { Parser } from "htmlparser2";

import { foundAddress } from "../contract/address.ts";
import { limits } from "../contract/limits.ts";

import {
  MAX_TEXT_LENGTH,
  type SitemapEntry,
  type SitemapListener,
  type SitemapReader,
} from "./sitemap-entry.ts";

/** What an element with text, directly within an entry, says of it. */
type Fact = keyof SitemapEntry;

interface EntryKind {
  readonly isSitemap?: true;
  readonly facts: ReadonlyMap<string, Fact>;
}

/** Elements that stand for a page or a sitemap, and which of their elements are read: sitemaps, RSS and Atom. */
const ENTRIES: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
  ["url", { facts: new Map([["loc", "url"]]) }],
  ["sitemap", { isSitemap: true, facts: new Map([["loc", "url"]]) }],
  [
    "item",
    {
      facts: new Map([
        ["link", "url"],
        ["title", "title"],
        ["description", "description"],
      ]),
    },
  ],
  [
    "entry",
    {
      facts: new Map([
        ["title", "title"],
        ["summary", "description"],
      ]),
    },
  ],
]);
/** `news:title` of a sitemap's entry stands within `news:news`. */
const NEWS = "news";
const ATOM_LINK = "link";
/** Elements within elements. A file with deeper ones is not a sitemap: the parser's time grows with their square. */
const MAX_DEPTH = 64;
/** Of the text of an element, with the white space around it. */
const MAX_KEPT_LENGTH = 2 * limits.foundUrlLength;

/**
 * Reads sitemaps, sitemap indexes, RSS 2.0 and Atom. What is broken is passed over: what could be read before and after
 * it counts. Entities and document types of the file's own are never expanded.
 */
export function readXmlSitemap(listener: SitemapListener): SitemapReader {
  let isTooDeep = false;
  const reading = new Reading(listener, () => {
    isTooDeep = true;
    parser.pause();
  });
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reading.open(localName(name), attributes),
      onclosetag: (name, isImplied) => reading.close(localName(name), isImplied),
      ontext: (text) => reading.text(text),
    },
    { xmlMode: true },
  );
  return {
    write: (text) => isTooDeep || parser.write(text),
    end: () => isTooDeep || parser.end(),
  };
}

class Reading {
  readonly #listener: SitemapListener;
  readonly #onTooDeep: () => void;
  readonly #path: string[] = [];
  #kind: EntryKind | undefined;
  #entry: { [Name in Fact]?: string } = {};
  #fact: Fact | undefined;
  #text = "";

  /** @param onTooDeep what comes after it is not read. */
  constructor(listener: SitemapListener, onTooDeep: () => void) {
    this.#listener = listener;
    this.#onTooDeep = onTooDeep;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#path.at(-1) ?? "";
    if (this.#path.length === MAX_DEPTH) return this.#onTooDeep();
    this.#path.push(name);
    const kind = ENTRIES.get(name);
    if (kind) {
      this.#kind = kind;
      this.#entry = {};
    }
    this.#fact = this.#factOf(name, parent);
    this.#text = "";
    if (parent === "entry" && name === ATOM_LINK && isPageLink(attributes)) {
      this.#entry.url ??= attributes["href"] ?? "";
    }
  }

  /** @param isImplied whether the file does not close it itself: what it holds may be cut off. */
  close(name: string, isImplied: boolean): void {
    this.#path.pop();
    if (this.#fact !== undefined && !isImplied) this.#entry[this.#fact] ??= this.#text.trim();
    this.#fact = undefined;
    if (!this.#kind || ENTRIES.get(name) !== this.#kind) return;
    if (!isImplied) this.#tell(this.#kind);
    this.#kind = undefined;
  }

  text(text: string): void {
    if (this.#fact !== undefined && this.#text.length < MAX_KEPT_LENGTH) {
      this.#text += text.slice(0, MAX_KEPT_LENGTH);
    }
  }

  #factOf(name: string, parent: string): Fact | undefined {
    if (!this.#kind) return undefined;
    if (parent === NEWS && name === "title") return "title";
    return ENTRIES.get(parent) === this.#kind ? this.#kind.facts.get(name) : undefined;
  }

  #tell({ isSitemap }: EntryKind): void {
    const { title, description } = this.#entry;
    const url = foundAddress(this.#entry.url ?? "");
    if (!url) return;
    if (isSitemap) this.#listener.onSitemap(url);
    else this.#listener.onPage({ url, ...cut("title", title), ...cut("description", description) });
  }
}

function cut(name: "title" | "description", text: string | undefined) {
  // A part of a string keeps the whole in memory: here the piece of the file that it was read from.
  return text ? { [name]: Buffer.from(text.slice(0, MAX_TEXT_LENGTH)).toString() } : {};
}

/** Names of elements without the prefix that a file chose. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Links of an Atom entry without a relation lead to the page; others to comments, edits and pictures. */
function isPageLink({ rel = "alternate", href }: Readonly<Record<string, string>>): boolean {
  return rel === "alternate" && href !== undefined;
}
