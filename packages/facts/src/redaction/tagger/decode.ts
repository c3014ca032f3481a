/** Token labels: outside (O), or begin (B) or inside (I) of a person, place or organisation. */
export const LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"] as const;
export const LABEL_COUNT = LABELS.length;

/**
 * Weights per feature and label, and from label to label. The last row of the transitions is for the first
 * token.
 */
export interface Weights {
  readonly emissions: Int8Array | Float32Array;
  readonly transitions: Float32Array;
}

/** An inside label may only follow a begin or inside label of its kind. */
const FOLLOWS: readonly (readonly number[])[] = LABELS.map((label, own) =>
  label.startsWith("I-") ? [own - 1, own] : LABELS.map((_, index) => index),
);

/**
 * The most likely label sequence (Viterbi).
 *
 * @param features of each token; undefined means certainly outside of names.
 * @param reluctance is subtracted from the score of the outside label; higher values find more names.
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
    // From outside to outside there is only one transition, which leaves the comparison unchanged.
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
/** Row of the transitions to the first token. */
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

/** Loops by feature, as the weights of one feature for all labels are adjacent in memory. */
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
