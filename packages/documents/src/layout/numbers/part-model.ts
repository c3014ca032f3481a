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
  /** For each tree, its class and the index of its first node. */
  readonly trees: readonly { readonly type: number; readonly root: number }[];
  /**
   * For each node, its feature (-1 for a leaf), its threshold or leaf value, and the index of its right
   * child.
   */
  readonly features: Int32Array;
  readonly values: Float64Array;
  readonly rights: Int32Array;
}

const NUMBERS_OF_A_NODE = 3;

/** lab/training/documents.py generates these trees. */
const shippedForest = lazy((): Forest => {
  const features: number[] = [];
  const values: number[] = [];
  const rights: number[] = [];
  const trees = data.trees.map(([type = 0, ...nodes]) => {
    const root = features.length;
    for (let at = 0; at < nodes.length; at += NUMBERS_OF_A_NODE) {
      features.push(nodes[at] ?? -1);
      values.push(nodes[at + 1] ?? 0);
      rights.push(root + (nodes[at + 2] ?? 0));
    }
    return { type, root };
  });
  return {
    trees,
    features: Int32Array.from(features),
    values: Float64Array.from(values),
    rights: Int32Array.from(rights),
  };
});

export function guessType(features: readonly number[]): LearnedGuess {
  const row = Float64Array.from(features);
  const forest = shippedForest();
  const sums = learnedTypes.map(() => 0);
  for (const { type, root } of forest.trees) sums[type] = (sums[type] ?? 0) + leafOf(forest, root, row);
  const highest = Math.max(...sums);
  const weights = sums.map((sum) => Math.exp(sum - highest));
  const whole = weights.reduce((total, weight) => total + weight, 0);
  return { type: learnedTypes[sums.indexOf(highest)] ?? "text", probability: 1 / whole };
}

function leafOf({ features, values, rights }: Forest, root: number, row: Float64Array): number {
  let node = root;
  let feature = features[node] ?? -1;
  while (feature >= 0) {
    const isLeft = (row[feature] ?? 0) < (values[node] ?? 0);
    node = isLeft ? node + 1 : (rights[node] ?? 0);
    feature = features[node] ?? -1;
  }
  return values[node] ?? 0;
}
