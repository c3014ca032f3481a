import { decodeHTML, decodeHTMLAttribute } from "entities";

import type { AttributeTable } from "./attribute-table.ts";
import { type AttributeNames, usualNames } from "./attribute-names.ts";
import { Classes } from "./classes.ts";
import { hashOf, isBlankBetween, isNameAt } from "./characters.ts";
import type { NodeTable } from "./node-table.ts";
import { INTEGRATION_POINT, RAW_TEXT, UNDECODED_TEXT } from "./tag-traits.ts";
import { type Attribute, type HtmlTree, TEXT, type TextVisitor, tagId, tagNames, UNKNOWN } from "./tree.ts";

const MATH = tagId("math");
const SVG = tagId("svg");

/** Up to this many attributes, repeats are found by pairwise comparison. */
const FEW = 16;

/** A tree that keeps the source and cuts texts and attributes out of it on demand. */
export class SourceTree implements HtmlTree {
  linkedRules = "";
  readonly size: number;
  readonly tag: Uint8Array;
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly #source: string;
  readonly #start: Int32Array;
  readonly #stop: Int32Array;
  readonly #firstAttribute: Int32Array;
  readonly #attributes: AttributeTable;
  /** Whether the source has characters that parsing replaces: NUL and carriage return. */
  readonly #hasControls: boolean;
  readonly #hasNul: boolean;
  #classes: Classes | undefined;
  readonly #references: NextSign;
  readonly #returns: NextSign;

  constructor(source: string, table: NodeTable, mayHaveNul: boolean) {
    this.size = table.size;
    this.tag = table.tag.subarray(0, table.size);
    this.parent = table.parent.subarray(0, table.size);
    this.end = table.end.subarray(0, table.size);
    this.#start = table.start;
    this.#stop = table.stop;
    this.#firstAttribute = table.firstAttribute;
    this.#attributes = table.attributes;
    this.#source = source;
    this.#references = new NextSign(source, "&");
    this.#returns = new NextSign(source, "\r");
    this.#hasNul = mayHaveNul && source.includes("\0");
    this.#hasControls = this.#hasNul || source.includes("\r");
  }

  text(node: number): string {
    if (this.tag[node] !== TEXT) return "";
    const parent = this.parent[node] ?? 0;
    const raw = this.#cut(this.#start[node] ?? 0, this.#stop[node] ?? 0, parent);
    if (raw.indexOf("&") < 0) return raw;
    const isUndecoded = UNDECODED_TEXT[this.tag[parent] ?? 0] === 1 && !this.#isForeign(parent);
    return isUndecoded ? raw : decodeHTML(raw);
  }

