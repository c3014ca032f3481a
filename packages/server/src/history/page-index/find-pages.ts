import { folded, termsOf } from "./index-words.ts";
import type { FoundPage, IndexQuery } from "./indexed-pages.ts";
import { type Counted, fallbacksOf, type Stage } from "./query-stages.ts";

/** The best pages, among which one whose title is what is looked for is put first. */
const RANKED = 20;

/** A page as far as choosing needs it. */
export type Ranked = Pick<FoundPage, "title"> & { readonly id: number };

/** The words of one team's pages. */
interface TeamWords {
  /** Of the pages that match, so many of the best. */
  matching(stage: Stage, count: number): readonly Ranked[] | Promise<readonly Ranked[]>;
  /** In how many pages each term is. */
  counted(terms: readonly string[]): readonly Counted[] | Promise<readonly Counted[]>;
}

/**
 * Numbers of pages, best first: those that have all words, then, where they are too few, those that have most of them, or
 * any. A page whose title is what is looked for comes before all others.
 */
export async function findPages(
  { words, limit }: Omit<IndexQuery, "teamId">,
  team: TeamWords,
): Promise<readonly number[]> {
  const terms = termsOf(words);
  if (terms.length === 0) return [];
  const count = Math.max(limit, RANKED);
  const best = await team.matching({ expression: terms.join(" AND ") }, count);
  const found = new Map(best.map((row) => [row.id, row]));
  const fallbacks = found.size < limit && terms.length > 1 ? fallbacksOf(await team.counted(terms)) : [];
  for (const stage of fallbacks) {
    if (found.size >= limit) break;
    for (const row of await team.matching(stage, count)) {
      if (found.size < limit && !found.has(row.id)) found.set(row.id, row);
    }
  }
  const wanted = folded(words);
  const [named, others]: [Ranked[], Ranked[]] = [[], []];
  for (const row of found.values()) (folded(row.title) === wanted ? named : others).push(row);
  return [...named, ...others].slice(0, limit).map(({ id }) => id);
}
