import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { rankUnits } from "./rank.ts";

/** The text of a page in parts. */
export interface Chunks {
  readonly chunks: readonly string[];
  /** Of the whole text. */
  readonly tokens: number;
  /** False when some of the text is in no part. */
  readonly isWhole: boolean;
}

/** How full a part is at least before a heading begins the next one. */
const FULL_ENOUGH = 0.6;
const HEADING = /^\s{0,3}#{1,6}\s/;

/** How large the parts of a text are, and how many. */
export interface ChunkLimits {
  readonly maxTokens: number;
  readonly most: number;
}

/**
 * A text in parts, cut at headings where that can be. Of more than so many the first one and those that fit a query best are
 * taken, in the order of the text.
 */
export function chunksOf(markdown: string, { maxTokens, most }: ChunkLimits, query: string): Chunks {
  const tokens = countTokens(markdown);
  if (tokens <= maxTokens) return { chunks: markdown.trim() === "" ? [] : [markdown], tokens, isWhole: true };
  const chunks: string[] = [];
  let lines: string[] = [];
  let size = 0;
  for (const line of markdown.split("\n").flatMap((one) => pieces(one, maxTokens))) {
    const own = countTokens(line) + 1;
    const isBreak = size + own > maxTokens || (HEADING.test(line) && size > maxTokens * FULL_ENOUGH);
    if (isBreak && lines.length > 0) {
      chunks.push(lines.join("\n"));
      [lines, size] = [[], 0];
    }
    lines.push(line);
    size += own;
  }
  const all = [...chunks, lines.join("\n")];
  return { chunks: all.length > most ? best(all, most, query) : all, tokens, isWhole: all.length <= most };
}

/** The first part, which says what the text is, and those that have most of the query. */
function best(chunks: readonly string[], most: number, query: string): readonly string[] {
  const units = chunks.map((text, block) => {
    return { text, block, line: block, kind: "text" as const, headings: [], start: 0, end: text.length };
  });
  const ranked = rankUnits(units, query).units.map(({ position }) => position);
  const chosen = new Set([0, ...ranked.filter((position) => position > 0)].slice(0, most));
  return chunks.filter((_, position) => chosen.has(position));
}

/** A line that does not fit into a part, cut. */
function pieces(line: string, maxTokens: number): readonly string[] {
  const longest = Math.max(1, maxTokens - 1);
  if (countTokens(line) <= longest) return [line];
  return Array.from({ length: Math.ceil(line.length / longest) }, (_, index) =>
    line.slice(index * longest, (index + 1) * longest),
  );
}
