import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { CallResult } from "./requests/execute.ts";

/** The answer to one call; what a provider may send is less. */
const ANSWER_BOUNDS = { maxBytes: 32 * 1024 * 1024, maxValues: 500_000 } as const;

interface Answer {
  readonly data: { readonly alexandria: readonly CallResult[]; readonly creditsCost: number };
}

/** What `runTools` answered, as a value. What providers brought may be long, and is then parsed in a thread. */
export async function readResults(text: string, signal: AbortSignal): Promise<Answer["data"]> {
  const thread = new ForeignThread();
  try {
    const { data } = (await thread.parse(text, ANSWER_BOUNDS, signal)) as Answer;
    return data;
  } finally {
    await thread.close();
  }
}
