import { ServiceError } from "../../api/errors.ts";
import { sizeOfPatterns } from "../../fetch/urls/program-size.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import type { MatchPatterns } from "./pattern-matching.ts";

/**
 * Instructions of the patterns × characters of an address. Adversarial patterns of this size take some 5 ms,
 * common ones microseconds.
 */
const SMALL_PRODUCT = 200_000;
/** Maximum instructions of the patterns. Larger programs take long to compile. */
const SMALL_PROGRAM = 500;

/** Thrown when a caller's patterns keep a thread busy for too long. */
export class PatternsTooSlow extends ServiceError {
  constructor() {
    const message =
      "includePaths and excludePaths took more than 5 seconds for the links of one page. Use fewer or simpler patterns, such as prefixes.";
    super("BAD_REQUEST", { message });
  }
}

/** Matches small tasks in this thread, which costs less than waking another, and others in another thread. */
export function matchSmallHere(elsewhere: MatchPatterns): MatchPatterns {
  return async ({ patterns, urls }, signal) => {
    const size = sizeOfPatterns(patterns);
    const isSmall = (url: string) => size * url.length <= SMALL_PRODUCT;
    if (size > SMALL_PROGRAM || !urls.every(isSmall)) {
      const matching = await elsewhere({ patterns, urls }, signal);
      if (matching.isTooSlow) throw new PatternsTooSlow();
      return matching;
    }
    const { patternsFor } = await import("./pattern-matching.ts");
    const known = patternsFor(patterns);
    if (!("ruleAgainst" in known)) return { rules: [], faults: known };
    const rules: (string | undefined)[] = [];
    await forEachInTurns(urls, signal, (url) => rules.push(known.ruleAgainst(new URL(url))));
    return { rules, faults: [] };
  };
}
