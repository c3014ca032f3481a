import { z } from "zod";

import type { PatternOptions } from "./patterns.ts";
import type { MatchPatterns } from "../../scrape/page/pattern-matching.ts";

const MAX_PATTERNS = 1000;
const MAX_LENGTH = 2000;
/** Maximum characters of all patterns in a request together. */
const MAX_TOTAL_LENGTH = 100_000;

const PatternList = z
  .array(
    z
      .string()
      .refine(({ length }) => length <= MAX_LENGTH, {
        error: `Each includePaths/excludePaths pattern must be at most ${MAX_LENGTH} characters.`,
      })
      .meta({ maxLength: MAX_LENGTH }),
  )
  .max(MAX_PATTERNS)
  .default([]);

/** Request fields that choose pages by regular expressions. */
export const patternFields = {
  includePaths: PatternList.describe("Regular expressions (RE2): only pages whose path matches one of them."),
  excludePaths: PatternList.describe("Regular expressions (RE2): pages whose path matches one are left out."),
  regexOnFullURL: z.boolean().default(false).describe("Match patterns against the whole URL."),
};

interface PatternLists {
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  readonly regexOnFullURL: boolean;
}

/** Checks the rule for both lists together. */
export function checkPatternLists(lists: PatternLists, context: z.RefinementCtx): void {
  const all = [...lists.includePaths, ...lists.excludePaths];
  const length = all.reduce((sum, pattern) => sum + pattern.length, 0);
  if (all.length <= MAX_PATTERNS && length <= MAX_TOTAL_LENGTH) return;
  const message = `includePaths and excludePaths may have ${MAX_PATTERNS} patterns and ${MAX_TOTAL_LENGTH} characters together.`;
  context.addIssue({ code: "custom", path: ["includePaths"], message });
}

export function patternsOf({ includePaths, excludePaths, regexOnFullURL }: PatternLists): PatternOptions {
  return { include: includePaths, exclude: excludePaths, areOfWholeUrl: regexOnFullURL };
}

/** @throws ZodError that names each pattern that is no regular expression of RE2. */
export async function refuseBadPatterns(
  lists: PatternLists,
  match: MatchPatterns,
  signal: AbortSignal,
): Promise<void> {
  if (lists.includePaths.length + lists.excludePaths.length === 0) return;
  const { faults } = await match({ patterns: patternsOf(lists), urls: [] }, signal);
  if (faults.length === 0) return;
  throw new z.ZodError(
    faults.map(({ list, index, reason }) => {
      const field = list === "include" ? "includePaths" : "excludePaths";
      const pattern = JSON.stringify(lists[field][index]?.slice(0, 100));
      const message = `The pattern ${pattern} cannot be used: ${reason}. Patterns have the syntax of RE2, without look-around and back references.`;
      return { code: "custom", path: [field, index], message, input: undefined };
    }),
  );
}
