import { re2 } from "../../fetch/urls/patterns.ts";

/** What does not count in comparisons. */
export interface IgnoredText {
  /** Lines with one of these texts, in any case. */
  readonly text?: readonly string[] | undefined;
  /** Patterns of RE2. What they match does not count. */
  readonly patterns?: readonly string[] | undefined;
}

/** The text without what does not count. @throws for an invalid pattern. */
export function withoutIgnored(markdown: string, { text = [], patterns = [] }: IgnoredText): string {
  const words = text.map((one) => one.toLowerCase());
  const lines = words.length === 0 ? [markdown] : markdown.split("\n").filter((line) => !hasOne(line, words));
  return patterns.reduce(
    (kept, pattern) => re2().RE2JS.compile(pattern).matcher(kept).replaceAll(""),
    lines.join("\n"),
  );
}

function hasOne(line: string, words: readonly string[]): boolean {
  const lower = line.toLowerCase();
  return words.some((word) => lower.includes(word));
}
