import { LRUCache } from "lru-cache";

import {
  compilePatterns,
  type PatternFault,
  type PatternOptions,
  type UrlPatterns,
} from "../crawl-rules/patterns.ts";
import { stableHash } from "../kit/hash.ts";

/** URLs to match against patterns. */
export interface MatchingTask {
  readonly patterns: PatternOptions;
  readonly urls: readonly string[];
}

/** The result of matching. */
export interface Matching {
  /** Whether each URL matches. Empty when a pattern is invalid. */
  readonly fits: readonly boolean[];
  /** Invalid patterns. */
  readonly faults: readonly PatternFault[];
}

/** Matches, possibly in another thread. @throws the signal's reason, once that is aborted. */
export type MatchPatterns = (task: MatchingTask, signal: AbortSignal) => Promise<Matching>;

/** Patterns of callers are compiled once for all pages of a crawl. */
const compiled = new LRUCache<string, UrlPatterns | readonly PatternFault[]>({ max: 8 });

export function matchPatterns({ patterns, urls }: MatchingTask): Matching {
  const key = stableHash(patterns);
  const known = compiled.get(key) ?? compilePatterns(patterns);
  compiled.set(key, known);
  if (!("fits" in known)) return { fits: [], faults: known };
  return { fits: urls.map((url) => known.fits(new URL(url))), faults: [] };
}
