/** Rows go down a tree by so many at a time. */
const LANES = 4;
/** After each so many trees, rows with a sum beyond `SURE` (a chance below 4 % or above 96 %) are done. */
const STAGE = 40;
const SURE = 3.2;

/** Marks a leaf in the column of features. */
const LEAF = 0xffff;
/** Leaf values are stored in steps of this size. */
const LEAF_STEP = 1 / 8192;

/** A test is 16 bits: the column, and which of its cuts. */
const CUT_BITS = 7;
const CUT_MASK = (1 << CUT_BITS) - 1;
/** Higher than the order of any number. */
const NO_CUT = 0x3fffffff;

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
 * Trees as complete binary ones, so that a node's place follows from its parent's: the tests of a tree fit into the
 * processor's nearest cache. The numbers of a row are first replaced by how many cuts of their column they reach.
 */
export class Trees {
  readonly #depth: number;
  readonly #count: number;
  /** By tree and node, the root being 1 and the children of n being 2n and 2n + 1. */
  readonly #tests: Uint16Array;
  readonly #leaves: Float32Array;
  readonly #bins: Bins;

  constructor(packed: PackedTrees) {
    const nodes = {
      features: new Uint16Array(bytesOf(packed.features).buffer),
      cuts: bytesOf(packed.cuts),
      values: new Int16Array(bytesOf(packed.values).buffer),
    };
    const sizes = new Uint16Array(bytesOf(packed.sizes).buffer);
    const width = 1 << packed.depth;
    this.#depth = packed.depth;
    this.#count = sizes.length;
    this.#bins = new Bins(bytesOf(packed.cutCounts), new Float32Array(bytesOf(packed.cutValues).buffer));
    this.#tests = new Uint16Array(sizes.length * width);
    this.#leaves = new Float32Array(sizes.length * width);
    let root = 0;
    sizes.forEach((size, tree) => {
      const from = tree * width;
      const tests = this.#tests.subarray(from, from + width);
      completeTree(nodes, root, { tests, leaves: this.#leaves.subarray(from, from + width) });
      root += size;
    });
  }

  /** How likely each row is to be content. */
  score(rows: Float32Array, columns: number): Float32Array {
    const count = rows.length / columns;
    const bins = this.#bins.of(rows, columns);
    const sums = new Float64Array(count + 1);
    let active = padded(
      Int32Array.from({ length: count }, (_, row) => row),
      count,
    );
    for (let tree = 0; tree < this.#count; tree++) {
      if (tree > 0 && tree % STAGE === 0) active = padded(unsure(active, sums, count), count);
      this.#addLeaves(tree, { bins, columns, sums, active });
    }
    return Float32Array.from(sums.subarray(0, count), (sum) => 1 / (1 + Math.exp(-sum)));
  }

  /**
   * Goes down a tree for four rows side by side: each step waits for memory, so four take little longer than one. The
   * side to take is a difference's sign: a branch would be mispredicted half of the time.
   */
  #addLeaves(tree: number, { bins, columns, sums, active }: Lanes): void {
    const tests = this.#tests;
    const leaves = this.#leaves;
    const from = tree << this.#depth;
    const toLeaves = from - (1 << this.#depth);
    for (let at = 0; at < active.length; at += LANES) {
      const row0 = active[at] ?? 0;
      const row1 = active[at + 1] ?? 0;
      const row2 = active[at + 2] ?? 0;
      const row3 = active[at + 3] ?? 0;
      const start0 = row0 * columns;
      const start1 = row1 * columns;
      const start2 = row2 * columns;
      const start3 = row3 * columns;
      let node0 = 1;
      let node1 = 1;
      let node2 = 1;
      let node3 = 1;
      for (let level = this.#depth; level > 0; level--) {
        const test0 = tests[from + node0] ?? 0;
        const test1 = tests[from + node1] ?? 0;
        const test2 = tests[from + node2] ?? 0;
        const test3 = tests[from + node3] ?? 0;
        node0 = 2 * node0 + (((test0 & CUT_MASK) - (bins[start0 + (test0 >> CUT_BITS)] ?? 0)) >>> 31);
        node1 = 2 * node1 + (((test1 & CUT_MASK) - (bins[start1 + (test1 >> CUT_BITS)] ?? 0)) >>> 31);
        node2 = 2 * node2 + (((test2 & CUT_MASK) - (bins[start2 + (test2 >> CUT_BITS)] ?? 0)) >>> 31);
        node3 = 2 * node3 + (((test3 & CUT_MASK) - (bins[start3 + (test3 >> CUT_BITS)] ?? 0)) >>> 31);
      }
      sums[row0] = (sums[row0] ?? 0) + (leaves[toLeaves + node0] ?? 0);
      sums[row1] = (sums[row1] ?? 0) + (leaves[toLeaves + node1] ?? 0);
      sums[row2] = (sums[row2] ?? 0) + (leaves[toLeaves + node2] ?? 0);
      sums[row3] = (sums[row3] ?? 0) + (leaves[toLeaves + node3] ?? 0);
    }
  }
}

interface Lanes {
  readonly bins: Uint8Array;
  readonly columns: number;
  readonly sums: Float64Array;
  /** Rows still to be judged. */
  readonly active: Int32Array;
}

/** Replaces numbers by how many cuts of their column they reach. */
class Bins {
  /** By column: the cuts in the order of `orderOf`, filled up to a power of two. */
  readonly #cuts: readonly Int32Array[];

  constructor(counts: Uint8Array, cuts: Float32Array) {
    const orders = new Int32Array(cuts.buffer).map(orderOf);
    let at = 0;
    this.#cuts = Array.from(counts, (count) => {
      let slots = 1;
      while (slots <= count) slots *= 2;
      const ofColumn = new Int32Array(slots).fill(NO_CUT);
      ofColumn.set(orders.subarray(at, (at += count)));
      return ofColumn;
    });
  }

