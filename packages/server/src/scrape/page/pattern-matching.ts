import { LRUCache } from "lru-cache";

import {
  compilePatterns,
  type PatternFault,
  type PatternOptions,
  type UrlPatterns,
} from "../../fetch/urls/patterns.ts";
import { stableHash } from "@pergamon-dev/kit/hash";

export interface MatchingTask {
  readonly patterns: PatternOptions;
  readonly urls: readonly string[];
}

export interface Matching {
  /** Whether each URL matches. Empty when a pattern is invalid. */
  readonly fits: readonly boolean[];
  readonly faults: readonly PatternFault[];
  /** Set when matching took too long for others to wait. */
  readonly isTooSlow?: true;
}

/** Time limit for all addresses of a task. Common patterns take milliseconds. */
const LIMIT_MS = 5000;

/**
 * Matches, possibly in another thread.
 * @throws PatternsTooSlow; the signal's reason, once that is aborted.
 */
export type MatchPatterns = (task: MatchingTask, signal: AbortSignal) => Promise<Matching>;

/** Patterns of a caller are compiled once for all pages of a crawl. */
const compiled = new LRUCache<string, UrlPatterns | readonly PatternFault[]>({ max: 8 });

/** Matches in this thread, without yielding. */
export function matchPatterns({ patterns, urls }: MatchingTask, limitMs = LIMIT_MS): Matching {
  const known = patternsFor(patterns);
  if (!("fits" in known)) return { fits: [], faults: known };
  const fits: boolean[] = [];
  const endMs = performance.now() + limitMs;
  for (const url of urls) {
    if (performance.now() > endMs) return { fits: [], faults: [], isTooSlow: true };
    fits.push(known.fits(new URL(url)));
  }
  return { fits, faults: [] };
}

export function patternsFor(patterns: PatternOptions): UrlPatterns | readonly PatternFault[] {
  const key = stableHash(patterns);
  const known = compiled.get(key) ?? compilePatterns(patterns);
  compiled.set(key, known);
  return known;
}
