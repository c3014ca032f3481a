import { lazy } from "@pergamon-dev/kit/lazy";
import { type Lexica, Lexicon } from "../tables/lexicon.ts";
import data from "./model-data.json" with { type: "json" };
import type { Rows } from "./rows.ts";
import { bytesOf, Trees } from "./trees.ts";

const ODDS_STEP = 1 / 16;

/** Gradient-boosted trees that tell content from boilerplate, with the words they know. */
export interface Model {
  readonly lexica: Lexica;
  /** Number of features per row. */
  readonly columns: number;
  /** Probability of being content (0 to 1), by row. */
  score(rows: Rows): Float32Array;
}

/** The model that the service ships with, unpacked on first use. */
export const shippedModel = lazy((): Model => {
  const trees = new Trees(data.trees);
  return {
    lexica: { names: unpackLexicon(data.names), words: unpackLexicon(data.words) },
    columns: data.columns,
    score: (rows) => trees.score(rows),
  };
});

function unpackLexicon(packed: { readonly tokens: string; readonly odds: string }): Lexicon {
  const odds = new Int8Array(bytesOf(packed.odds).buffer);
  return new Lexicon(
    packed.tokens.split(" "),
    Array.from(odds, (value) => value * ODDS_STEP),
  );
}
