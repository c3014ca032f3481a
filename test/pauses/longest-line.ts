import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { mainThreadMs } from "./main-thread.mjs";

export interface LineStrain {
  /** Between a ping behind the line and its answer. */
  readonly longestMs: number;
  /** Processor time of the main thread for all of the line. */
  readonly busiestMs: number;
  /** Nothing else is asked. */
  readonly idleMs: 0;
}

const LIMIT_MS = 30_000;
const CALM_MS = 1000;

/** Sends a line to a server of the Model Context Protocol on its standard input, and then a ping. */
export async function strainOfLine(
  line: string,
  { command, dataDir }: { readonly command: readonly string[]; readonly dataDir: string },
): Promise<LineStrain> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "error" };
  const child = spawn(process.execPath, [...command, "mcp"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const answer = async (message: string) => {
    const answered = once(lines, "line", { signal: AbortSignal.timeout(LIMIT_MS) });
    child.stdin.write(`${message}\n`);
    await answered;
  };
  try {
    await answer(INITIALIZE);
    await pause(CALM_MS);
    const beforeMs = mainThreadMs(child.pid ?? 0);
    await answer(line);
    const startMs = performance.now();
    await answer(PING);
    const longestMs = performance.now() - startMs;
    return { longestMs, idleMs: 0, busiestMs: mainThreadMs(child.pid ?? 0) - beforeMs };
  } finally {
    child.kill("SIGKILL");
  }
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "soak", version: "1" } },
});
const PING = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping" });
