import { lazy } from "../../../kit/lazy.ts";
import data from "./part-model-data.json" with { type: "json" };

/** What the trained trees tell apart, in their order. */
export const learnedTypes = [
  "text",
  "section_header",
  "caption",
  "page_header",
  "page_footer",
  "page_number",
] as const;
export type LearnedType = (typeof learnedTypes)[number];

export interface LearnedGuess {
  readonly type: LearnedType;
  /** 0 to 1. */
  readonly probability: number;
}

/** A tree in preorder: feature (-1: a leaf), cut or value, and the place of the right child. */
interface Tree {
  readonly type: number;
  readonly features: Int32Array;
  readonly values: Float64Array;
  readonly rights: Int32Array;
}

/** The trees that the service ships with; training/documents.py makes them. */
const shippedTrees = lazy((): readonly Tree[] =>
  data.trees.map(([type = 0, ...nodes]) => ({
    type,
    features: Int32Array.from(everyThird(nodes, 0)),
    values: Float64Array.from(everyThird(nodes, 1)),
    rights: Int32Array.from(everyThird(nodes, 2)),
  })),
);

function everyThird(numbers: readonly number[], offset: number): number[] {
  return numbers.filter((_number, at) => at % 3 === offset);
}

/** The likeliest type of what these numbers describe. */
export function guessType(features: readonly number[]): LearnedGuess {
  const row = Float64Array.from(features);
  const sums = learnedTypes.map(() => 0);
  for (const tree of shippedTrees()) sums[tree.type] = (sums[tree.type] ?? 0) + leafOf(tree, row);
  const highest = Math.max(...sums);
  const weights = sums.map((sum) => Math.exp(sum - highest));
  const whole = weights.reduce((total, weight) => total + weight, 0);
  return { type: learnedTypes[sums.indexOf(highest)] ?? "text", probability: 1 / whole };
}

function leafOf({ features, values, rights }: Tree, row: Float64Array): number {
  let node = 0;
  let feature = features[0] ?? -1;
  while (feature >= 0) {
    const isLeft = (row[feature] ?? 0) < (values[node] ?? 0);
    node = isLeft ? node + 1 : (rights[node] ?? 0);
    feature = features[node] ?? -1;
  }
  return values[node] ?? 0;
}
