import { sizeOfPatterns } from "../crawl-rules/program-size.ts";
import type { MatchPatterns } from "./pattern-matching.ts";

/**
 * Programs up to this size are run here: made to take long, one takes some 50 ms for the longest address, and common ones
 * take microseconds.
 */
const SMALL_PROGRAM = 500;
/** Addresses of one turn, where the program is small. */
const SLICE = 500;

/** Matches small patterns in this thread, which costs less than waking another, and larger ones in another. */
export function matchSmallHere(elsewhere: MatchPatterns): MatchPatterns {
  return async ({ patterns, urls }, signal) => {
    if (sizeOfPatterns(patterns) > SMALL_PROGRAM) return elsewhere({ patterns, urls }, signal);
    const { matchPatterns } = await import("./pattern-matching.ts");
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
