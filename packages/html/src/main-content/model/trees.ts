import { BATCH, type Rows } from "./rows.ts";

/** Feature number that marks a leaf. */
const LEAF = 0xffff;
/** Leaf values are stored in steps of this size. */
const LEAF_STEP = 1 / 8192;

/** Trees in preorder: the left child follows its parent. All columns are base64. */
export interface PackedTrees {
  /** Maximum steps from a root to a leaf. */
  readonly depth: number;
  /** Nodes of each tree (16 bits). */
  readonly sizes: string;
  /** Feature number of each node (16 bits); 65,535 marks a leaf. */
  readonly features: string;
  /** Number of the cut, within its feature, that each node compares with (8 bits). */
  readonly cuts: string;
  /** Steps to the right child, or the value of a leaf (16 bits). */
  readonly values: string;
  /** Number of cuts per feature (8 bits), and the cuts of all features (32-bit floats) in ascending order. */
  readonly cutCounts: string;
  readonly cutValues: string;
}

/**
 * Judges a batch of rows at a time, one bit each. Each condition is checked once for all rows and all trees.
 * The rows then go down each tree together: a node splits its set of rows with two operations and skips a
 * side without rows.
 */
export class Trees {
  readonly #conditions: Conditions;
  /** First node of each tree, then the number of nodes. */
  readonly #roots: Int32Array;
  /**
   * By node: the upper 16 bits hold the number of its condition, or `LEAF`. The lower 16 bits hold the steps
   * to the right child, or the leaf's value.
   */
  readonly #nodes: Int32Array;
  /** By row: how much its leaf values differ from those of the first rows. */
  readonly #sums = new Int32Array(BATCH);
  /** Right children that are still to be visited, each followed by the rows that reach it. */
  readonly #waiting: Int32Array;

  constructor(packed: PackedTrees) {
    const cutCounts = bytesOf(packed.cutCounts);
    this.#conditions = new Conditions(cutCounts, new Float32Array(bytesOf(packed.cutValues).buffer));
    this.#roots = startsOf(new Uint16Array(bytesOf(packed.sizes).buffer));
    this.#waiting = new Int32Array(2 * (packed.depth + 1));
    const firstConditions = startsOf(cutCounts);
    const cuts = bytesOf(packed.cuts);
    const values = new Int16Array(bytesOf(packed.values).buffer);
    this.#nodes = new Int32Array(values.length);
    new Uint16Array(bytesOf(packed.features).buffer).forEach((feature, node) => {
      const test = feature === LEAF ? LEAF : (firstConditions[feature] ?? 0) + (cuts[node] ?? 0);
      this.#nodes[node] = (test << 16) | ((values[node] ?? 0) & 0xffff);
    });
  }