  /** One byte per number, and a row of zeros at the end. */
  of(rows: Float32Array, columns: number): Uint8Array {
    const bits = new Int32Array(rows.buffer, rows.byteOffset, rows.length);
    const bins = new Uint8Array(rows.length + columns);
    this.#cuts.forEach((cuts, column) => {
      if (cuts.length > 1) fillColumn(bits, bins, { cuts, column, columns });
    });
    return bins;
  }
}

interface Column {
  readonly cuts: Int32Array;
  readonly column: number;
  readonly columns: number;
}

/** Neighbouring rows often have the same number: it is not looked up again. */
function fillColumn(bits: Int32Array, bins: Uint8Array, { cuts, column, columns }: Column): void {
  const half = cuts.length >> 1;
  let before = 0;
  let bin = -1;
  for (let at = column; at < bits.length; at += columns) {
    const value = bits[at] ?? 0;
    if (value !== before || bin < 0) {
      const order = orderOf(value);
      bin = 0;
      // Where a cut is not above the number, the difference's sign is 0 and the step is taken.
      for (let step = half; step > 0; step >>= 1)
        bin += step & ~((order - (cuts[bin + step - 1] ?? 0)) >> 31);
      before = value;
    }
    bins[at] = bin;
  }
}

/** Integers of 31 bits in the same order as the numbers with these bits; neighbouring numbers may share one. */
function orderOf(bits: number): number {
  return (bits ^ ((bits >> 31) & 0x7fffffff)) >> 1;
}

interface PackedNodes {
  readonly features: Uint16Array;
  readonly cuts: Uint8Array;
  readonly values: Int16Array;
}

interface CompleteTree {
  readonly tests: Uint16Array;
  readonly leaves: Float32Array;
}

/** Lays a tree out as a complete one: below a leaf that lies higher, all leaves are the same. */
function completeTree(packed: PackedNodes, root: number, { tests, leaves }: CompleteTree): void {
  const width = tests.length;
  const waiting: [packedNode: number, node: number][] = [[root, 1]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [at, node] = next;
    const feature = packed.features[at] ?? LEAF;
    const value = packed.values[at] ?? 0;
    if (feature === LEAF) {
      let below = node;
      let count = 1;
      for (; below < width; below *= 2) count *= 2;
      leaves.fill(value * LEAF_STEP, below - width, below - width + count);
      continue;
    }
    tests[node] = (feature << CUT_BITS) | (packed.cuts[at] ?? 0);
    waiting.push([at + 1, 2 * node], [at + value, 2 * node + 1]);
  }
}

/** The rows whose answer more trees could change. */
function unsure(active: Int32Array, sums: Float64Array, count: number): Int32Array {
  return active.filter((row) => row < count && Math.abs(sums[row] ?? 0) < SURE);
}

/** Rows in groups of four; the rest of the last group is the row after the last, which nobody asks for. */
function padded(rows: Int32Array, count: number): Int32Array {
  const groups = new Int32Array(Math.ceil(rows.length / LANES) * LANES).fill(count);
  groups.set(rows);
  return groups;
}

/** The bytes of a base64 text, in a buffer of their own. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
