import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";

import { callerOf } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import { type Log, openLog } from "../kit/log.ts";
import { uuidV7 } from "../kit/uuid.ts";
import { answerRemotely } from "../mcp/remote.ts";
import { answerMessage } from "../mcp/server.ts";
import { serveLines } from "../mcp/stdio.ts";
import * as tools from "../mcp/tools/all.ts";
import { type App, openApp } from "./app.ts";

interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

/** Speaks the Model Context Protocol with the client that started this process. */
export async function serveMcp(config: Config, lines: Lines): Promise<void> {
  const { remoteUrl: url, remoteApiKey: apiKey } = config.mcp;
  if (url !== undefined) {
    return serveLines(lines, (message, signal) => answerRemotely(message, { url, apiKey }, signal));
  }
  const log = await openLog({ ...config.logging, level: "error" });
  // No operator calls here; a key made now would be shown to nobody.
  const app = await openApp({ ...config, accounts: { ...config.accounts, adminKey: randomUUID() } }, log);
  try {
    await serveLines(lines, (message, signal) => answerHere(message, { app, log }, signal));
  } finally {
    await app.close();
  }
}

/** Whoever runs the program may use everything, as the team of open mode. */
function answerHere(
  message: unknown,
  { app, log }: { readonly app: App; readonly log: Log },
  signal: AbortSignal,
) {
  const { services, accounts, tools: providers, interact } = app;
  return answerMessage(
    message,
    { services: { ...services, providers, interact: interact.load }, tools },
    {
      caller: callerOf(accounts.team),
      linkBase: "",
      signal,
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
