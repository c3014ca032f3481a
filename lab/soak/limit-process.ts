import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import type { Coordinator } from "../../src/platform/coordination/coordinator.ts";
import { openDatabaseCoordinator } from "../../src/platform/coordination/database.ts";
import { openDatabase } from "../../src/platform/database/drivers.ts";
import type { LimitEvent, LimitOrder, LimitSetUp } from "./limit-processes.ts";

/** A process that enters slots and counts on command, and reports to its parent what was allowed, and when. */
const setUp = JSON.parse(process.argv[2] ?? "{}") as LimitSetUp;
const never = new AbortController().signal;
setMaxListeners(0, never);
let over = new AbortController();
const running = new Set<Promise<void>>();

const database = await openDatabase(setUp.databaseUrl);
await database.migrate();
const coordinator = openDatabaseCoordinator({
  database,
  placeTtlMs: setUp.placeTtlMs,
  onError: (failure) => tell({ kind: "failure", text: textOf(failure) }),
});

process.on("message", (order: LimitOrder) => void obey(order));
process.on("disconnect", () => process.exit());
setInterval(() => undefined, 60_000);
tell({ kind: "ready" });

async function obey(order: LimitOrder): Promise<void> {
  if (order.kind === "stop") {
    over.abort();
    await Promise.all(running);
    over = new AbortController();
    const { user, system } = process.cpuUsage();
    return tell({ kind: "stopped", cpuUs: user + system });
  }
  if (order.kind === "close") {
    await coordinator.close();
    await database.close();
    return process.disconnect();
  }
  const work = order.kind === "enter" ? () => visits(coordinator, order) : () => counts(coordinator, order);
  for (let user = 0; user < order.users; user += 1) {
    const ended = work().finally(() => running.delete(ended));
    running.add(ended);
  }
}

async function visits(to: Coordinator, order: LimitOrder & { readonly kind: "enter" }): Promise<void> {
  const { signal } = over;
  while (!signal.aborted) {
    const askedMs = nowMs();
    const entry = { limit: order.limit, queued: 10_000, timeoutMs: 60_000, signal: never };
    const place = await to.enter(order.slot, entry);
    if (typeof place === "string") return tell({ kind: "failure", text: `No place: ${place}` });
    const fromMs = nowMs();
    tell({ kind: "in", atMs: fromMs, waitedMs: fromMs - askedMs });
    await pause(order.holdMs * (0.5 + Math.random()));
    tell({ kind: "out", fromMs, toMs: nowMs() });
    place.release();
    if (order.restMs > 0) await pause(order.restMs);
  }
}

async function counts(to: Coordinator, order: LimitOrder & { readonly kind: "count" }): Promise<void> {
  const { signal } = over;
  while (!signal.aborted) {
    const askedMs = nowMs();
    const refusal = await to.count(order.key, order.limit, order.windowMs);
    if (!refusal) tell({ kind: "passed", askedMs, atMs: nowMs() });
    await pause(order.restMs);
  }
}

/** By a clock that all processes of this machine share. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function tell(event: LimitEvent): void {
  process.send?.(event);
}

function textOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause === undefined ? failure.message : `${failure.message} ${textOf(failure.cause)}`;
}
