import { rarity } from "@pergamon-dev/facts/answers/unit-index";
import { stemOf, wordsOf } from "@pergamon-dev/facts/answers/words";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import type { MapLink } from "./map-links.ts";

/** Common parameters of BM25: how fast repetition saturates, how much length counts. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Further words of a query are not looked for. */
const MAX_WORDS = 32;
/** Scores are compared to a millionth. */
const SCORE_STEPS = 1e6;
/** More links than a map can hold: a number has room for a score and a place. */
const MAX_LINKS = 2 ** 20;

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
  /** How often each word of the query occurs in each link. */
  const counts = new Uint16Array(links.length * stems.length);
  const lengths = new Uint16Array(links.length);
  const linksWith = stems.map(() => 0);
  let words = 0;
  await forEachInTurns(links, signal, (link, index) => {
    const own = counts.subarray(index * stems.length, (index + 1) * stems.length);
    lengths[index] = countWords(link, places, own);
    words += lengths[index] ?? 0;
    for (const [place, count] of own.entries()) if (count > 0) linksWith[place] = (linksWith[place] ?? 0) + 1;
  });
  const weights = linksWith.map((count) => rarity(count, links.length));
  const averageLength = Math.max(1, words) / Math.max(1, links.length);
  // Numbers are sorted in some milliseconds, objects in so many tenths of a second.
  const keys = new Float64Array(links.length);
  await forEachInTurns(links, signal, (_link, index) => {
    const size = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[index] ?? 0)) / averageLength;
    const score = weights.reduce(
      (sum, weight, place) => sum + weight * saturated(counts[index * stems.length + place] ?? 0, size),
      0,
    );
    keys[index] = index - Math.round(score * SCORE_STEPS) * MAX_LINKS;
  });
  return Array.from(keys.sort(), (key) => links[((key % MAX_LINKS) + MAX_LINKS) % MAX_LINKS] as MapLink);
}

function saturated(count: number, size: number): number {
  return (count * (SATURATION + 1)) / (count + SATURATION * size);
}

/** @returns how many words there are. */
function countWords(link: MapLink, places: ReadonlyMap<string, number>, counts: Uint16Array): number {
  const words = wordsOf(textOf(link));
  for (const word of words) {
    const place = places.get(stemOf(word));
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return words.length;
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
