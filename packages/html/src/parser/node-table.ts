import { AttributeTable, enlarged } from "./attribute-table.ts";
import { TEXT } from "./tree.ts";

/** Average characters per node on ordinary pages, rounded down so that the table rarely grows. */
const CHARACTERS_PER_NODE = 22;

/** Growing tables that a parse writes into. */
export class NodeTable {
  size = 0;
  tag: Uint8Array;
  parent: Int32Array;
  end: Int32Array;
  /** Source offset of a text, or of an element's name. */
  start: Int32Array;
  /** Exclusive end of a text, or of an element's name. */
  stop: Int32Array;
  /** Number of the element's first attribute. The next node's first attribute is the exclusive end. */
  firstAttribute: Int32Array;
  readonly attributes: AttributeTable;

  constructor(sourceLength: number) {
    const capacity = 64 + Math.floor(sourceLength / CHARACTERS_PER_NODE);
    this.tag = new Uint8Array(capacity);
    this.parent = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.start = new Int32Array(capacity);
    this.stop = new Int32Array(capacity);
    this.firstAttribute = new Int32Array(capacity);
    this.attributes = new AttributeTable(sourceLength);
  }

  /**
   * Appends a node without children and returns its number. An element takes the attributes of the last tag.
   */
  add(tag: number, parent: number, start: number, stop: number): number {
    const node = this.size++;
    if (node === this.tag.length) this.#grow(node * 2);
    this.tag[node] = tag;
    this.parent[node] = parent;
    this.start[node] = start;
    this.stop[node] = stop;
    this.end[node] = node + 1;
    this.firstAttribute[node] = tag === TEXT ? this.attributes.size : this.attributes.tagStart;
    return node;
  }

  #grow(capacity: number): void {
    const tag = new Uint8Array(capacity);
    tag.set(this.tag);
    this.tag = tag;
    this.parent = enlarged(this.parent, capacity);
    this.end = enlarged(this.end, capacity);
    this.start = enlarged(this.start, capacity);
    this.stop = enlarged(this.stop, capacity);
    this.firstAttribute = enlarged(this.firstAttribute, capacity);
  }
}
