import { lazy } from "../../kit/lazy.ts";
import { type Lexica, Lexicon } from "./lexicon.ts";
import data from "./model-data.json" with { type: "json" };

/** Rows go down a tree by so many at a time. */
const LANES = 4;
/** After each so many trees, rows with a sum beyond `SURE` (a chance below 4 % or above 96 %) are done. */
const STAGE = 40;
const SURE = 3.2;

/** Marks a leaf in the column of features. */
const LEAF = 0xffff;
/** Leaf values are stored in steps of this size. */
const LEAF_STEP = 1 / 8192;
const ODDS_STEP = 1 / 16;

/** Gradient-boosted trees that tell content from furniture, and the words they know. */
export interface Model {
  readonly lexica: Lexica;
  /** Numbers per row. */
  readonly columns: number;
  /** Probability of being content, by row. */
  score(rows: Float32Array): Float32Array;
}

/** The model that the service ships with, unpacked on first use. */
export const shippedModel = lazy((): Model => {
  const trees = new Trees(data.trees);
  return {
    lexica: { names: unpackLexicon(data.names), words: unpackLexicon(data.words) },
    columns: data.columns,
    score: (rows) => trees.score(rows, data.columns),
  };
});

/** Trees in preorder: the left child follows its parent. All columns are base64. */
interface PackedTrees {
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
  /** How many cuts each feature has (8 bits), and the cuts of all features (32-bit floats). */
  readonly cutCounts: string;
  readonly cutValues: string;
}

class Trees {
  readonly #depth: number;
  readonly #roots: Int32Array;
  readonly #features: Uint16Array;
  readonly #cuts: Int32Array;
  /** Two per node: where to go for "less than the cut", and where otherwise; a leaf stays where it is. */
  readonly #next: Int32Array;
  readonly #values: Float32Array;

  constructor(packed: PackedTrees) {
    const features = new Uint16Array(bytesOf(packed.features).buffer);
    const cutIndexes = bytesOf(packed.cuts);
    const values = new Int16Array(bytesOf(packed.values).buffer);
    const cutsOfFeature = unpackCuts(
      bytesOf(packed.cutCounts),
      new Float32Array(bytesOf(packed.cutValues).buffer),
    );
    this.#depth = packed.depth;
    this.#roots = rootsOf(new Uint16Array(bytesOf(packed.sizes).buffer));
    this.#features = features.map((feature) => (feature === LEAF ? 0 : feature));
    const cuts = new Float32Array(features.length);
    this.#next = new Int32Array(features.length * 2);
    this.#values = new Float32Array(features.length);
    features.forEach((feature, node) => {
      const value = values[node] ?? 0;
      const isLeaf = feature === LEAF;
      cuts[node] = isLeaf ? 0 : (cutsOfFeature[feature]?.[cutIndexes[node] ?? 0] ?? 0);
      this.#values[node] = isLeaf ? value * LEAF_STEP : 0;
      this.#next[node * 2] = isLeaf ? node : node + 1;
      this.#next[node * 2 + 1] = isLeaf ? node : node + value;
    });
    this.#cuts = orderKeys(cuts, 0);
  }

