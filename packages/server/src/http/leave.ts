import { setTimeout as pause } from "node:timers/promises";

import type { Config } from "../config/config.ts";
import type { Drain } from "@pergamon-dev/kit/drain";

const LOOK_MS = 100;
/** What is left of the limit for the end of requests, once sessions are not waited for any more. */
const END_MS = 5000;

/**
 * Announces the end of this process, and goes on as before until balancers have noticed and, where other nodes take
 * what comes next, until nothing uses what only this process has, such as sessions.
 */
export async function leave(
  { server: { drain: limits }, nodes }: Config,
  drain: Drain,
  countInUse: () => number,
): Promise<void> {
  drain.begin();
  const startMs = performance.now();
  const passedMs = () => performance.now() - startMs;
  await pause(limits.delayMs);
  if (nodes.url === undefined) return;
  const limitMs = limits.delayMs + Math.max(0, limits.limitMs - END_MS);
  while (countInUse() > 0 && passedMs() < limitMs) await pause(LOOK_MS);
}
