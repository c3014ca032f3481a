import { Conditions } from "./conditions.ts";
import { BATCH, type Rows } from "./rows.ts";

/** Marks a leaf in the column of features. */
const LEAF = 0xffff;
/** Leaf values are stored in steps of this size. */
const LEAF_STEP = 1 / 8192;

/** Trees in preorder: the left child follows its parent. All columns are base64. */
export interface PackedTrees {
  /** Greatest number of steps from a root to a leaf. */
  readonly depth: number;
  /** Nodes of each tree (16 bits). */
  readonly sizes: string;
  /** Feature of each node (16 bits), 65,535 for a leaf. */
  readonly features: string;
  /** Which cut of its feature a node asks for (8 bits). */
  readonly cuts: string;
  /** Steps to the right child; the value of a leaf (16 bits). */
  readonly values: string;
  /** How many cuts each feature has (8 bits), and the cuts of all features (32-bit floats), in ascending order. */
  readonly cutCounts: string;
  readonly cutValues: string;
}

/**
 * Judges a batch of rows at a time, one bit each. A condition is checked once for all rows and all trees; then the rows
 * go down each tree together: a node splits its set of rows with two operations, and a side without rows is not visited.
 */
export class Trees {
  readonly #conditions: Conditions;
  /** First node of each tree, and the number of nodes. */
  readonly #roots: Int32Array;
  /** By node: the number of its condition, `LEAF` for a leaf; in the lower 16 bits steps to the right child, or value. */
  readonly #nodes: Int32Array;
  readonly #depth: number;

  constructor(packed: PackedTrees) {
    const cutCounts = bytesOf(packed.cutCounts);
    this.#conditions = new Conditions(cutCounts, new Float32Array(bytesOf(packed.cutValues).buffer));
    this.#roots = startsOf(new Uint16Array(bytesOf(packed.sizes).buffer));
    this.#depth = packed.depth;
    const firstConditions = startsOf(cutCounts);
    const cuts = bytesOf(packed.cuts);
    const values = new Int16Array(bytesOf(packed.values).buffer);
    this.#nodes = new Int32Array(values.length);
    new Uint16Array(bytesOf(packed.features).buffer).forEach((feature, node) => {
      const test = feature === LEAF ? LEAF : (firstConditions[feature] ?? 0) + (cuts[node] ?? 0);
      this.#nodes[node] = (test << 16) | ((values[node] ?? 0) & 0xffff);
    });
  }

  /** How likely each row is to be content. */
  score(rows: Rows): Float32Array {
    const met = this.#conditions.check(rows);
    const sums = new Float64Array(BATCH);
    const all = rows.size === BATCH ? -1 : (1 << rows.size) - 1;
    const waiting = { nodes: new Int32Array(this.#depth + 1), sets: new Int32Array(this.#depth + 1) };
    for (let tree = 0; tree < this.#roots.length - 1; tree++)
      this.#descend(this.#roots[tree] ?? 0, all, { met, sums, waiting });
    const chances = new Float32Array(rows.size);
    for (let row = 0; row < rows.size; row++) chances[row] = 1 / (1 + Math.exp(-Math.fround(sums[row] ?? 0)));
    return chances;
  }

  /** Adds the leaves that a set of rows ends in to the rows' sums. */
  #descend(root: number, rows: number, { met, sums, waiting }: Descent): void {
    const nodes = this.#nodes;
    let depth = 0;
    let node = root;
    let set = rows;
    for (;;) {
      const packed = nodes[node] ?? 0;
      const test = packed >>> 16;
      const value = (packed << 16) >> 16;
      if (test === LEAF) {
        addToAll(sums, set, value * LEAF_STEP);
        if (depth === 0) return;
        depth--;
        node = waiting.nodes[depth] ?? 0;
        set = waiting.sets[depth] ?? 0;
        continue;
      }
      const right = set & (met[test] ?? 0);
      const left = set & ~right;
      if (left === 0) {
        node += value;
        continue;
      }
      if (right !== 0) {
        waiting.nodes[depth] = node + value;
        waiting.sets[depth] = right;
        depth++;
      }
      node++;
      set = left;
    }
  }
}

interface Descent {
  readonly met: Int32Array;
  readonly sums: Float64Array;
  /** Right children that have rows and are still to be visited. */
  readonly waiting: { readonly nodes: Int32Array; readonly sets: Int32Array };
}

function addToAll(sums: Float64Array, set: number, value: number): void {
  for (let rest = set; rest !== 0; rest &= rest - 1) {
    const row = 31 - Math.clz32(rest & -rest);
    sums[row] = (sums[row] ?? 0) + value;
  }
}

/** Where each of several runs begins, and where the last one ends. */
function startsOf(sizes: Uint8Array | Uint16Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, at) => {
    starts[at + 1] = (starts[at] ?? 0) + size;
  });
  return starts;
}

/** The bytes of a base64 text, in a buffer of their own. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
