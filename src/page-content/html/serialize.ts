import { StringBuilder } from "../../kit/string-builder.ts";
import { imageSource } from "./image-source.ts";
import type { Selection } from "./selection.ts";
import { DROPS_FIRST_NEWLINE, tagSet, UNDECODED_TEXT, VOID } from "./parser/tag-traits.ts";
import { type Attribute, DOCUMENT, type HtmlTree, TEXT, tagId } from "./parser/tree.ts";
import { UrlBase } from "./url-base.ts";

const HTML = tagId("html");
const IMG = tagId("img");
const MATH = tagId("math");
const PICTURE = tagId("picture");
const SOURCE = tagId("source");
const SVG = tagId("svg");

/** Elements whose `href`, `src` or `poster` is made absolute; `img` is handled on its own. */
const ADDRESSED = tagSet("a area audio embed iframe source video");
const ADDRESSES = "href src poster".split(" ");
const IMAGE_ADDRESSES: ReadonlySet<string> = new Set(["src", "srcset", "sizes"]);

/**
 * The selection as one HTML document. Links and image addresses are absolute, each image has one `src` (the largest it
 * offers) and comes once, event handler attributes are dropped. Without a selected `html` element one is put around.
 */
export function serializeHtml(selection: Selection, baseUrl: string): string {
  const writer = new HtmlWriter(selection, baseUrl);
  for (const root of selection.roots) writer.write(root);
  const html = writer.finish();
  return writer.hasDocument ? html : `<html><body>${html}</body></html>`;
}

class HtmlWriter {
  hasDocument = false;
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

  /** Writes a text or a start tag; true when content and an end tag are to follow. */
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
    const isAddressed = ADDRESSED[tag] === 1;
    let start = `<${this.#tree.nameOf(node)}`;
    for (const attribute of attributes) start += this.#formatAttribute(attribute, isAddressed);
    this.#html.add(`${start}>`);
    return VOID[tag] === 0;
  }

  #formatAttribute([name, value]: Attribute, isAddressed: boolean): string {
    if (name.startsWith("on") || /["'<]/.test(name)) return "";
    const isRelative = isAddressed && ADDRESSES.includes(name) && value.trim() !== "";
    const written = isRelative ? (this.#base.resolve(value) ?? value) : value;
    return ` ${name}="${escapeValue(written)}"`;
  }

  #textOf(node: number): string {
    const text = this.#tree.text(node);
    const parent = this.#tree.parent[node] ?? 0;
    const parentTag = this.#tree.tag[parent] ?? DOCUMENT;
    if (UNDECODED_TEXT[parentTag] === 1 && !this.#isWithinForeign(parent)) return text;
    // A parser drops the first newline of these elements; one that is content needs another before it.
    const isDropped = DROPS_FIRST_NEWLINE[parentTag] === 1 && node === parent + 1 && text.startsWith("\n");
    return (isDropped ? "\n" : "") + escapeText(text);
  }

  /**
   * Whether an element lies in svg or math, however deep. There the names of raw-text elements mean nothing, and readers
   * do not agree where HTML begins again inside: unescaped text could become tags.
   */
  #isWithinForeign(node: number): boolean {
    const { tag, parent } = this.#tree;
    for (let at = node; at > 0; at = parent[at] ?? 0) if (tag[at] === SVG || tag[at] === MATH) return true;
    return false;
  }

  /** Undefined for an image that was written before. */
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
