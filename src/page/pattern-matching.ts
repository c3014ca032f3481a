import { LRUCache } from "lru-cache";

import {
  compilePatterns,
  type PatternFault,
  type PatternOptions,
  sizeOfPatterns,
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

/**
 * Programs up to this size are run here: made to take long, one takes some 50 ms for the longest address, and usual ones
 * take microseconds.
 */
const SMALL_PROGRAM = 500;
/** Addresses of one turn, where the program is small. */
const SLICE = 500;

/** Matches small patterns in this thread, which costs less than waking another, and larger ones in another. */
export function matchSmallHere(elsewhere: MatchPatterns): MatchPatterns {
  return async ({ patterns, urls }, signal) => {
    if (sizeOfPatterns(patterns) > SMALL_PROGRAM) return elsewhere({ patterns, urls }, signal);
    const first = matchPatterns({ patterns, urls: urls.slice(0, SLICE) });
    const fits = [...first.fits];
    for (let from = SLICE; from < urls.length; from += SLICE) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      fits.push(...matchPatterns({ patterns, urls: urls.slice(from, from + SLICE) }).fits);
    }
    return { ...first, fits };
  };
}
