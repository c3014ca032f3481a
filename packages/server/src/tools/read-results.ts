import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { CallResult } from "./requests/execute.ts";

/** Bounds of one call's answer. Providers may send less than this. */
const ANSWER_BOUNDS = { maxBytes: 32 * 1024 * 1024, maxValues: 500_000 } as const;

interface Answer {
  readonly data: { readonly alexandria: readonly CallResult[]; readonly creditsCost: number };
}

/** Parses an answer of `runTools`. Results of providers may be long, so a thread parses long ones. */
export async function readResults(text: string, signal: AbortSignal): Promise<Answer["data"]> {
  const thread = new ForeignThread();
  try {
    const { data } = (await thread.parse(text, ANSWER_BOUNDS, signal)) as Answer;
    return data;
  } finally {
    await thread.close();
  }
}
