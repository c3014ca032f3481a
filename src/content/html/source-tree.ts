import { decodeHTML, decodeHTMLAttribute } from "entities";

import { NAME_BREAK } from "./characters.ts";
import type { NodeTable } from "./node-table.ts";
import { parseAttributes } from "./scan-attributes.ts";
import { UNDECODED_TEXT } from "./tag-traits.ts";
import { type Attribute, type HtmlTree, TEXT, tagNames, UNKNOWN } from "./tree.ts";

const NO_ATTRIBUTES: readonly Attribute[] = [];

/** A tree that keeps the source and cuts texts and attributes out of it when they are asked for. */
export class SourceTree implements HtmlTree {
  readonly size: number;
  readonly tag: Uint8Array;
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly #source: string;
  readonly #start: Int32Array;
  readonly #stop: Int32Array;
  readonly #attributes = new Map<number, readonly Attribute[]>();
  /** Whether the source has characters that parsing replaces: NUL and carriage return. */
  readonly #hasControls: boolean;

  constructor(source: string, table: NodeTable) {
    this.size = table.size;
    this.tag = table.tag.subarray(0, table.size);
    this.parent = table.parent.subarray(0, table.size);
    this.end = table.end.subarray(0, table.size);
    this.#start = table.start;
    this.#stop = table.stop;
    this.#source = source;
    this.#hasControls = source.includes("\r") || source.includes("\0");
  }

  text(node: number): string {
    if (this.tag[node] !== TEXT) return "";
    const raw = this.#cut(this.#start[node] ?? 0, this.#stop[node] ?? 0);
    const parentTag = this.tag[this.parent[node] ?? 0] ?? 0;
    return UNDECODED_TEXT[parentTag] === 1 || !raw.includes("&") ? raw : decodeHTML(raw);
  }

  nameOf(node: number): string {
    const tag = this.tag[node] ?? UNKNOWN;
    if (tag !== UNKNOWN) return tagNames[tag] ?? "";
    const start = this.#start[node] ?? 0;
    return this.#cut(start, this.#nameEnd(node)).toLowerCase();
  }

  attribute(node: number, name: string): string | undefined {
    for (const [key, value] of this.attributes(node)) if (key === name) return value;
    return undefined;
  }

  attributes(node: number): readonly Attribute[] {
    if (node === 0 || this.tag[node] === TEXT) return NO_ATTRIBUTES;
    const nameEnd = this.#nameEnd(node);
    const stop = this.#stop[node] ?? 0;
    if (nameEnd >= stop) return NO_ATTRIBUTES;
    const known = this.#attributes.get(node);
    if (known !== undefined) return known;
    const decode = (raw: string): string => this.#decodeValue(raw);
    const attributes = parseAttributes(this.#source, nameEnd, stop, decode);
    this.#attributes.set(node, attributes);
    return attributes;
  }

  textContent(node: number): string {
    const end = this.end[node] ?? 0;
    let content = "";
    for (let i = node; i < end; i++) if (this.tag[i] === TEXT) content += this.text(i);
    return content;
  }

  #nameEnd(node: number): number {
    const stop = this.#stop[node] ?? 0;
    let at = this.#start[node] ?? 0;
    const known = this.tag[node] ?? UNKNOWN;
    if (known !== UNKNOWN) return at + (tagNames[known]?.length ?? 0);
    while (at < stop && NAME_BREAK[this.#source.charCodeAt(at)] !== 1) at++;
    return at;
  }

  #decodeValue(raw: string): string {
    const value = this.#hasControls ? replaceControls(raw) : raw;
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  #cut(from: number, to: number): string {
    const raw = this.#source.slice(from, to);
    return this.#hasControls ? replaceControls(raw) : raw;
  }
}

/** What the HTML standard does to the input before parsing: one kind of line end, no NUL. */
function replaceControls(raw: string): string {
  const lines = raw.includes("\r") ? raw.replace(/\r\n?/gu, "\n") : raw;
  return lines.includes("\0") ? lines.replaceAll("\0", "\uFFFD") : lines;
}
