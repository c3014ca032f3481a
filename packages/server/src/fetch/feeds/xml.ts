import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { TEXT } from "@pergamon-dev/html/parser/tree";
import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";

/** Names are in lower case, without the prefixes of the root element and of the vocabularies of feeds. */
export interface XmlElement {
  readonly name: string;
  /** The address that relative ones in it resolve against, where `xml:base` says so. */
  readonly base: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

export interface XmlReading {
  /** URL of the file. Default: none, and `xml:base` has to be absolute. */
  readonly url?: string;
  /** Names of elements that are passed to the listener when they end, and then dropped. */
  readonly items: ReadonlySet<string>;
  onItem(element: XmlElement): void;
  /**
   * For files that are read on the main thread. Only items are kept, and their long texts are cut. An
   * incomplete item does not count. Reading stops at deep nesting, because the parser's time grows with the
   * depth.
   */
  readonly isBounded?: boolean;
}

/** Maximum depth. Deeper elements are left out. */
const MAX_DEPTH = 64;
/** Limits for a bounded item: texts and elements, and characters of a text. */
const MAX_PARTS = 10_000;
const MAX_TEXT_LENGTH = 4096;

/** Namespaces of the elements of feeds, whose prefixes say nothing. */
const VOCABULARY =
  /^https?:\/\/(?:purl\.org\/(?:rss\/|atom\/ns)|my\.netscape\.com\/rdf|(?:www\.)?w3\.org\/2005\/atom|channel\.netscape\.com\/rdf)/i;

/**
 * Reads XML piece by piece, so that a file with many items needs the memory of one. Malformed parts are
 * skipped. The file's own entities and document types are never expanded.
 */
export class XmlReader {
  readonly #reading: XmlReading;
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => this.#open(name.toLowerCase(), attributes),
      onclosetag: (_name, isImplied) => this.#close(isImplied),
      ontext: (piece) => this.#keep(piece),
    },
    { xmlMode: true },
  );
  readonly #path: OpenElement[] = [];
  #root: XmlElement | undefined;
  #prefixes: readonly string[] = [];
  #openItems = 0;
  #parts = 0;
  #textLength = 0;
  #isTooDeep = false;

  constructor(reading: XmlReading) {
    this.#reading = reading;
  }

  write(text: string): void {
    if (!this.#isTooDeep) this.#parser.write(text);
  }

  /** @returns the root element, without its items. Undefined when there is none. */
  end(): XmlElement | undefined {
    if (!this.#isTooDeep) this.#parser.end();
    return this.#root;
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { items, isBounded } = this.#reading;
    if (isBounded && this.#path.length === MAX_DEPTH) {
      this.#isTooDeep = true;
      this.#parser.pause();
      return;
    }
    if (!this.#root) this.#prefixes = prefixesOf(name, attributes);
    const prefix = name.includes(":") ? (this.#prefixes.find((one) => name.startsWith(one)) ?? "") : "";
    const base = this.#baseOf(attributes["xml:base"]);
    const element = { name: name.slice(prefix.length), base, attributes, content: [] };
    this.#root ??= element;
    this.#path.push(element);
    this.#textLength = 0;
    if (!items.has(element.name)) return;
    if (this.#openItems === 0) this.#parts = 0;
    this.#openItems += 1;
  }

  #baseOf(written: string | undefined): string | undefined {
    const around = this.#path.at(-1)?.base;
    return written === undefined
      ? around
      : (resolveUrl(written, around ?? this.#reading.url ?? "") ?? around);
  }

  #close(isImplied: boolean): void {
    const { items, isBounded, onItem } = this.#reading;
    const element = this.#path.pop();
    if (!element) return;
    this.#textLength = 0;
    const isItem = items.has(element.name);
    if (isItem) this.#openItems -= 1;
    if (this.#path.length === 0 || this.#path.length > MAX_DEPTH) return;
    if (!isItem) this.#keep(element);
    else if (!isBounded || !isImplied) onItem(element);
  }

  #keep(part: XmlElement | string): void {
    if (this.#reading.isBounded) {
      if (this.#openItems === 0 || this.#parts === MAX_PARTS || this.#textLength > MAX_TEXT_LENGTH) return;
      this.#parts += 1;
      if (typeof part === "string") this.#textLength += part.length;
    }
    this.#path.at(-1)?.content.push(part);
  }
}

function prefixesOf(root: string, attributes: Readonly<Record<string, string>>): readonly string[] {
  const declared = Object.entries(attributes).filter(
    ([name, value]) => /^xmlns:/i.test(name) && VOCABULARY.test(value),
  );
  const own = root.slice(0, root.lastIndexOf(":") + 1);
  return [own, ...declared.map(([name]) => `${name.slice("xmlns:".length).toLowerCase()}:`)].filter(
    (one) => one !== "",
  );
}

/** Direct children of an element with any of these names. */
export function childrenOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  return (element?.content ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );
}

/** Text of the first child that has any. The names are in order of preference. */
export function childText(element: XmlElement | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names)
    for (const child of childrenOf(element, name)) {
      const text = textOf(child);
      if (text !== "") return text;
    }
  return undefined;
}

/** Links of Atom lead to the page when their relation is "alternate", which is the default. */
export function linkOf(element: XmlElement): string | undefined {
  const links = childrenOf(element, "link");
  const own =
    links.find(({ attributes: { rel = "alternate" } }) => rel === "alternate") ??
    links.find(({ attributes }) => attributes["rel"] === "self");
  return own && (own.attributes["href"] ?? (textOf(own) || undefined));
}

/** Address of an RSS item or an Atom entry. The id of an RSS item is one unless it says otherwise. */
export function linkOfItem(element: XmlElement): string | undefined {
  if (element.name === "entry") return linkOf(element);
  const [guid] = childrenOf(element, "guid");
  const permalink = guid && guid.attributes["isPermaLink"] !== "false" ? textOf(guid) : "";
  return (
    childText(element, "link") ?? linkOf(element) ?? (/^https?:/i.test(permalink) ? permalink : undefined)
  );
}

/**
 * The text that readers show of a title: without markup, with the characters that HTML has names for.
 * @param isMarkup - whether titles of the feed are HTML where they do not say otherwise
 */
export function titleOf(element: XmlElement, isMarkup: boolean): string {
  const { type, mode } = element.attributes;
  if (type?.endsWith("xhtml") || type?.endsWith("xhtml+xml")) return shownText(markupOf(element));
  const isEncoded = mode === "base64" || type === "application/octet-stream";
  const text = isEncoded ? Buffer.from(textOf(element), "base64").toString() : textOf(element);
  if (!/[&<]/.test(text)) return text;
  if (isEncoded) return shownText(text);
  const isHtml =
    type === undefined ? isMarkup || mode === "escaped" : /html/i.test(type) || mode === "escaped";
  return isHtml && /<[a-z/!?]/i.test(text) ? shownText(text) : decodeHTML(text);
}

function shownText(html: string): string {
  const tree = parseHtml(`<body>${html}`);
  let text = "";
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TEXT) text += tree.text(node);
    else if (UNSEEN.has(tree.nameOf(node))) node = (tree.end[node] ?? tree.size) - 1;
  }
  return text.trim();
}

const UNSEEN: ReadonlySet<string> = new Set([
  "script",
  "style",
  "iframe",
  "object",
  "svg",
  "math",
  "template",
]);

/** All text of an element, without surrounding white space. */
export function textOf(element: XmlElement): string {
  return joinedText(element).trim();
}

function joinedText({ content }: XmlElement): string {
  return content.map((child) => (typeof child === "string" ? child : joinedText(child))).join("");
}

/** Content of an element as markup, for XHTML within a feed. */
export function markupOf({ content }: XmlElement): string {
  return content.map((child) => (typeof child === "string" ? escapeXml(child) : tagged(child))).join("");
}

function tagged(element: XmlElement): string {
  const name = element.name.replace(/^.*:/, "");
  const attributes = Object.entries(element.attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(value)}"`,
  );
  const start = `<${name}${attributes.join("")}>`;
  return element.content.length === 0 && VOID.has(name) ? start : `${start}${markupOf(element)}</${name}>`;
}

const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr"]);

/** Escapes text for XML and HTML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
