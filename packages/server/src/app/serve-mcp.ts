import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";

import { callerOf } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import { PROGRAM_LANE } from "../jobs/run-rows.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { type Log, openLog } from "@pergamon-dev/kit/log/log";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { bringFiles } from "../mcp/local-files.ts";
import { answerRemotely } from "../mcp/remote.ts";
import { answerMessage } from "../mcp/server.ts";
import { serveLines } from "../mcp/stdio.ts";
import { openLink } from "../files/open-link.ts";
import * as tools from "./mcp-tools.ts";
import { type App, openApp } from "./app.ts";

interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

interface ThreadedLines extends Lines {
  readonly thread: ForeignThread;
}

/** Speaks the Model Context Protocol with the client that started this process. */
export async function serveMcp(config: Config, lines: Lines): Promise<void> {
  const thread = new ForeignThread();
  try {
    await serve(config, { ...lines, thread });
  } finally {
    await thread.close();
  }
}

async function serve(config: Config, lines: ThreadedLines): Promise<void> {
  const { remoteUrl: url, remoteApiKey: apiKey } = config.mcp;
  if (url !== undefined) {
    return serveLines(lines, (message, signal) =>
      answerRemotely(message, { url, apiKey, thread: lines.thread }, signal),
    );
  }
  const log = await openLog({ ...config.logging, level: "error" });
  // No operator calls here; a key made now would not be shown.
  const app = await openApp({ ...config, accounts: { ...config.accounts, adminKey: randomUUID() } }, log);
  // Jobs that are started here are worked on here, and continue in the next process like this one, or in a service.
  app.families.jobs.places.lasting.dispatcher.work(PROGRAM_LANE);
  try {
    await serveLines(lines, (message, signal) => answerHere(message, { app, log }, signal));
  } finally {
    await app.close();
  }
}

/** The user of the program has all permissions, as the team of open mode. */
function answerHere(
  message: unknown,
  { app, log }: { readonly app: App; readonly log: Log },
  signal: AbortSignal,
) {
  const { services, accounts, tools: providers, interact } = app;
  const families = { ...app.families, jobs: app.families.jobs.inLane(PROGRAM_LANE) };
  return answerMessage(
    message,
    { services: { ...services, families, providers, interact: interact.load }, tools },
    {
      caller: callerOf(accounts.team),
      linkBase: "",
      signal,
      bringFiles: (content) =>
        bringFiles(content, { open: (link) => openLink(link, app.files), folder: process.cwd() }),
      admit: async () => undefined,
      note: () => undefined,
      report(failure) {
        const id = uuidV7();
        log.error({ err: failure, errorId: id }, "A tool failed unexpectedly.");
        return id;
      },
    },
  );
}
