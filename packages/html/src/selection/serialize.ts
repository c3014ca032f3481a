import { StringBuilder } from "@pergamon-dev/kit/string-builder";
import { imageSource, isLazyAddress } from "./image-source.ts";
import type { Selection } from "./selection.ts";
import { DROPS_FIRST_NEWLINE, type TagSet, tagSet, UNDECODED_TEXT, VOID } from "../parser/tag-traits.ts";
import { largestCandidate, parseSrcset } from "./srcset.ts";
import { type Attribute, DOCUMENT, type HtmlTree, TEXT, tagId } from "../parser/tree.ts";
import { UrlBase } from "./url-base.ts";

const BODY = tagId("body");
const HTML = tagId("html");
const IMG = tagId("img");
const MATH = tagId("math");
const PICTURE = tagId("picture");
const SOURCE = tagId("source");
const SVG = tagId("svg");

/** Attributes that hold a URL → the elements on which they do; undefined for all elements. */
const ADDRESSES: ReadonlyMap<string, TagSet | undefined> = new Map([
  ["href", undefined],
  ["xlink:href", undefined],
  ["src", undefined],
  ["poster", undefined],
  ["formaction", undefined],
  ["longdesc", undefined],
  ["action", tagSet("form")],
  ["data", tagSet("object")],
  ["cite", tagSet("blockquote q del ins")],
  ["background", tagSet("body table thead tbody tfoot tr td th")],
]);
/** Elements on which a URL that begins with `#` leads to the page. Elsewhere it names a part of a drawing. */
const LINKS = tagSet("a area");
/** A URL in a style. Longer ones are data. */
const STYLE_URL = /url\(\s{0,9}(?:"([^"]{1,2048})"|'([^']{1,2048})'|([^"'()\s]{1,2048}))\s{0,9}\)/giu;
const IMAGE_ADDRESSES: ReadonlySet<string> = new Set(["src", "srcset", "sizes"]);

/**
 * Serializes the selection as one HTML document. URLs are absolute, each image appears once with one `src`
 * (the largest it offers), event handler attributes are dropped. Missing `html` and `body` elements are
 * added.
 */
export function serializeHtml(selection: Selection, baseUrl: string): string {
  const writer = new HtmlWriter(selection, baseUrl);
  for (const root of selection.roots) writer.write(root);
  const html = writer.finish();
  if (writer.hasDocument) return html;
  return writer.hasBody ? `<html>${html}</html>` : `<html><body>${html}</body></html>`;
}

class HtmlWriter {
  hasDocument = false;
  hasBody = false;
  readonly #html = new StringBuilder();
  readonly #tree: HtmlTree;
  readonly #skipped: Uint8Array;
  readonly #base: UrlBase;
  readonly #seenImages = new Set<string>();

  constructor(selection: Selection, baseUrl: string) {
    this.#tree = selection.tree;
    this.#skipped = selection.skipped;
    this.#base = new UrlBase(baseUrl);
  }

  write(root: number): void {
    const { end } = this.#tree;
    const open: number[] = [];
    const last = end[root] ?? 0;
    let node = root;
    while (node < last) {
      this.#closeBefore(node, open);
      const hasContent = this.#writeNode(node);
      if (hasContent) open.push(node);
      node = hasContent ? node + 1 : (end[node] ?? last);
    }
    this.#closeBefore(last, open);
  }

  finish(): string {
    return this.#html.toString();
  }

  #closeBefore(node: number, open: number[]): void {
    for (let top = open.at(-1); top !== undefined && (this.#tree.end[top] ?? 0) <= node; top = open.at(-1)) {
      if (top !== 0) this.#html.add(`</${this.#tree.nameOf(top)}>`);
      open.pop();
    }
  }

