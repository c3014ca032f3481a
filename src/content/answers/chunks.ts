import { countTokens } from "../../kit/count-tokens.ts";

/** The text of a page in parts. */
export interface Chunks {
  readonly chunks: readonly string[];
  /** Of the whole text. */
  readonly tokens: number;
  /** False when the text goes on after the last part. */
  readonly isWhole: boolean;
}

/** How full a part is at least before a heading begins the next one. */
const FULL_ENOUGH = 0.6;
const HEADING = /^\s{0,3}#{1,6}\s/;

/** A text in parts of so many tokens, at headings where that can be; longer texts are cut after the last. */
export function chunksOf(markdown: string, mostTokens: number, most: number): Chunks {
  const tokens = countTokens(markdown);
  if (tokens <= mostTokens)
    return { chunks: markdown.trim() === "" ? [] : [markdown], tokens, isWhole: true };
  const chunks: string[] = [];
  let lines: string[] = [];
  let size = 0;
  for (const line of markdown.split("\n").flatMap((one) => pieces(one, mostTokens))) {
    const own = countTokens(line) + 1;
    const isBreak = size + own > mostTokens || (HEADING.test(line) && size > mostTokens * FULL_ENOUGH);
    if (isBreak && lines.length > 0) {
      chunks.push(lines.join("\n"));
      [lines, size] = [[], 0];
    }
    if (chunks.length >= most) return { chunks, tokens, isWhole: false };
    lines.push(line);
    size += own;
  }
  return { chunks: [...chunks, lines.join("\n")], tokens, isWhole: true };
}

/** A line that does not fit into a part, cut. */
function pieces(line: string, mostTokens: number): readonly string[] {
  const longest = Math.max(1, mostTokens - 1);
  if (countTokens(line) <= longest) return [line];
  return Array.from({ length: Math.ceil(line.length / longest) }, (_, index) =>
    line.slice(index * longest, (index + 1) * longest),
  );
}
