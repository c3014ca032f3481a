import type { Readable, Writable } from "node:stream";

import { limits } from "../contract/limits.ts";
import type { ForeignThread } from "../kit/foreign/thread.ts";
import { noteWork } from "../kit/loop/loop-pauses.ts";
import { ownProperty } from "../kit/own-property.ts";
import { errorReply, type Reply, RpcError } from "./message.ts";
import { readLines } from "./read-lines.ts";

/** As for a body of `POST /mcp`. */
const BOUNDS = { maxBytes: limits.bodyBytes, maxValues: 50_000 } as const;

/** Answers one message; undefined for one that needs no answer. */
type AnswerLine = (message: unknown, signal: AbortSignal) => Promise<Reply | undefined>;

interface Lines {
  readonly input: Readable;
  /** Nothing but answers may be written there. */
  readonly output: Writable;
  /** Reads long lines. */
  readonly thread: ForeignThread;
}

/**
 * Speaks the protocol's messages, one per line, with the client that started this process. Messages are answered as soon
 * as they can be, not in their order. Resolves when the client is gone and nothing is under way any more.
 */
export async function serveLines({ input, output, thread }: Lines, answer: AnswerLine): Promise<void> {
  const underWay = new Map<string, AbortController>();
  const gone = new AbortController();
  const running = new Set<Promise<void>>();

  async function run(line: string): Promise<void> {
    noteWork("mcp");
    const message = await parse(line, thread);
    if (message === undefined) return write(errorReply(null, unreadable()));
    const cancelled = cancelledId(message);
    if (cancelled !== undefined)
      return underWay.get(cancelled)?.abort(new Error("The client cancelled the request."));
    const name = idOf(message);
    const controller = new AbortController();
    underWay.set(name, controller);
    const reply = await answer(message, AbortSignal.any([controller.signal, gone.signal]));
    underWay.delete(name);
    if (reply && !controller.signal.aborted) write(reply);
  }

  function write(reply: Reply): void {
    output.write(`${JSON.stringify(reply)}\n`);
  }

  for await (const line of readLines(input, BOUNDS.maxBytes)) {
    if (line === undefined) {
      write(errorReply(null, tooLong()));
      continue;
    }
    if (line.trim() === "") continue;
    const work = run(line).finally(() => running.delete(work));
    running.add(work);
  }
  gone.abort(new Error("The client disconnected."));
  await Promise.allSettled(running);
}

async function parse(line: string, thread: ForeignThread): Promise<unknown> {
  try {
    return await thread.parse(line, BOUNDS);
  } catch {
    return undefined;
  }
}

function unreadable(): RpcError {
  return new RpcError("parseError", "Invalid JSON. Send one message per line.");
}

function tooLong(): RpcError {
  return new RpcError(
    "parseError",
    `This line is longer than ${BOUNDS.maxBytes} bytes. Send a shorter message.`,
  );
}

/** Ids 1 and "1" are two. */
function idOf(message: unknown): string {
  return JSON.stringify(fieldsOf(message)["id"] ?? null);
}

/** Of the message that the client wants no answer to any more. */
function cancelledId(message: unknown): string | undefined {
  const { method, params } = fieldsOf(message);
  if (method !== "notifications/cancelled") return undefined;
  return JSON.stringify(ownProperty(fieldsOf(params), "requestId") ?? null);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
