import { decode, LABEL_COUNT, LABELS, type Weights } from "../../../packages/facts/src/redaction/tagger/decode.ts";
import { BUCKETS } from "../../../packages/facts/src/redaction/tagger/features.ts";
import { seeded } from "./generate.ts";

/** A sequence with what its tokens are. */
export interface Example {
  readonly features: readonly (Uint32Array | undefined)[];
  readonly labels: Uint8Array;
}

/** Learns weights by averaged perceptron: each sequence that is decoded wrongly moves the weights towards the right one. */
export function learn(examples: readonly Example[], rounds: number): Weights {
  const weights = {
    emissions: new Float32Array(BUCKETS * LABEL_COUNT),
    transitions: new Float32Array(LABEL_COUNT ** 2 + LABEL_COUNT),
  };
  const sums = {
    emissions: new Float64Array(weights.emissions.length),
    transitions: new Float64Array(weights.transitions.length),
  };
  const random = seeded(7);
  const order = examples.map((_, index) => index);
  let step = 1;
  const move = (kind: "emissions" | "transitions", index: number, by: number) => {
    weights[kind][index] = (weights[kind][index] as number) + by;
    sums[kind][index] = (sums[kind][index] as number) + step * by;
  };
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random);
    let wrong = 0;
    for (const index of order) {
      const { features, labels } = examples[index] as Example;
      const guessed = decode(features, weights);
      wrong += correct({ features, labels }, guessed, move);
      step += 1;
    }
    console.error(`round ${round + 1}: ${wrong} tokens wrong`);
  }
  for (const kind of ["emissions", "transitions"] as const) {
    weights[kind].forEach(
      (weight, index) => (weights[kind][index] = weight - (sums[kind][index] as number) / step),
    );
  }
  return weights;
}

function correct(
  { features, labels }: Example,
  guessed: Uint8Array,
  move: (kind: "emissions" | "transitions", index: number, by: number) => void,
): number {
  let wrong = 0;
  labels.forEach((right, at) => {
    const guess = guessed[at] as number;
    if (right !== guess) {
      wrong += 1;
      for (const feature of features[at] ?? []) {
        move("emissions", feature * LABEL_COUNT + right, 1);
        move("emissions", feature * LABEL_COUNT + guess, -1);
      }
    }
    const from = (own: Uint8Array) => (at === 0 ? LABEL_COUNT : (own[at - 1] as number)) * LABEL_COUNT;
    const [transition, guessedTransition] = [from(labels) + right, from(guessed) + guess];
    if (transition === guessedTransition) return;
    move("transitions", transition, 1);
    move("transitions", guessedTransition, -1);
  });
  return wrong;
}

function shuffle(order: number[], random: () => number): void {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other] as number, order[index] as number];
  }
}

/** Weights as whole numbers of one byte; the largest in a thousand are cut. */
export function quantise({ emissions, transitions }: Weights): Weights {
  const sizes = Float32Array.from(emissions, Math.abs)
    .filter((size) => size > 0)
    .sort();
  const most = sizes[Math.floor(sizes.length * 0.999)] ?? 1;
  const scale = 127 / most;
  return {
    emissions: Int8Array.from(emissions, (weight) =>
      Math.max(-127, Math.min(127, Math.round(weight * scale))),
    ),
    transitions: Float32Array.from(transitions, (weight) => Math.round(weight * scale * 10) / 10),
  };
}

/** The label numbers of tokens that spans cover. */
export function labelled(
  tokens: readonly { readonly start: number; readonly end: number }[],
  spans: readonly { readonly start: number; readonly end: number; readonly type: string }[],
): Uint8Array {
  const kinds: Readonly<Record<string, string>> = {
    PERSON: "PER",
    LOCATION: "LOC",
    ORGANISATION: "ORG",
    IGNORE: "O",
  };
  return Uint8Array.from(tokens, ({ start, end }) => {
    const span = spans.find((one) => start < one.end && one.start < end);
    const kind = kinds[span?.type ?? ""];
    if (!span || !kind || kind === "O") return 0;
    return LABELS.indexOf(`${start <= span.start ? "B" : "I"}-${kind}` as (typeof LABELS)[number]);
  });
}
