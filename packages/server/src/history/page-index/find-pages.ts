import { folded, termsOf } from "./index-words.ts";
import type { FoundPage, IndexQuery } from "./indexed-pages.ts";
import { type Counted, fallbacksOf, type Stage } from "./query-stages.ts";

/** Minimum number of ranked pages, among which a page whose title equals the query moves to the front. */
const RANKED = 20;

/** The members of a page that ranking needs. */
export type Ranked = Pick<FoundPage, "title"> & { readonly id: number };

/** The index of one team's pages. */
interface TeamWords {
  /** The best `count` pages that match. */
  matching(stage: Stage, count: number): readonly Ranked[] | Promise<readonly Ranked[]>;
  /** The number of pages that contain each term. */
  counted(terms: readonly string[]): readonly Counted[] | Promise<readonly Counted[]>;
}

/**
 * Page numbers, best first: pages with all words, then, if these are too few, pages with most of them or any.
 * A page whose title equals the query comes first.
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
