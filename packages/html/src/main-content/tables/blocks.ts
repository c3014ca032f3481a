import { type HtmlTree, TEXT, tagId } from "../../parser/tree.ts";
import { codeClass, SPACE } from "./code-class.ts";
import { BLOCK, type Elements } from "./elements.ts";

const ANCHOR = tagId("a");
const BR = tagId("br");
const IMG = tagId("img");

/** Runs of text between the edges of block-level elements, in document order. Each run has visible text. */
export interface Blocks {
  readonly size: number;
  /** Block-level element around the run. */
  readonly owner: Int32Array;
  /** First and last text node of the run. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Number of links that begin in the run, and of its line breaks and images. */
  readonly links: Int32Array;
  readonly breaks: Int32Array;
  readonly images: Int32Array;
  /** Target of the first link in the run: 0 no link, 1 the page itself, 2 the same site, 3 elsewhere. */
  readonly linkKind: Int32Array;
  /** By node: end of the link around a text node, 0 outside links. */
  readonly linkEnd: Int32Array;
}

export function findBlocks(tree: HtmlTree, elements: Elements, pageUrl: string): Blocks {
  return new BlockFinder(tree, elements, pageUrl).find();
}

class BlockFinder {
  readonly #tree: HtmlTree;
  readonly #elements: Elements;
  readonly #linkEnd: Int32Array;
  readonly #columns: Int32Array[];
  #size = 0;
  /** Whether the next text belongs to the last block. */
  #isOpen = false;
  /** Counts since the end of the last block, for the next one. */
  #waitingLinks = 0;
  #linkKind = 0;
  /** Whether the last text has anything but white space. */
  readonly #ink = { isSeen: false };
  readonly #host: string;

  constructor(tree: HtmlTree, elements: Elements, pageUrl: string) {
    this.#tree = tree;
    this.#host = URL.canParse(pageUrl) ? new URL(pageUrl).hostname.replace(/^www\./, "") : "";
    this.#elements = elements;
    this.#linkEnd = new Int32Array(tree.size);
    const capacity = 64 + (tree.size >> 2);
    this.#columns = Array.from({ length: 7 }, () => new Int32Array(capacity));
  }

  find(): Blocks {
    const { size, tag, end } = this.#tree;
    const { out } = this.#elements;
    let linkEnd = 0;
    const edges = new EdgeStack();
    for (let node = 0; node < size; node++) {
      if (edges.passes(node)) this.#isOpen = false;
      if (out[node] === 1) {
        node = (end[node] ?? size) - 1;
      } else if (tag[node] === TEXT) {
        this.#linkEnd[node] = node < linkEnd ? linkEnd : 0;
        this.#text(node, node < linkEnd);
      } else if (BLOCK[tag[node] ?? 0] === 1) {
        this.#isOpen = false;
        this.#waitingLinks = 0;
        edges.push(end[node] ?? size);
      } else {
        if (tag[node] === ANCHOR && this.#isLink(node)) linkEnd = end[node] ?? 0;
        this.#inline(tag[node] ?? 0, node < linkEnd);
      }
    }
    return this.#blocks();
  }

  #blocks(): Blocks {
    const cut = (at: number): Int32Array => (this.#columns[at] ?? new Int32Array(0)).subarray(0, this.#size);
    return {
      size: this.#size,
      owner: cut(0),
      first: cut(1),
      last: cut(2),
      links: cut(3),
      breaks: cut(4),
      images: cut(5),
      linkKind: cut(6),
      linkEnd: this.#linkEnd,
    };
  }

  #text(node: number, isLinked: boolean): void {
    if (this.#tree.isBlank(node) || !this.#isVisible(node)) return;
    if (this.#isOpen) {
      this.#set(2, node);
      return;
    }
    this.#isOpen = true;
    if (this.#size === this.#columns[0]?.length) this.#grow();
    this.#size++;
    this.#set(0, this.#elements.block[this.#tree.parent[node] ?? 0] ?? 0);
    this.#set(1, node);
    this.#set(2, node);
    this.#set(3, Math.max(this.#waitingLinks, isLinked ? 1 : 0));
    this.#set(6, isLinked ? this.#linkKind : 0);
    this.#waitingLinks = 0;
  }

  #isVisible(node: number): boolean {
    this.#ink.isSeen = false;
    this.#tree.visitText(node, lookForInk, this.#ink);
    return this.#ink.isSeen;
  }

  #inline(tag: number, isLinked: boolean): void {
    if (tag === BR) this.#count(4);
    else if (tag === IMG) this.#count(5);
    else if (tag === ANCHOR && isLinked) {
      if (!this.#isOpen) this.#waitingLinks = 1;
      else if (this.#count(3) === 1) this.#set(6, this.#linkKind);
    }
  }

  /** Records where a link leads; false for an anchor that is not a link. */
  #isLink(node: number): boolean {
    const href = this.#tree.attribute(node, "href");
    if (href === undefined) return false;
    if (href.startsWith("#")) this.#linkKind = 1;
    else this.#linkKind = !/^(?:https?:)?\/\//i.test(href) || href.slice(0, 100).includes(this.#host) ? 2 : 3;
    return true;
  }

  /** Adds one to a column of the open block and returns the sum. */
  #count(column: number): number {
    const at = this.#size - 1;
    const counts = this.#columns[column];
    if (!this.#isOpen || !counts) return 0;
    return (counts[at] = (counts[at] ?? 0) + 1);
  }

  #set(column: number, value: number): void {
    const values = this.#columns[column];
    if (values) values[this.#size - 1] = value;
  }

  #grow(): void {
    for (let at = 0; at < this.#columns.length; at++) {
      const column = this.#columns[at] ?? new Int32Array(0);
      const larger = new Int32Array(column.length * 2);
      larger.set(column);
      this.#columns[at] = larger;
    }
  }
}

function lookForInk(source: string, from: number, to: number, ink: { isSeen: boolean }): void {
  let at = from;
  while (at < to && codeClass(source.charCodeAt(at)) === SPACE) at++;
  ink.isSeen = at < to;
}

/** Ends of the open block-level elements, innermost last. */
class EdgeStack {
  readonly #ends: number[] = [];

  push(end: number): void {
    this.#ends.push(end);
  }

  /** Whether an edge lies at or before the node. Such edges are removed. */
  passes(node: number): boolean {
    let passed = false;
    while (this.#ends.length > 0 && (this.#ends.at(-1) ?? 0) <= node) {
      this.#ends.pop();
      passed = true;
    }
    return passed;
  }
}
