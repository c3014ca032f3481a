import { setTimeout as pause } from "node:timers/promises";

import type { Config } from "../config/config.ts";
import type { Drain } from "@pergamon-dev/kit/drain";

const LOOK_MS = 100;
/** Time reserved for the end of requests once the process stops waiting for sessions. */
const END_MS = 5000;

/**
 * Announces the end of this process, and keeps serving until load balancers have noticed. Where other nodes
 * take over, it also waits until resources that only this process has, such as sessions, are unused.
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
