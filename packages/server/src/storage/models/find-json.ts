import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";

/** No valid answer exceeds these bounds. */
const ANSWER_BOUNDS = { maxBytes: 4 * 1024 * 1024, maxValues: 50_000 } as const;
const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
const FENCE = "```";

/**
 * Finds the JSON value in a model's reply: without thoughts, code fences and prose, and with small syntax errors
 * repaired. Undefined when there is none, when it is not closed, or when it is too long to repair.
 * @throws the signal's reason once it is aborted.
 */
export async function findJson(said: string, thread: ForeignThread, signal: AbortSignal): Promise<unknown> {
  const text = fencedIn(said.replace(THOUGHTS, ""));
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start === -1 || end <= start) return undefined;
  const candidate = text.slice(start, end);
  const value = await unlessForeign(thread.parse(candidate, ANSWER_BOUNDS, signal));
  return value ?? unlessForeign(thread.mend(candidate, signal));
}

/** The text between the first two fences; all of it when there are fewer. */
function fencedIn(text: string): string {
  const [, block = text, behind] = text.split(FENCE, 3);
  return behind === undefined ? text : block;
}

async function unlessForeign(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}
