import { Parser } from "htmlparser2";

/** Names are in lower case, without the prefix of the root element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

export interface XmlReading {
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
  #prefix = "";
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
    if (!this.#root) this.#prefix = name.slice(0, name.lastIndexOf(":") + 1);
    const isOwn = this.#prefix !== "" && name.startsWith(this.#prefix);
    const element = { name: isOwn ? name.slice(this.#prefix.length) : name, attributes, content: [] };
    this.#root ??= element;
    this.#path.push(element);
    this.#textLength = 0;
    if (!items.has(element.name)) return;
    if (this.#openItems === 0) this.#parts = 0;
    this.#openItems += 1;
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
  const links = childrenOf(element, "link").map(({ attributes }) => attributes);
  const own =
    links.find(({ rel = "alternate" }) => rel === "alternate") ?? links.find(({ rel }) => rel === "self");
  return own?.["href"];
}

/** Address of an RSS item or an Atom entry. The id of an RSS item is one unless it says otherwise. */
export function linkOfItem(element: XmlElement): string | undefined {
  if (element.name === "entry") return linkOf(element);
  const [guid] = childrenOf(element, "guid");
  const permalink = guid && guid.attributes["isPermaLink"] !== "false" ? textOf(guid) : "";
  return childText(element, "link") ?? (/^https?:/i.test(permalink) ? permalink : undefined);
}

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
