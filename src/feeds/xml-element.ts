import { Parser } from "htmlparser2";

/** An element of XML. Names are in lower case, without the prefix that the root element has. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

/** Elements within elements; deeper ones are left out. */
const MAX_DEPTH = 64;

/**
 * Reads XML piece by piece. Each element of the given names goes to the listener when it ends and is then forgotten, so
 * that a file of many items needs the memory of one. What is broken is passed over. Entities and document types of the
 * file's own are never expanded.
 * @returns the root element, without those elements; undefined when there is none.
 */
export function readXml(
  text: string,
  names: ReadonlySet<string>,
  listener: (element: XmlElement) => void,
): XmlElement | undefined {
  const reading = new Reading(names, listener);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reading.open(name, attributes),
      onclosetag: () => reading.close(),
      ontext: (piece) => reading.text(piece),
    },
    { xmlMode: true },
  );
  parser.end(text);
  return reading.root;
}

class Reading {
  readonly #names: ReadonlySet<string>;
  readonly #listener: (element: XmlElement) => void;
  readonly #path: OpenElement[] = [];
  #prefix = "";
  root: XmlElement | undefined;

  constructor(names: ReadonlySet<string>, listener: (element: XmlElement) => void) {
    this.#names = names;
    this.#listener = listener;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const lower = name.toLowerCase();
    if (!this.root) this.#prefix = lower.slice(0, lower.lastIndexOf(":") + 1);
    const isOwn = this.#prefix !== "" && lower.startsWith(this.#prefix);
    const element = { name: isOwn ? lower.slice(this.#prefix.length) : lower, attributes, content: [] };
    this.root ??= element;
    this.#path.push(element);
  }

  close(): void {
    const element = this.#path.pop();
    const parent = this.#path.at(-1);
    if (!element || !parent || this.#path.length > MAX_DEPTH) return;
    if (this.#names.has(element.name)) this.#listener(element);
    else parent.content.push(element);
  }

  text(piece: string): void {
    this.#path.at(-1)?.content.push(piece);
  }
}

/** The elements directly within one, of any of these names. */
export function childrenOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  return (element?.content ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );
}

/** The text of the first child that has any, names in order of preference. */
export function childText(element: XmlElement | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names)
    for (const child of childrenOf(element, name)) {
      const text = textOf(child);
      if (text !== "") return text;
    }
  return undefined;
}

/** All text of an element, without white around it. */
export function textOf(element: XmlElement): string {
  return joinedText(element).trim();
}

function joinedText({ content }: XmlElement): string {
  return content.map((child) => (typeof child === "string" ? child : joinedText(child))).join("");
}

/** What an element holds as markup, for elements of XHTML within a feed. */
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

/** Text as XML and HTML write it. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
