import type { CatalogueTool } from "../catalogue/catalogue.ts";

/** Usual parameters of BM25 (Robertson and Zaragoza, 2009): how fast repetition saturates, how much length counts. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Those in which any of the words occurs, the best first. */
export function rank(tools: readonly CatalogueTool[], query: string): readonly CatalogueTool[] {
  const words = [...new Set(wordsOf(query))];
  const documents = tools.map((tool) => ({ tool, words: wordsOf(textOf(tool)) }));
  const averageLength =
    documents.reduce((sum, document) => sum + document.words.length, 0) / documents.length;
  const weights = new Map(words.map((word) => [word, weightOf(word, documents)]));
  return documents
    .map(({ tool, words: own }) => ({ tool, score: scoreOf(own, weights, averageLength) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** Rare words say more. */
function weightOf(word: string, documents: readonly { readonly words: readonly string[] }[]): number {
  const count = documents.filter(({ words }) => words.includes(word)).length;
  return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
}

function scoreOf(
  words: readonly string[],
  weights: ReadonlyMap<string, number>,
  averageLength: number,
): number {
  let score = 0;
  for (const [word, weight] of weights) {
    const count = words.filter((own) => own === word).length;
    const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * words.length) / averageLength;
    score += (weight * count * (SATURATION + 1)) / (count + SATURATION * length);
  }
  return score;
}

function textOf({ provider, capability }: CatalogueTool): string {
  const { id, name, description, whenToUse = "" } = capability;
  return [
    provider.id,
    provider.name,
    ...provider.cohorts,
    ...provider.domains,
    id,
    name,
    name,
    description,
    whenToUse,
  ].join(" ");
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
