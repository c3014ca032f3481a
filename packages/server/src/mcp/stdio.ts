import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

import { limits } from "../api/limits.ts";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { errorReply, Message, type Reply, RpcError } from "./message.ts";

/** The same bounds as for a body of `POST /mcp`. */
const BOUNDS = { maxBytes: limits.bodyBytes, maxValues: 50_000 } as const;

/**
 * Maximum received size of all messages in progress, because messages may be large, and many may come at
 * once.
 */
const MAX_UNDER_WAY_BYTES = 64 * 1024 * 1024;
const MAX_UNDER_WAY = 1000;
/** Maximum of unread answers before no more messages are taken from the client. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Answers one message; undefined for one that needs no answer. */
type AnswerLine = (message: unknown, signal: AbortSignal) => Promise<Reply | undefined>;

interface Lines {
  readonly input: Readable;
  /** Nothing but answers may be written there. */
  readonly output: Writable;
  /** Parses long lines. */
  readonly thread: ForeignThread;
}

/**
 * Exchanges the protocol's messages, one per line, with the client that started this process. Messages are
 * answered as soon as possible, in any order. Resolves when the client is gone and all work has ended.
 */
export async function serveLines({ input, output, thread }: Lines, answer: AnswerLine): Promise<void> {
  const underWay = new Map<string, AbortController>();
  const gone = new AbortController();
  const running = new Set<Promise<void>>();
  let underWayBytes = 0;

  async function take(line: string): Promise<void> {
    recordWork("mcp");
    // Lines are parsed one after the other, because waiting lines are held in memory.
    const message = await parse(line, thread);
    if (message === undefined) return write(errorReply(null, unreadable()));
    const cancelled = cancelledId(message);
    if (cancelled !== undefined)
      return underWay.get(cancelled)?.abort(new Error("The client cancelled the request."));
    if (running.size >= MAX_UNDER_WAY || underWayBytes > MAX_UNDER_WAY_BYTES) return refuse(message);
    underWayBytes += line.length;
    const work = run(message).finally(() => {
      underWayBytes -= line.length;
      running.delete(work);
    });
    running.add(work);
  }

  async function run(message: unknown): Promise<void> {
    const name = idOf(message);
    const controller = new AbortController();
    underWay.set(name, controller);
    const reply = await answer(message, AbortSignal.any([controller.signal, gone.signal]));
    underWay.delete(name);
    if (reply && !controller.signal.aborted) write(reply);
  }

  function refuse(message: unknown): void {
    const { data: parsed } = Message.safeParse(message);
    if (parsed?.id !== undefined) write(errorReply(parsed.id, tooMany()));
  }

  function write(reply: Reply): void {
    output.write(`${JSON.stringify(reply)}\n`);
  }

  for await (const line of readLines(input, BOUNDS.maxBytes)) {
    if (line === undefined) {
      write(errorReply(null, tooLong()));
      continue;
    }
    if (line.trim() !== "") await take(line);
    await hasRoom(output);
  }
  gone.abort(new Error("The client disconnected."));
  await Promise.allSettled(running);
}

/** Resolves when the client has read enough of its answers, or reads no more. */
async function hasRoom(output: Writable): Promise<void> {
  if (output.writableLength <= MAX_UNREAD_BYTES || output.destroyed) return;
  const gone = new AbortController();
  const { signal } = gone;
  await Promise.race(["drain", "close"].map((event) => once(output, event, { signal }))).catch(
    () => undefined,
  );
  gone.abort();
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

function tooMany(): RpcError {
  return new RpcError("internalError", "Too many requests at once. Wait for answers, and send it again.");
}

/** The ids 1 and "1" must differ. */
function idOf(message: unknown): string {
  return JSON.stringify(fieldsOf(message)["id"] ?? null);
}

/** Id of the message that the client has cancelled. */
function cancelledId(message: unknown): string | undefined {
  const { method, params } = fieldsOf(message);
  if (method !== "notifications/cancelled") return undefined;
  return JSON.stringify(ownProperty(fieldsOf(params), "requestId") ?? null);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

const LINE_END = 0x0a;

/**
 * Splits a stream of bytes into lines without their ends. A line longer than `maxBytes` is dropped, and
 * yields undefined.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  function keep(part: Buffer): void {
    sizeBytes += part.byteLength;
    if (sizeBytes <= maxBytes) parts.push(part);
    else parts = [];
  }

  function take(): string | undefined {
    const line = sizeBytes > maxBytes ? undefined : Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    parts = [];
    sizeBytes = 0;
    return line;
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      keep(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(bytes.subarray(start));
  }
  if (sizeBytes > 0) yield take();
}
