import { lazy } from "@pergamon-dev/kit/lazy";
import data from "./part-model-data.json" with { type: "json" };

/** Classes of the trained trees. The order is part of the model. */
export const learnedTypes = [
  "text",
  "section_header",
  "caption",
  "page_header",
  "page_footer",
  "page_number",
] as const;
export type LearnedType = (typeof learnedTypes)[number];

interface LearnedGuess {
  readonly type: LearnedType;
  /** 0 to 1. */
  readonly probability: number;
}

/** All trees concatenated, each in preorder. */
interface Forest {
  /** For each tree, its class and the place of its first node. */
  readonly types: Int32Array;
  readonly roots: Int32Array;
  /**
   * Three numbers for each node, as all of a node are read together: its feature (-1 for a leaf), its threshold or leaf value,
   * and the place of its right child. The left child follows.
   */
  readonly nodes: Float64Array;
}

const NUMBERS_OF_A_NODE = 3;

/** lab/training/documents.py generates these trees. */
const shippedForest = lazy((): Forest => {
  const nodes: number[] = [];
  const roots = data.trees.map(([, ...tree]) => {
    const root = nodes.length;
    tree.forEach((value, at) => {
      const isChild = at % NUMBERS_OF_A_NODE === 2;
      nodes.push(isChild ? root + NUMBERS_OF_A_NODE * value : value);
    });
    return root;
  });
  return {
    types: Int32Array.from(data.trees, ([type = 0]) => type),
    roots: Int32Array.from(roots),
    nodes: Float64Array.from(nodes),
  };
});

export function guessType(features: readonly number[]): LearnedGuess {
  const sums = sumsOf(shippedForest(), Float64Array.from(features));
  const highest = Math.max(...sums);
  const whole = sums.reduce((total, sum) => total + Math.exp(sum - highest), 0);
  return { type: learnedTypes[sums.indexOf(highest)] ?? "text", probability: 1 / whole };
}

function sumsOf({ types, roots, nodes }: Forest, row: Float64Array): Float64Array {
  const sums = new Float64Array(learnedTypes.length);
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    for (let feature = nodes[node] as number; feature >= 0; feature = nodes[node] as number) {
      const isLeft = (row[feature] ?? 0) < (nodes[node + 1] as number);
      node = isLeft ? node + NUMBERS_OF_A_NODE : (nodes[node + 2] as number);
    }
    const type = types[tree] as number;
    sums[type] = (sums[type] as number) + (nodes[node + 1] as number);
  }
  return sums;
}
