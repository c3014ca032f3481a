import { brotliDecompressSync } from "node:zlib";

import { lazy } from "@pergamon-dev/kit/lazy";
import { decode, LABEL_COUNT, LABELS, type Weights } from "./decode.ts";
import { BUCKETS, featuresOf, openFeatureSource } from "./features.ts";
import { type Lookup, openLexicon } from "./lexicon.ts";
import data from "./tagger-data.json" with { type: "json" };
import { sequencesOf, type Token } from "./tokens.ts";

/** In UTF-16 units; the end is exclusive. */
interface TaggedName {
  readonly start: number;
  readonly end: number;
  readonly kind: "PER" | "LOC" | "ORG";
}

/** Finds names of people, places and organisations by form and context. */
export interface Tagger {
  readonly lookup: Lookup;
  /** @param reluctance is subtracted from the score for no name. 0 is as trained; higher values find more. */
  namesIn(text: string, reluctance: number): readonly TaggedName[];
}

/** The tagger that the service ships with, unpacked on first use. */
export const shippedTagger = lazy((): Tagger => {
  const emissions = new Int8Array(bytesOf(data.emissions));
  if (emissions.length !== BUCKETS * LABEL_COUNT)
    throw new Error("The tagger's file does not fit its code: train it again.");
  const weights = { emissions, transitions: Float32Array.from(data.transitions) };
  return openTagger(weights, openLexicon(new Uint8Array(bytesOf(data.lexicon))));
});

export function openTagger(weights: Weights, lookup: Lookup): Tagger {
  return {
    lookup,
    namesIn(text, reluctance) {
      const source = openFeatureSource(text, lookup);
      return sequencesOf(text).flatMap((tokens) => {
        const labels = decode(featuresOf(tokens, source), weights, reluctance);
        return namesOf(tokens, labels);
      });
    },
  };
}

function namesOf(tokens: readonly Token[], labels: Uint8Array): readonly TaggedName[] {
  const names: { start: number; end: number; kind: TaggedName["kind"] }[] = [];
  tokens.forEach(({ start, end }, index) => {
    const label = LABELS[labels[index] as number] ?? "O";
    const open = names.at(-1);
    if (label.startsWith("I-") && open) open.end = end;
    else if (label.startsWith("B-")) names.push({ start, end, kind: label.slice(2) as TaggedName["kind"] });
  });
  return names;
}

function bytesOf(packed: string): ArrayBuffer {
  return Uint8Array.from(brotliDecompressSync(Buffer.from(packed, "base64"))).buffer;
}