  score(rows: Float32Array, columns: number): Float32Array {
    const count = rows.length / columns;
    const keys = orderKeys(rows, columns);
    const sums = new Float64Array(count + 1);
    let active = padded(
      Array.from({ length: count }, (_, row) => row),
      count,
    );
    this.#roots.forEach((root, order) => {
      if (order > 0 && order % STAGE === 0) active = padded(unsure(active, sums, count), count);
      for (let at = 0; at < active.length; at += LANES)
        this.#addLeaves(root, { keys, columns, sums, active, at });
    });
    return Float32Array.from(sums.subarray(0, count), (sum) => 1 / (1 + Math.exp(-sum)));
  }

  /**
   * Goes down a tree for four rows side by side: each step waits for memory, so four take little longer than one. The
   * side to take is a difference's sign, -1 for "less": a branch would be mispredicted half of the time.
   */
  #addLeaves(root: number, { keys, columns, sums, active, at }: Lanes): void {
    const features = this.#features;
    const cuts = this.#cuts;
    const next = this.#next;
    const row0 = active[at] ?? 0;
    const row1 = active[at + 1] ?? 0;
    const row2 = active[at + 2] ?? 0;
    const row3 = active[at + 3] ?? 0;
    const start0 = row0 * columns;
    const start1 = row1 * columns;
    const start2 = row2 * columns;
    const start3 = row3 * columns;
    let node0 = root;
    let node1 = root;
    let node2 = root;
    let node3 = root;
    for (let level = this.#depth; level > 0; level--) {
      const side0 = ((keys[start0 + (features[node0] ?? 0)] ?? 0) - (cuts[node0] ?? 0)) >> 31;
      const side1 = ((keys[start1 + (features[node1] ?? 0)] ?? 0) - (cuts[node1] ?? 0)) >> 31;
      const side2 = ((keys[start2 + (features[node2] ?? 0)] ?? 0) - (cuts[node2] ?? 0)) >> 31;
      const side3 = ((keys[start3 + (features[node3] ?? 0)] ?? 0) - (cuts[node3] ?? 0)) >> 31;
      node0 = next[node0 * 2 + 1 + side0] ?? 0;
      node1 = next[node1 * 2 + 1 + side1] ?? 0;
      node2 = next[node2 * 2 + 1 + side2] ?? 0;
      node3 = next[node3 * 2 + 1 + side3] ?? 0;
    }
    const values = this.#values;
    sums[row0] = (sums[row0] ?? 0) + (values[node0] ?? 0);
    sums[row1] = (sums[row1] ?? 0) + (values[node1] ?? 0);
    sums[row2] = (sums[row2] ?? 0) + (values[node2] ?? 0);
    sums[row3] = (sums[row3] ?? 0) + (values[node3] ?? 0);
  }
}

interface Lanes {
  readonly keys: Int32Array;
  readonly columns: number;
  readonly sums: Float64Array;
  /** Rows still to be judged. */
  readonly active: Int32Array;
  /** The first of the four. */
  readonly at: number;
}

/** The rows whose answer more trees could change. */
function unsure(active: Int32Array, sums: Float64Array, count: number): readonly number[] {
  return Array.from(active).filter((row) => row < count && Math.abs(sums[row] ?? 0) < SURE);
}

/** Rows in groups of four; the rest of the last group is the row after the last, which nobody asks for. */
function padded(rows: readonly number[], count: number): Int32Array {
  const groups = new Int32Array(Math.ceil(rows.length / LANES) * LANES).fill(count);
  groups.set(rows);
  return groups;
}

/** Integers of 31 bits in the same order as the numbers, and one more row of zeros; neighbouring floats may share one. */
function orderKeys(numbers: Float32Array, columns: number): Int32Array {
  const bits = new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const keys = new Int32Array(bits.length + columns);
  for (let at = 0; at < bits.length; at++) {
    const value = bits[at] ?? 0;
    keys[at] = (value ^ ((value >> 31) & 0x7fffffff)) >> 1;
  }
  return keys;
}

function rootsOf(sizes: Uint16Array): Int32Array {
  let root = 0;
  return Int32Array.from(sizes, (size) => (root += size) - size);
}

function unpackCuts(counts: Uint8Array, values: Float32Array): readonly Float32Array[] {
  let at = 0;
  return Array.from(counts, (count) => values.subarray(at, (at += count)));
}

function unpackLexicon(packed: { readonly tokens: string; readonly odds: string }): Lexicon {
  const odds = new Int8Array(bytesOf(packed.odds).buffer);
  return new Lexicon(
    packed.tokens.split(" "),
    Array.from(odds, (value) => value * ODDS_STEP),
  );
}

/** The bytes of a base64 text, in a buffer of their own. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
