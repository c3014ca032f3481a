import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";

const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
/** No answer to anything that is asked here has more. */
const ANSWER_BOUNDS = { maxBytes: 4 * 1024 * 1024, maxValues: 50_000 } as const;

const FENCED = /```(?:json5?|jsonc)?[^\S\n]*\n?([\s\S]*?)```/i;

/**
 * The JSON value in what a model said: without its thoughts, fences and prose, small faults of syntax repaired. Undefined
 * when there is none, or it is not closed: half an answer is none. So is what is too long to be repaired.
 * @throws the signal's reason once it is aborted
 */
export async function findJson(said: string, thread: ForeignThread, signal: AbortSignal): Promise<unknown> {
  const spoken = said.replace(THOUGHTS, "").trim();
  const text = FENCED.exec(spoken)?.[1]?.trim() ?? spoken;
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start === -1 || end <= start) return undefined;
  const candidate = text.slice(start, end);
  const value = await unlessForeign(thread.parse(candidate, ANSWER_BOUNDS, signal));
  if (value !== undefined || !isClosed(candidate)) return value;
  return unlessForeign(thread.mend(candidate, signal));
}

async function unlessForeign(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}

/** Whether as many brackets close as open; what is in strings may make it say no. */
function isClosed(text: string): boolean {
  const opened = text.match(/[{[]/g)?.length ?? 0;
  return opened === (text.match(/[}\]]/g)?.length ?? 0);
}