  /** Returns the chance of each row to be content. */
  score(rows: Rows): Float32Array {
    this.#conditions.check(rows);
    this.#sums.fill(0);
    const all = -1 << (BATCH - rows.size);
    let sum = 0;
    for (let tree = 0; tree < this.#roots.length - 1; tree++)
      sum += this.#descend(this.#roots[tree] ?? 0, all);
    const chances = new Float32Array(rows.size);
    for (let row = 0; row < rows.size; row++)
      chances[row] = 1 / (1 + Math.exp(-Math.fround((sum + (this.#sums[row] ?? 0)) * LEAF_STEP)));
    return chances;
  }

  /**
   * Returns the value of the first leaf that some of the rows reach, and adds to the sums of all others how much theirs differs.
   * Most rows of a batch reach the same leaf.
   */
  #descend(root: number, rows: number): number {
    const nodes = this.#nodes;
    const { met } = this.#conditions;
    const sums = this.#sums;
    const waiting = this.#waiting;
    let waits = 0;
    let node = root;
    let set = rows;
    let first = NO_VALUE;
    for (;;) {
      const packed = nodes[node] ?? 0;
      const test = packed >>> 16;
      const value = (packed << 16) >> 16;
      if (test === LEAF) {
        if (first === NO_VALUE) first = value;
        else addToAll(sums, set, value - first);
        if (waits === 0) return first;
        set = waiting[--waits] ?? 0;
        node = waiting[--waits] ?? 0;
        continue;
      }
      const right = set & (met[test] ?? 0);
      if (right === set) {
        node += value;
        continue;
      }
      if (right !== 0) {
        waiting[waits++] = node + value;
        waiting[waits++] = right;
        set ^= right;
      }
      node++;
    }
  }
}

function addToAll(sums: Int32Array, set: number, value: number): void {
  for (let rest = set; rest !== 0;) {
    const row = Math.clz32(rest);
    sums[row] = (sums[row] ?? 0) + value;
    rest ^= bitOf(row);
  }
}

/** No leaf has it, since they take 16 bits. */
const NO_VALUE = 0x10000;

/** The first row has the highest bit, which is found in one step. */
function bitOf(row: number): number {
  return (1 << 31) >>> row;
}

/** Returns the offset at which each of several runs begins, and the end of the last one. */
function startsOf(sizes: Uint8Array | Uint16Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, at) => {
    starts[at + 1] = (starts[at] ?? 0) + size;
  });
  return starts;
}

/** Decodes base64 into a buffer of its own. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

/** Larger than any result of `orderOf`. */
const NO_CUT = 0x3fffffff;

interface Column {
  readonly index: number;
  /** Number of its first condition. */
  readonly first: number;
  /** Cuts as `orderOf` numbers, padded to a power of two. */
  readonly cuts: Int32Array;
}

/** All conditions "the number in this column reaches this cut", numbered by column and cut. */
class Conditions {
  /** By condition: one bit for each row of the batch checked last that meets it. */
  readonly met: Int32Array;
  readonly #columns: readonly Column[];

  /**
   * @param counts - number of cuts of each column; @param cuts - the cuts of all columns, ascending within
   * each
   */
  constructor(counts: Uint8Array, cuts: Float32Array) {
    const orders = new Int32Array(cuts.buffer, cuts.byteOffset, cuts.length).map(orderOf);
    const columns: Column[] = [];
    let first = 0;
    counts.forEach((count, index) => {
      let slots = 1;
      while (slots <= count) slots *= 2;
      const ofColumn = new Int32Array(slots).fill(NO_CUT);
      ofColumn.set(orders.subarray(first, first + count));
      if (count > 0) columns.push({ index, first, cuts: ofColumn });
      first += count;
    });
    this.met = new Int32Array(first);
    this.#columns = columns;
  }

  check(rows: Rows): void {
    const { met } = this;
    met.fill(0);
    const bits = new Int32Array(rows.values.buffer);
    for (const column of this.#columns) checkColumn(bits, rows.size, column, met);
  }
}

/** Marks the highest cut that each number reaches, then passes the marks down to the lower cuts. */
function checkColumn(bits: Int32Array, rows: number, { index, first, cuts }: Column, met: Int32Array): void {
  const from = index * BATCH;
  const half = cuts.length >> 1;
  let before = ~(bits[from] ?? 0);
  let reached = 0;
  let most = 0;
  let marks = 0;
  for (let row = 0; row < rows; row++) {
    const value = bits[from + row] ?? 0;
    // Neighbouring rows often have the same number, so the last result is reused.
    if (value !== before) {
      if (reached > 0) met[first + reached - 1] = (met[first + reached - 1] ?? 0) | marks;
      marks = 0;
      reached = 0;
      const order = orderOf(value);
      // Where a cut is not above the number, the difference's sign is 0 and the search takes the step.
      for (let step = half; step > 0; step >>= 1)
        reached += step & ~((order - (cuts[reached + step - 1] ?? 0)) >> 31);
      if (reached > most) most = reached;
      before = value;
    }
    marks |= bitOf(row);
  }
  if (reached > 0) met[first + reached - 1] = (met[first + reached - 1] ?? 0) | marks;
  let above = 0;
  for (let at = first + most - 1; at >= first; at--) met[at] = above |= met[at] ?? 0;
}

/**
 * Maps the bits of a float to a 31-bit integer with the same order. Neighbouring floats may share one
 * integer.
 */
function orderOf(bits: number): number {
  return (bits ^ ((bits >> 31) & 0x7fffffff)) >> 1;
}
