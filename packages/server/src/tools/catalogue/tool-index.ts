import type { Capability } from "./capability.ts";
import type { Provider } from "./provider.ts";

/**
 * Usual parameters of BM25 (Robertson and Zaragoza, 2009): how fast repetition saturates, and how much length
 * counts.
 */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

export interface CatalogueTool {
  readonly provider: Provider;
  readonly capability: Capability;
}

/** Word counts of one tool. */
interface Entry {
  readonly tool: CatalogueTool;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Finds tools by words. The words of each tool are counted once. */
export class ToolIndex {
  readonly #entries: ReadonlyMap<CatalogueTool, Entry>;

  constructor(tools: readonly CatalogueTool[]) {
    this.#entries = new Map(tools.map((tool) => [tool, entryOf(tool)]));
  }

  /** The given tools that contain any word of the query, best first. */
  rank(tools: readonly CatalogueTool[], query: string): readonly CatalogueTool[] {
    const words = [...new Set(wordsOf(query))];
    const entries = tools.map((tool) => this.#entries.get(tool) ?? entryOf(tool));
    const averageLength = entries.reduce((sum, { length }) => sum + length, 0) / entries.length;
    const weights = words.map((word) => [word, weightOf(word, entries)] as const);
    return entries
      .map((entry) => ({ tool: entry.tool, score: scoreOf(entry, weights, averageLength) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ tool }) => tool);
  }
}

function entryOf(tool: CatalogueTool): Entry {
  const words = wordsOf(textOf(tool));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { tool, counts, length: words.length };
}

/** Rare words weigh more. */
function weightOf(word: string, entries: readonly Entry[]): number {
  const count = entries.filter(({ counts }) => counts.has(word)).length;
  return Math.log(1 + (entries.length - count + 0.5) / (count + 0.5));
}

function scoreOf(
  { counts, length: own }: Entry,
  weights: readonly (readonly [string, number])[],
  averageLength: number,
): number {
  let score = 0;
  for (const [word, weight] of weights) {
    const count = counts.get(word) ?? 0;
    const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * own) / averageLength;
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
