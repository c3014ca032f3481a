import { lazy } from "../../kit/lazy.ts";
import { type Lexica, Lexicon } from "./lexicon.ts";
import data from "./model-data.json" with { type: "json" };

/** Marks a leaf in the column of features. */
const LEAF = 255;
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
  /** Feature of each node (8 bits), 255 for a leaf. */
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
  readonly #features: Uint8Array;
  readonly #cuts: Float32Array;
  /** Two per node: where to go for "less than the cut", and where otherwise; a leaf stays where it is. */
  readonly #next: Int32Array;
  readonly #values: Float32Array;

  constructor(packed: PackedTrees) {
    const features = bytesOf(packed.features);
    const cutIndexes = bytesOf(packed.cuts);
    const values = new Int16Array(bytesOf(packed.values).buffer);
    const cutsOfFeature = unpackCuts(
      bytesOf(packed.cutCounts),
      new Float32Array(bytesOf(packed.cutValues).buffer),
    );
    this.#depth = packed.depth;
    this.#roots = rootsOf(new Uint16Array(bytesOf(packed.sizes).buffer));
    this.#features = features.map((feature) => (feature === LEAF ? 0 : feature));
    this.#cuts = new Float32Array(features.length);
    this.#next = new Int32Array(features.length * 2);
    this.#values = new Float32Array(features.length);
    features.forEach((feature, node) => {
      const value = values[node] ?? 0;
      const isLeaf = feature === LEAF;
      this.#cuts[node] = isLeaf ? 0 : (cutsOfFeature[feature]?.[cutIndexes[node] ?? 0] ?? 0);
      this.#values[node] = isLeaf ? value * LEAF_STEP : 0;
      this.#next[node * 2] = isLeaf ? node : node + 1;
      this.#next[node * 2 + 1] = isLeaf ? node : node + value;
    });
  }

  score(rows: Float32Array, columns: number): Float32Array {
    const count = rows.length / columns;
    const sums = new Float64Array(count);
    for (const root of this.#roots) {
      for (let row = 0; row < count; row++) {
        sums[row] = (sums[row] ?? 0) + this.#leafOf(root, rows, row * columns);
      }
    }
    return Float32Array.from(sums, (sum) => 1 / (1 + Math.exp(-sum)));
  }

  #leafOf(root: number, rows: Float32Array, row: number): number {
    const features = this.#features;
    const cuts = this.#cuts;
    const next = this.#next;
    let node = root;
    for (let level = this.#depth; level > 0; level--) {
      const isLess = (rows[row + (features[node] ?? 0)] ?? 0) < (cuts[node] ?? 0);
      node = next[node * 2 + (isLess ? 0 : 1)] ?? 0;
    }
    return this.#values[node] ?? 0;
  }
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