  visitText<Target>(node: number, visit: TextVisitor<Target>, target: Target): void {
    if (this.tag[node] !== TEXT) return;
    const from = this.#start[node] ?? 0;
    const to = this.#stop[node] ?? 0;
    if (this.#isPlain(from, to)) return visit(this.#source, from, to, target);
    const text = this.text(node);
    visit(text, 0, text.length, target);
  }

  nameOf(node: number): string {
    const tag = this.tag[node] ?? UNKNOWN;
    if (tag !== UNKNOWN) return tagNames[tag] ?? "";
    return this.#cut(this.#start[node] ?? 0, this.#stop[node] ?? 0).toLowerCase();
  }

  classes(): Classes {
    return (this.#classes ??= this.#readClasses());
  }

  attribute(node: number, name: string): string | undefined {
    const classes = name === "class" ? this.#classes : undefined;
    const number = classes?.of[node] ?? 0;
    if (number > 0) return classes?.names[number];
    const index = this.#find(node, name);
    return index < 0 ? undefined : this.#value(index);
  }

  attributes(node: number): readonly Attribute[] {
    const last = this.#endOfAttributes(node);
    const first = this.#firstAttribute[node] ?? 0;
    const attributes: Attribute[] = [];
    const seen = last - first > FEW ? new Set<string>() : undefined;
    for (let index = first; index < last; index++) {
      const name = this.#name(index);
      const isRepeated = seen?.has(name) ?? attributes.some(([earlier]) => earlier === name);
      if (!isRepeated) attributes.push([name, this.#value(index)]);
      seen?.add(name);
    }
    return attributes;
  }

  mayHave(node: number, names: AttributeNames): boolean {
    const last = this.#endOfAttributes(node);
    const { hash } = this.#attributes;
    for (let index = this.#firstAttribute[node] ?? 0; index < last; index++) {
      if (names.mayHold(hash[index] ?? 0)) return true;
    }
    return false;
  }

  mayHaveAnywhere(name: string): boolean {
    const { hash, size } = this.#attributes;
    const at = hash.indexOf(hashOf(name));
    return at >= 0 && at < size;
  }

  isBlank(node: number): boolean {
    return (
      this.tag[node] === TEXT && isBlankBetween(this.#source, this.#start[node] ?? 0, this.#stop[node] ?? 0)
    );
  }

  attributeStartsWith(node: number, name: string, prefix: string): boolean {
    const index = this.#find(node, name);
    if (index < 0) return false;
    const start = this.#attributes.valueStart[index] ?? 0;
    const isLongEnough = (this.#attributes.valueEnd[index] ?? 0) >= start + prefix.length;
    return isLongEnough && isAt(this.#source, start, prefix);
  }

  textContent(node: number): string {
    const end = this.end[node] ?? 0;
    let content = "";
    for (let i = node; i < end; i++) if (this.tag[i] === TEXT) content += this.text(i);
    return content;
  }

  #readClasses(): Classes {
    const classes = new Classes(this.#source, this.size);
    const { valueStart, valueEnd } = this.#attributes;
    for (let node = 1; node < this.size; node++) {
      const index = this.tag[node] === TEXT ? -1 : this.#find(node, "class");
      if (index < 0) continue;
      const start = valueStart[index] ?? 0;
      const end = valueEnd[index] ?? 0;
      if (end > start && !classes.repeat(node, start, end)) classes.add(node, this.#value(index), start, end);
    }
    return classes;
  }

  /** Whether a part of the source needs no decoding. */
  #isPlain(from: number, to: number): boolean {
    if (this.#hasNul || this.#references.after(from) < to) return false;
    return !this.#hasControls || this.#returns.after(from) >= to;
  }

  /** Number of the node's first attribute with this name; -1 when there is none. */
  #find(node: number, name: string): number {
    const last = this.#endOfAttributes(node);
    let index = this.#firstAttribute[node] ?? 0;
    if (index >= last) return -1;
    const { hash } = this.#attributes;
    const wanted = hashOf(name);
    for (; index < last; index++) if (hash[index] === wanted && this.#isNamed(index, name)) return index;
    return -1;
  }

  #endOfAttributes(node: number): number {
    const next = node + 1;
    return next < this.size ? (this.#firstAttribute[next] ?? 0) : this.#attributes.size;
  }

  #name(index: number): string {
    const usual = usualNames.get(this.#attributes.hash[index] ?? 0);
    if (usual !== undefined && this.#isNamed(index, usual)) return usual;
    return this.#cut(
      this.#attributes.nameStart[index] ?? 0,
      this.#attributes.nameEnd[index] ?? 0,
    ).toLowerCase();
  }

  #isNamed(index: number, name: string): boolean {
    const start = this.#attributes.nameStart[index] ?? 0;
    return this.#attributes.nameEnd[index] === start + name.length && isNameAt(this.#source, start, name);
  }

  #value(index: number): string {
    const value = this.#cut(this.#attributes.valueStart[index] ?? 0, this.#attributes.valueEnd[index] ?? 0);
    return value.indexOf("&") >= 0 ? decodeHTMLAttribute(value) : value;
  }

  /** A part of the source after parsing. `textOf` is the parent element when the part is a text. */
  #cut(from: number, to: number, textOf = -1): string {
    const raw = this.#source.slice(from, to);
    if (!this.#hasControls) return raw;
    const lines = raw.includes("\r") ? raw.replace(/\r\n?/gu, "\n") : raw;
    if (!lines.includes("\0")) return lines;
    return lines.replaceAll("\0", textOf >= 0 && this.#dropsNul(textOf) ? "" : "\uFFFD");
  }

  /**
   * Texts of HTML elements lose NUL characters. In raw text and svg, a replacement character stands for each.
   */
  #dropsNul(node: number): boolean {
    const isHtml = !this.#isForeign(node);
    return isHtml && (RAW_TEXT[this.tag[node] ?? 0] === 0 || this.#isForeign(this.parent[node] ?? 0));
  }

  /** Whether children of an element belong to svg or math. */
  #isForeign(node: number): boolean {
    for (let at = node; at > 0; at = this.parent[at] ?? 0) {
      const tag = this.tag[at] ?? 0;
      if (tag === SVG || tag === MATH) return true;
      if (INTEGRATION_POINT[tag] === 1) return false;
    }
    return false;
  }
}

/**
 * Finds the next occurrence of a character. Callers mostly ask in order, so one search answers for many
 * offsets.
 */
class NextSign {
  readonly #source: string;
  readonly #sign: string;
  #searchedFrom = 0;
  #found = -1;

  constructor(source: string, sign: string) {
    this.#source = source;
    this.#sign = sign;
  }

  /** The first occurrence at or after an offset; the length of the source when there is none. */
  after(from: number): number {
    if (from < this.#searchedFrom || from > this.#found) {
      const found = this.#source.indexOf(this.#sign, from);
      this.#searchedFrom = from;
      this.#found = found < 0 ? this.#source.length : found;
    }
    return this.#found;
  }
}

function isAt(source: string, start: number, wanted: string): boolean {
  for (let at = 0; at < wanted.length; at++) {
    if (source.charCodeAt(start + at) !== wanted.charCodeAt(at)) return false;
  }
  return true;
}
