import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { type Channel, MAX_MCP_MESSAGE_BYTES, type OutgoingMessage, type Receiver } from "./channel.ts";
import { McpFailure } from "./failure.ts";
import { LineSplitter } from "./line-splitter.ts";
import { RateWindow } from "./rate-window.ts";
import { parseMessage } from "./read-message.ts";

interface ProgramOptions {
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Called with each piece of text that the program writes to standard error. */
  readonly onNote: (text: string) => void;
  /** Parses large messages. */
  readonly thread: ForeignThread;
}

/** Maximum bytes that wait for a program which does not read them. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Time to end after the input closes, and after the termination signal. */
const GRACE_MS = { end: 500, terminate: 2000 } as const;
/** Maximum wait for the output that a program wrote before it ended. */
const LAST_WORDS_MS = 20_000;
const NOTES = { most: 20, windowMs: 10_000, length: 2000 } as const;

/**
 * Starts a program in a process group of its own, and exchanges messages over its standard input and output.
 */
export function openProgram(
  { command, args, env, onNote, thread }: ProgramOptions,
  receiver: Receiver,
): Channel {
  const child = spawn(command, args, { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => {
    child.once("error", (cause) => {
      receiver.end(new McpFailure("unreachable", `${command} cannot be started.`, { cause }));
      resolve();
    });
    child.once("exit", (code, signal) => {
      killGroup(child.pid, "SIGKILL");
      resolve();
      const end = new McpFailure("lost", `${command} ended with ${signal ?? `code ${code ?? ""}`}.`);
      void withinLimit(heard).then(() => receiver.end(end));
    });
  });
  const heard = hear(child.stdout, receiver, thread).catch((failure: unknown) => {
    // A program that cannot be started has no output either. The `error` event reports that.
    if (!(failure instanceof RangeError)) return;
    receiver.end(new McpFailure("too-large", `A message is larger than ${MAX_MCP_MESSAGE_BYTES} bytes.`));
    killGroup(child.pid, "SIGKILL");
  });
  child.stderr.on("data", noteTaker(onNote));
  // The program has ended, which the `exit` event reports.
  child.stdin.on("error", () => undefined);
  return {
    async send(message: OutgoingMessage) {
      if (child.exitCode !== null || child.signalCode !== null || !child.stdin.writable) {
        throw new McpFailure("unreachable", `${command} has ended.`);
      }
      if (child.stdin.writableLength > MAX_UNREAD_BYTES) {
        throw new McpFailure("unreachable", `${command} does not read its input.`);
      }
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return "sent";
    },
    ready: () => undefined,
    close: () => close(child, ended),
  };
}

/** A process that left the group may keep the output open, so the wait is limited. */
async function withinLimit(heard: Promise<void>): Promise<void> {
  const enough = new AbortController();
  const limit = sleep(LAST_WORDS_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([heard, limit]);
  enough.abort();
}

/** Reads messages one after the other. Meanwhile the program waits. */
async function hear(output: Readable, receiver: Receiver, thread: ForeignThread): Promise<void> {
  const splitter = new LineSplitter(MAX_MCP_MESSAGE_BYTES);
  for await (const chunk of output) {
    for (const line of splitter.split(chunk as Buffer)) {
      if (line.trim() !== "") receiver.receive(await parseMessage(line, thread));
    }
  }
}

/** Limits notes, so that a program which prints endlessly does not fill the log. */
function noteTaker(onNote: (text: string) => void): (chunk: Buffer) => void {
  const rate = new RateWindow(NOTES.most, NOTES.windowMs);
  return (chunk) => {
    if (!rate.exceeds()) onNote(chunk.toString("utf8").slice(0, NOTES.length).trimEnd());
  };
}

async function close(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  for (const [waitMs, signal] of [
    [GRACE_MS.end, "SIGTERM"],
    [GRACE_MS.terminate, "SIGKILL"],
  ] as const) {
    if (isOver()) return;
    const enough = new AbortController();
    await Promise.race([ended, sleep(waitMs, undefined, { signal: enough.signal }).catch(() => undefined)]);
    enough.abort();
    if (!isOver()) killGroup(child.pid, signal);
  }
  if (!isOver()) await once(child, "exit");
}
