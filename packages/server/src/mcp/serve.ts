import type { Readable, Writable } from "node:stream";

import type { Caller } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import type { Files } from "../files/files.ts";
import { openLink } from "../files/open-link.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Log } from "@pergamon-dev/kit/log/log";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { bringFiles } from "./local-files.ts";
import type { McpServices } from "./methods.ts";
import { answerRemotely } from "./remote.ts";
import { answerMessage } from "./server.ts";
import { serveLines } from "./stdio.ts";

interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

interface ThreadedLines extends Lines {
  readonly thread: ForeignThread;
}

/** The service in this process, as far as tools need it. */
export interface McpHost extends McpServices {
  /** The user of the program has all permissions, like the team of open mode. */
  readonly caller: Caller;
  readonly files: Files;
  readonly log: Log;
  close(): Promise<void>;
}

/**
 * Speaks the Model Context Protocol with the client that started this process.
 * @param openHost is called unless the settings name a remote service.
 */
export async function serveMcp(
  config: Config,
  lines: Lines,
  openHost: () => Promise<McpHost>,
): Promise<void> {
  const thread = new ForeignThread();
  try {
    await serve(config, { ...lines, thread }, openHost);
  } finally {
    await thread.close();
  }
}

async function serve(config: Config, lines: ThreadedLines, openHost: () => Promise<McpHost>): Promise<void> {
  const { remoteUrl: url, remoteApiKey: apiKey } = config.mcp;
  if (url !== undefined) {
    return serveLines(lines, (message, signal) =>
      answerRemotely(message, { url, apiKey, thread: lines.thread }, signal),
    );
  }
  const host = await openHost();
  try {
    await serveLines(lines, (message, signal) => answerHere(message, host, signal));
  } finally {
    await host.close();
  }
}

function answerHere(message: unknown, host: McpHost, signal: AbortSignal) {
  return answerMessage(message, host, {
    caller: host.caller,
    linkBase: "",
    signal,
    bringFiles: (content) =>
      bringFiles(content, { open: (link) => openLink(link, host.files), folder: process.cwd() }),
    admit: async () => undefined,
    note: () => undefined,
    report(failure) {
      const id = uuidV7();
      host.log.error({ err: failure, errorId: id }, "A tool failed unexpectedly.");
      return id;
    },
  });
}
