import type { ChunkLimits } from "@pergamon-dev/facts/answers/chunks";
import type { Ask } from "./ask.ts";

/** What a question has of text of the page, of its tokens. */
const PAGE_SHARE = 0.9;

/** Parts of a page that fit into a question each. */
export function chunkLimits({ maxTokens }: Ask, most: number): ChunkLimits {
  return { maxTokens: Math.floor(maxTokens * PAGE_SHARE), most };
}

/** Said of text that models were not shown (contract, section 3.10). */
export function trimmed(tokens: number, most: number): string {
  return `The extraction content would have used more tokens (${tokens}) than the maximum we allow (${most}). -- the input has been automatically trimmed.`;
}
