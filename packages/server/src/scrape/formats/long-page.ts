import type { ChunkLimits } from "@pergamon-dev/facts/answers/chunks";
import type { Ask } from "./ask.ts";

/** Share of a question's tokens for text of the page. */
const PAGE_SHARE = 0.9;

/** Limits for parts of a page, each of which fits into one question. */
export function chunkLimits({ maxTokens }: Ask, most: number): ChunkLimits {
  return { maxTokens: Math.floor(maxTokens * PAGE_SHARE), most };
}

/** Warning about text that models did not see (contract, section 3.10). */
export function trimmed(tokens: number, most: number): string {
  return `The extraction content would have used more tokens (${tokens}) than the maximum we allow (${most}). -- the input has been automatically trimmed.`;
}
