/** What a token is: outside, at the beginning of, or inside a person, a place or an organisation. */
export const LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"] as const;
export const LABEL_COUNT = LABELS.length;

/** Sums of weights, per feature and label, and from label to label; the last row is for the first token. */
export interface Weights {
  readonly emissions: Int8Array | Float32Array;
  readonly transitions: Float32Array;
}

/** Inside follows only what it is inside of. */
const FOLLOWS: readonly (readonly number[])[] = LABELS.map((label, own) =>
  label.startsWith("I-") ? [own - 1, own] : LABELS.map((_, index) => index),
);

/**
 * The likeliest labels of a sequence as a whole (Viterbi).
 *
 * @param features of each token; undefined: it is outside of names.
 * @param reluctance is taken from what being nothing scores: more finds more.
 */
export function decode(
  features: readonly (Uint32Array | undefined)[],
  weights: Weights,
  reluctance = 0,
): Uint8Array {
  const origins = new Uint8Array(features.length * LABEL_COUNT);
  let scores = new Float64Array(LABEL_COUNT).fill(IMPOSSIBLE);
  let next = new Float64Array(LABEL_COUNT);
  const emission = new Float64Array(LABEL_COUNT);
  for (let index = 0; index < features.length; index++) {
    const own = features[index];
    // From outside to outside there is one way, which changes nothing about the others.
    if (!own && index > 0 && !features[index - 1]) continue;
    next.fill(IMPOSSIBLE);
    if (own) sumUp(own, weights.emissions, emission);
    else emission.fill(0);
    emission[0] = (emission[0] as number) - reluctance;
    for (let label = 0; label < (own ? LABEL_COUNT : 1); label++) {
      const from = index === 0 ? START : bestOrigin(label, scores, weights.transitions);
      const before = index === 0 ? (isInside(label) ? IMPOSSIBLE : 0) : (scores[from] as number);
      next[label] =
        before + (weights.transitions[from * LABEL_COUNT + label] as number) + (emission[label] as number);
      origins[index * LABEL_COUNT + label] = from;
    }
    [scores, next] = [next, scores];
  }
  return trace(scores, origins);
}

const IMPOSSIBLE = -1e9;
/** The row of transitions to a first token. */
const START = LABEL_COUNT;

function isInside(label: number): boolean {
  return label > 0 && label % 2 === 0;
}

function bestOrigin(label: number, scores: Float64Array, transitions: Float32Array): number {
  let best = FOLLOWS[label]?.[0] as number;
  let most = -Infinity;
  const possible = FOLLOWS[label] as readonly number[];
  for (let at = 0; at < possible.length; at++) {
    const from = possible[at] as number;
    const score = (scores[from] as number) + (transitions[from * LABEL_COUNT + label] as number);
    if (score <= most) continue;
    most = score;
    best = from;
  }
  return best;
}

/** Feature by feature, because what a feature weighs for all labels lies together. */
function sumUp(features: Uint32Array, weights: Weights["emissions"], sums: Float64Array): void {
  sums.fill(0);
  for (let place = 0; place < features.length; place++) {
    const first = (features[place] as number) * LABEL_COUNT;
    for (let label = 0; label < LABEL_COUNT; label++)
      sums[label] = (sums[label] as number) + (weights[first + label] as number);
  }
}

function trace(scores: Float64Array, origins: Uint8Array): Uint8Array {
  const labels = new Uint8Array(origins.length / LABEL_COUNT);
  let label = scores.indexOf(Math.max(...scores));
  for (let index = labels.length - 1; index >= 0; index--) {
    labels[index] = label;
    label = origins[index * LABEL_COUNT + label] as number;
  }
  return labels;
}