  /** Writes a text or a start tag. Returns true when content and an end tag must follow. */
  #writeNode(node: number): boolean {
    if (this.#skipped[node] === 1) return false;
    const tag = this.#tree.tag[node] ?? TEXT;
    if (tag === DOCUMENT) return true;
    if (tag === TEXT) this.#html.add(this.#textOf(node));
    if (tag === TEXT || (tag === SOURCE && this.#tree.tag[this.#tree.parent[node] ?? 0] === PICTURE))
      return false;
    const attributes = tag === IMG ? this.#imageAttributes(node) : this.#tree.attributes(node);
    if (attributes === undefined) return false;
    if (tag === HTML) this.hasDocument = true;
    if (tag === BODY) this.hasBody = true;
    let start = `<${this.#tree.nameOf(node)}`;
    for (const attribute of attributes) start += this.#formatAttribute(attribute, tag);
    this.#html.add(`${start}>`);
    return VOID[tag] === 0;
  }

  #formatAttribute([name, value]: Attribute, tag: number): string {
    if (name.startsWith("on") || /["'<]/.test(name)) return "";
    return ` ${name}="${escapeValue(this.#absolute(name, value, tag))}"`;
  }

  /** The value of an attribute, with absolute URLs. */
  #absolute(name: string, value: string, tag: number): string {
    if (name === "style") return value.includes("(") ? this.#absoluteStyle(value) : value;
    if (name === "srcset" || name === "data-srcset")
      return this.#resolve(largestCandidate(parseSrcset(value))?.url ?? "") || value;
    const isAddress = ADDRESSES.has(name)
      ? (ADDRESSES.get(name)?.[tag] ?? 1) === 1 && (LINKS[tag] === 1 || !value.startsWith("#"))
      : isLazyAddress(name, value);
    return isAddress ? this.#resolve(value) : value;
  }

  #absoluteStyle(style: string): string {
    return style.replace(STYLE_URL, (whole: string, ...parts: (string | undefined)[]) => {
      const address = parts[0] ?? parts[1] ?? parts[2] ?? "";
      const absolute = address.startsWith("#") ? address : this.#resolve(address);
      return absolute === address ? whole : `url("${absolute.replaceAll('"', "%22")}")`;
    });
  }

  #resolve(address: string): string {
    return address.trim() === "" ? address : (this.#base.resolve(address) ?? address);
  }

  #textOf(node: number): string {
    const text = this.#tree.text(node);
    const parent = this.#tree.parent[node] ?? 0;
    const parentTag = this.#tree.tag[parent] ?? DOCUMENT;
    if (UNDECODED_TEXT[parentTag] === 1 && !this.#isWithinForeign(parent)) return text;
    // A parser drops the first newline of these elements, so a newline that is content needs another before
    // it.
    const isDropped = DROPS_FIRST_NEWLINE[parentTag] === 1 && node === parent + 1 && text.startsWith("\n");
    return (isDropped ? "\n" : "") + escapeText(text);
  }

  /**
   * Whether an element lies in svg or math, at any depth. There, names of raw-text elements mean nothing, and
   * parsers disagree where HTML begins again inside: unescaped text could become tags.
   */
  #isWithinForeign(node: number): boolean {
    const { tag, parent } = this.#tree;
    for (let at = node; at > 0; at = parent[at] ?? 0) if (tag[at] === SVG || tag[at] === MATH) return true;
    return false;
  }

  /** Undefined for an image that was already written. */
  #imageAttributes(node: number): readonly Attribute[] | undefined {
    const address = imageSource(this.#tree, node);
    if (address === undefined) return this.#tree.attributes(node);
    const source = this.#base.resolve(address) ?? address;
    if (this.#seenImages.has(source)) return undefined;
    this.#seenImages.add(source);
    const others = this.#tree.attributes(node).filter(([name]) => !IMAGE_ADDRESSES.has(name));
    return [["src", source], ...others];
  }
}

function escapeValue(value: string): string {
  const escaped = escapeText(value);
  return escaped.indexOf('"') < 0 ? escaped : escaped.replaceAll('"', "&quot;");
}

function escapeText(text: string): string {
  if (!/[&<>\u00A0]/.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\u00A0", "&nbsp;");
}
