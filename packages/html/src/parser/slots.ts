import { NodeTable } from "./node-table.ts";
import { SourceTree } from "./source-tree.ts";
import { type HtmlTree, tagId, TEXT } from "./tree.ts";

const SLOT = tagId("slot");
const TEMPLATE = tagId("template");
/** Deeper slots show what they hold themselves. */
const MAX_DEPTH = 512;

/** The tree of a page as it is seen: what stands in an element with a shadow root takes the places of its slots. */
export function seenTree(source: string, table: NodeTable, mayHaveNul: boolean): HtmlTree {
  const tree = new SourceTree(source, table, mayHaveNul);
  if (!tree.tag.includes(SLOT) || !tree.mayHaveAnywhere("shadowrootmode")) return tree;
  const filler = new SlotFiller(tree, table, source.length);
  filler.write(0, -1, -1, 0);
  return new SourceTree(source, filler.filled, mayHaveNul);
}

class SlotFiller {
  readonly filled: NodeTable;
  readonly #tree: SourceTree;
  readonly #table: NodeTable;
  readonly #written: Uint8Array;
  /** By element with a shadow root: the element whose shadow root it stands in, -1 for none. */
  readonly #outer = new Map<number, number>();
  /** By element with a shadow root: its children by the slot that they name. */
  readonly #named = new Map<number, Map<string, number[]>>();

  constructor(tree: SourceTree, table: NodeTable, sourceLength: number) {
    this.#tree = tree;
    this.#table = table;
    this.#written = new Uint8Array(table.size);
    this.filled = new NodeTable(sourceLength);
  }

  /** @param host - the element whose shadow root the node stands in, -1 for none */
  write(node: number, parent: number, host: number, depth: number): void {
    const { tag } = this.#tree;
    this.#written[node] = 1;
    const shown = tag[node] === SLOT && host >= 0 && depth < MAX_DEPTH ? this.#childrenFor(node, host) : [];
    for (const child of shown) this.write(child, parent, this.#outer.get(host) ?? -1, depth + 1);
    if (shown.length > 0) return;
    const copy = this.#copy(node, parent);
    let inner = host;
    if (tag[node] === TEMPLATE && this.#tree.attribute(node, "shadowrootmode") !== undefined) {
      inner = this.#tree.parent[node] ?? -1;
      this.#outer.set(inner, host);
    }
    for (const child of this.#childrenOf(node))
      if (this.#written[child] === 0) this.write(child, copy, inner, depth + 1);
    this.filled.end[copy] = this.filled.size;
  }

  /** The children of the host that a slot shows, which have its name, or none. */
  #childrenFor(slot: number, host: number): readonly number[] {
    const named = this.#named.get(host) ?? this.#nameChildren(host);
    const name = this.#tree.attribute(slot, "name") ?? "";
    const children = named.get(name) ?? [];
    named.delete(name);
    return children.filter((child) => this.#written[child] === 0);
  }

  #nameChildren(host: number): Map<string, number[]> {
    const named = new Map<string, number[]>();
    for (const child of this.#childrenOf(host)) {
      const name = this.#tree.attribute(child, "slot") ?? "";
      const others = named.get(name);
      if (others) others.push(child);
      else named.set(name, [child]);
    }
    this.#named.set(host, named);
    return named;
  }

  #childrenOf(node: number): readonly number[] {
    const { end } = this.#tree;
    const children: number[] = [];
    for (let child = node + 1; child < (end[node] ?? 0); child = end[child] ?? 0) children.push(child);
    return children;
  }

  #copy(node: number, parent: number): number {
    const { tag, start, stop, firstAttribute, attributes } = this.#table;
    const isElement = tag[node] !== TEXT;
    const last = node + 1 < this.#table.size ? (firstAttribute[node + 1] ?? 0) : attributes.size;
    const to = this.filled.attributes;
    if (isElement) to.beginTag();
    const first = isElement ? (firstAttribute[node] ?? 0) : last;
    for (let at = first; at < last; at++) {
      to.addName(attributes.hash[at] ?? 0, attributes.nameStart[at] ?? 0, attributes.nameEnd[at] ?? 0);
      to.setValue(attributes.valueStart[at] ?? 0, attributes.valueEnd[at] ?? 0);
    }
    return this.filled.add(tag[node] ?? TEXT, parent, start[node] ?? 0, stop[node] ?? 0);
  }
}
