import { RE2JS, RE2JSSyntaxException } from "re2js";

import { withoutAnchor } from "@pergamon-dev/kit/url";
import { programSizeOf } from "./program-size.ts";

/** Which pages are wanted, by regular expressions of callers. */
export interface PatternOptions {
  /** Pages have to match one of them, if there are any. */
  readonly include: readonly string[];
  /** Pages that match one of them are left out, even if they match others. */
  readonly exclude: readonly string[];
  /** Whether they are held against the whole URL instead of its path. */
  readonly areOfWholeUrl: boolean;
}

export interface UrlPatterns {
  fits(url: URL): boolean;
}

/** A pattern that cannot be used, and why. */
export interface PatternFault {
  readonly list: "include" | "exclude";
  readonly index: number;
  readonly reason: string;
}

/**
 * The most instructions that the patterns of a crawl may lead to, all together. A character leads to one, unless it is
 * repeated; 100,000 characters is all that may be sent. This many are compiled in half a second.
 */
const MAX_PROGRAM_SIZE = 200_000;

/**
 * Patterns in the syntax of RE2, which take time that grows with the length of the URL and never explodes. They match
 * anywhere unless they are anchored.
 * @returns what is wrong with them, if anything is.
 */
export function compilePatterns(options: PatternOptions): UrlPatterns | readonly PatternFault[] {
  const faults: PatternFault[] = [];
  let room = MAX_PROGRAM_SIZE;
  const compileList = (list: PatternFault["list"]) =>
    options[list].flatMap((pattern, index) => {
      room -= programSizeOf(pattern);
      const result = room < 0 ? TOO_LARGE : compile(pattern);
      if (typeof result !== "string") return [result];
      faults.push({ list, index, reason: result });
      return [];
    });
  const included = compileList("include");
  const excluded = compileList("exclude");
  if (faults.length > 0) return faults;
  return {
    fits(url) {
      const text = options.areOfWholeUrl ? withoutAnchor(url.href) : url.pathname;
      if (excluded.some((pattern) => pattern.test(text))) return false;
      return included.length === 0 || included.some((pattern) => pattern.test(text));
    },
  };
}

const TOO_LARGE = "all patterns together are too large, which their counted repetitions make them";

/** @returns why it cannot be used; look-around and back references are the common reasons. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (failure) {
    if (!(failure instanceof RE2JSSyntaxException)) throw failure;
    return failure.message.replace(/^error parsing regexp: /, "").slice(0, 200);
  }
}
