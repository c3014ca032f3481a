import { ForeignJsonError } from "../../kit/foreign/parse-json.ts";
import { MAIN_THREAD_JSON } from "../../kit/foreign/json-bounds.ts";
import type { ForeignThread } from "../../kit/foreign/thread.ts";
import { noteWork } from "../../kit/loop/loop-pauses.ts";
import { MAX_MCP_MESSAGE_BYTES } from "./channel.ts";

/** Each value of a message is validated on the main thread, wherever it was parsed. */
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
  noteWork("provider");
  try {
    return await thread.parse(text, BOUNDS, signal);
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}
