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
  /** For each URL the rule that leaves it out, if any. Empty when a pattern is invalid. */
  readonly rules: readonly (string | undefined)[];
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
  if (!("ruleAgainst" in known)) return { rules: [], faults: known };
  const rules: (string | undefined)[] = [];
  const endMs = performance.now() + limitMs;
  for (const url of urls) {
    if (performance.now() > endMs) return { rules: [], faults: [], isTooSlow: true };
    rules.push(known.ruleAgainst(new URL(url)));
  }
  return { rules, faults: [] };
}

export function patternsFor(patterns: PatternOptions): UrlPatterns | readonly PatternFault[] {
  const key = stableHash(patterns);
  const known = compiled.get(key) ?? compilePatterns(patterns);
  compiled.set(key, known);
  return known;
}
