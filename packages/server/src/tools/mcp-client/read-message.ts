import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import { MAIN_THREAD_JSON } from "@pergamon-dev/kit/foreign/json-bounds";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { MAX_MCP_MESSAGE_BYTES } from "./channel.ts";

/** The main thread validates each value of a message, wherever the message was parsed. */
const BOUNDS = { ...MAIN_THREAD_JSON, maxBytes: MAX_MCP_MESSAGE_BYTES } as const;

/**
 * Parses a message of a server, in the thread if it is large.
 * @returns undefined if it is not JSON or has too many values
 * @throws the signal's reason
 */
export async function parseMessage(
  text: string,
  thread: ForeignThread,
  signal?: AbortSignal,
): Promise<unknown> {
  recordWork("provider");
  try {
    return await thread.parse(text, BOUNDS, signal);
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}
