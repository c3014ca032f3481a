/** Average characters per node of ordinary pages, rounded down so that growing is rare. */
const CHARACTERS_PER_NODE = 16;

/** The growing tables a parse writes into. */
export class NodeTable {
  size = 0;
  tag: Uint8Array;
  parent: Int32Array;
  end: Int32Array;
  /** Source offset of a text, or of an element's name. */
  start: Int32Array;
  /** Source offset after a text, or of an element's closing `>`. */
  stop: Int32Array;

  constructor(sourceLength: number) {
    const capacity = 64 + Math.floor(sourceLength / CHARACTERS_PER_NODE);
    this.tag = new Uint8Array(capacity);
    this.parent = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.start = new Int32Array(capacity);
    this.stop = new Int32Array(capacity);
  }

  /** Appends a node without children and returns its number. */
  add(tag: number, parent: number, start: number, stop: number): number {
    const node = this.size++;
    if (node === this.tag.length) this.#grow(node * 2);
    this.tag[node] = tag;
    this.parent[node] = parent;
    this.start[node] = start;
    this.stop[node] = stop;
    this.end[node] = node + 1;
    return node;
  }

  #grow(capacity: number): void {
    this.tag = enlarge(this.tag, new Uint8Array(capacity));
    this.parent = enlarge(this.parent, new Int32Array(capacity));
    this.end = enlarge(this.end, new Int32Array(capacity));
    this.start = enlarge(this.start, new Int32Array(capacity));
    this.stop = enlarge(this.stop, new Int32Array(capacity));
  }
}

function enlarge<Table extends Uint8Array | Int32Array>(from: Table, to: Table): Table {
  to.set(from);
  return to;
}
