import { createRequire } from "node:module";

import type * as Re2 from "re2js";

import { lazy } from "@pergamon-dev/kit/lazy";
import { withoutAnchor } from "@pergamon-dev/kit/url";
import { programSizeOf } from "./program-size.ts";

/** Patterns whose matching time is linear in the length of the text. Few requests have one. */
export const re2 = lazy(() => createRequire(import.meta.url)("re2js") as typeof Re2);

/** Regular expressions of callers that choose pages. */
export interface PatternOptions {
  /** If there are any, pages must match one of them. */
  readonly include: readonly string[];
  /** Pages that match one of them are left out, even if they match others. */
  readonly exclude: readonly string[];
  /** Whether patterns match the whole URL instead of its path. */
  readonly areOfWholeUrl: boolean;
}

export interface UrlPatterns {
  /** The pattern that leaves a page out, with its list. Undefined: the page fits. */
  ruleAgainst(url: URL): string | undefined;
}

/** An unusable pattern, with the reason. */
export interface PatternFault {
  readonly list: "include" | "exclude";
  readonly index: number;
  readonly reason: string;
}

/**
 * Maximum instructions of all patterns of a crawl together. A character without repetition compiles to one
 * instruction, and requests may contain 100,000 characters. Compiling this many takes half a second.
 */
const MAX_PROGRAM_SIZE = 200_000;

/**
 * Compiles patterns with the syntax of RE2, whose matching time is linear in the length of the URL. They
 * match anywhere unless they are anchored.
 * @returns the problems of invalid patterns, if any.
 */
export function compilePatterns(options: PatternOptions): UrlPatterns | readonly PatternFault[] {
  const faults: PatternFault[] = [];
  let room = MAX_PROGRAM_SIZE;
  const compileList = (list: PatternFault["list"]) =>
    options[list].flatMap((pattern, index) => {
      room -= programSizeOf(pattern);
      const result = room < 0 ? TOO_LARGE : compile(pattern);
      if (typeof result !== "string") return [{ pattern, matcher: result }];
      faults.push({ list, index, reason: result });
      return [];
    });
  const included = compileList("include");
  const excluded = compileList("exclude");
  if (faults.length > 0) return faults;
  return {
    ruleAgainst(url) {
      const text = options.areOfWholeUrl ? withoutAnchor(url.href) : url.pathname;
      const excluding = excluded.find(({ matcher }) => matcher.test(text));
      if (excluding) return `excludePaths: ${excluding.pattern.slice(0, MAX_SHOWN)}`;
      const fits = included.length === 0 || included.some(({ matcher }) => matcher.test(text));
      return fits ? undefined : "includePaths: none matches";
    },
  };
}

/** Characters of a pattern that are shown beside each page that it leaves out. */
const MAX_SHOWN = 200;

const TOO_LARGE = "all patterns together are too large, which their counted repetitions make them";

/** @returns why it cannot be used. Look-around and back references are the common reasons. */
function compile(pattern: string): Re2.RE2JS | string {
  const { RE2JS, RE2JSSyntaxException } = re2();
  try {
    return RE2JS.compile(pattern);
  } catch (failure) {
    if (!(failure instanceof RE2JSSyntaxException)) throw failure;
    return failure.message.replace(/^error parsing regexp: /, "").slice(0, 200);
  }
}
