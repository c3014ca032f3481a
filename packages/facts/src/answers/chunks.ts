import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { rankUnits } from "./rank.ts";

export interface Chunks {
  readonly chunks: readonly string[];
  /** Token count of the whole text. */
  readonly tokens: number;
  /** False if some text is in no chunk. */
  readonly isWhole: boolean;
}

/** Minimum fill of a chunk before a heading may begin the next one. */
const FULL_ENOUGH = 0.6;
const HEADING = /^\s{0,3}#{1,6}\s/;

export interface ChunkLimits {
  readonly maxTokens: number;
  readonly most: number;
}

/**
 * Splits a text into chunks, preferably at headings. If there are more than `most`, keeps the first chunk and
 * those that fit the query best, in text order.
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

/** Keeps the first chunk, which introduces the text, and those that share most with the query. */
function best(chunks: readonly string[], most: number, query: string): readonly string[] {
  const units = chunks.map((text, block) => {
    return { text, block, line: block, kind: "text" as const, headings: [], start: 0, end: text.length };
  });
  const ranked = rankUnits(units, query).units.map(({ position }) => position);
  const chosen = new Set([0, ...ranked.filter((position) => position > 0)].slice(0, most));
  return chunks.filter((_, position) => chosen.has(position));
}

/** Cuts a line that exceeds a chunk. */
function pieces(line: string, maxTokens: number): readonly string[] {
  const longest = Math.max(1, maxTokens - 1);
  if (countTokens(line) <= longest) return [line];
  return Array.from({ length: Math.ceil(line.length / longest) }, (_, index) =>
    line.slice(index * longest, (index + 1) * longest),
  );
}
