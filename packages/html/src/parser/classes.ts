/** A power of two. */
const SLOTS = 256;

/** The class attributes of a page. Most are written as a recent one is: these are not cut out of the source again. */
export class Classes {
  /** By node: the number of its class attribute; 0 without one. */
  readonly of: Int32Array;
  /** By number; the first is "". */
  readonly names = [""];
  readonly #source: string;
  readonly #numbers = new Map([["", 0]]);
  /** By slot: a node, and where its class attribute stands. */
  readonly #nodes = new Int32Array(SLOTS);
  readonly #starts = new Int32Array(SLOTS);
  readonly #ends = new Int32Array(SLOTS);

  constructor(source: string, nodes: number) {
    this.#source = source;
    this.of = new Int32Array(nodes);
  }

  /** Gives a node the number of a recent attribute that is written like the one in [`start`, `end`), if there is one. */
  repeat(node: number, start: number, end: number): boolean {
    const source = this.#source;
    const slot = this.#slot(start, end);
    const earlier = this.#starts[slot] ?? 0;
    if ((this.#ends[slot] ?? 0) - earlier !== end - start) return false;
    for (let at = end - start - 1; at >= 0; at--)
      if (source.charCodeAt(earlier + at) !== source.charCodeAt(start + at)) return false;
    this.of[node] = this.of[this.#nodes[slot] ?? 0] ?? 0;
    return true;
  }

  add(node: number, name: string, start: number, end: number): void {
    const number = this.#numbers.get(name) ?? this.names.length;
    this.names[number] = name;
    this.#numbers.set(name, number);
    this.of[node] = number;
    const slot = this.#slot(start, end);
    this.#nodes[slot] = node;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }

  #slot(start: number, end: number): number {
    const source = this.#source;
    const sample = source.charCodeAt((start + end) >> 1) * 5 + source.charCodeAt(end - 1) * 17;
    return (sample + end - start) & (SLOTS - 1);
  }
}
