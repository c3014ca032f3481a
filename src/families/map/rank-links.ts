import { setImmediate as nextTurn } from "node:timers/promises";

import { rarity } from "../../facts/answers/unit-index.ts";
import { stemOf, wordsOf } from "../../facts/answers/words.ts";
import type { MapLink } from "./map-links.ts";

/** Common parameters of BM25: how fast repetition saturates, how much length counts. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Further words of a query are not looked for. */
const MAX_WORDS = 32;
/** Other work runs between slices of this many links, which take about 5 ms each. */
const SLICE = 1000;

interface Counted {
  readonly link: MapLink;
  /** How often each word of the query occurs. */
  readonly counts: readonly number[];
  readonly length: number;
}

/**
 * Links by how well the words of their path, title and description fit a query, the best first (BM25). Those that have
 * none of its words keep their order and come last.
 * @throws the signal's reason, once it is aborted.
 */
export async function rankLinks(
  links: readonly MapLink[],
  query: string,
  signal: AbortSignal,
): Promise<readonly MapLink[]> {
  const stems = [...new Set(wordsOf(query).map(stemOf))].slice(0, MAX_WORDS);
  const places = new Map(stems.map((stem, place) => [stem, place]));
  const counted: Counted[] = [];
  for (const [index, link] of links.entries()) {
    counted.push(countWords(link, places));
    if (index % SLICE !== SLICE - 1) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const weights = stems.map((_stem, at) =>
    rarity(counted.filter(({ counts }) => (counts[at] ?? 0) > 0).length, counted.length),
  );
  const scored = counted.map(({ link, counts, length }) => {
    const size = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / averageLength;
    const parts = counts.map((count, at) => (weights[at] ?? 0) * saturated(count, size));
    return { link, score: parts.reduce((sum, part) => sum + part, 0) };
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ link }) => link);
}

function saturated(count: number, size: number): number {
  return (count * (SATURATION + 1)) / (count + SATURATION * size);
}

function countWords(link: MapLink, places: ReadonlyMap<string, number>): Counted {
  const words = wordsOf(textOf(link));
  const counts = Array.from(places, () => 0);
  for (const word of words) {
    const place = places.get(stemOf(word));
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return { link, counts, length: words.length };
}

function textOf({ url, title = "", description = "" }: MapLink): string {
  const { pathname, search } = new URL(url);
  return `${readable(pathname + search)} ${title} ${description}`;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
