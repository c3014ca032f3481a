import { setTimeout as pause } from "node:timers/promises";

import { LimitProcess, mostAtOnce, type Span, until } from "../../soak/limit-processes.ts";
import { findPostgres, startPostgres } from "../../../src/platform/database/postgres-server.suite.ts";
import type { Figure } from "../report.ts";

const PROCESSES = 4;
const LIMIT = 50;
const HOLD_MS = 100;
const SLOTS_MS = 5000;
const HANDED_MS = 4000;
const RATE_LIMIT = 1000;
const WINDOW_MS = 5000;
const COUNTS_MS = 2000;
/** Commits wait for the disk, as they do in production. */
const SAFE = ["fsync=on"];

/** Until a place that became free is used in another process. */
const MAX_HANDED_MS = 50;

/** Limits that four processes share through Postgres, on one machine. */
export async function benchLimits(): Promise<readonly Figure[]> {
  const programs = findPostgres();
  if (!programs) return [];
  const postgres = await startPostgres(programs, SAFE);
  const databaseUrl = postgres.url("limits");
  const processes = Array.from({ length: PROCESSES }, () => new LimitProcess({ databaseUrl }));
  try {
    await until(() => processes.every(({ isReady }) => isReady));
    return [
      ...(await benchHandedOn(processes)),
      ...(await benchSlots(processes)),
      ...(await benchRates(processes)),
      ...(await benchCounts(processes)),
    ];
  } finally {
    await Promise.all(processes.map((one) => one.close()));
    await postgres.stop();
  }
}

/** How long the only place of a slot is empty between one process and another. */
async function benchHandedOn(processes: readonly LimitProcess[]): Promise<readonly Figure[]> {
  const order = { kind: "enter", slot: "handed", limit: 1, users: 1, holdMs: 10, restMs: 1 } as const;
  const visits = await during(HANDED_MS, processes, () => {
    for (const one of processes) one.order(order);
  });
  const owned = visits.flatMap((spans, owner) => spans.map((span) => ({ ...span, owner })));
  const inOrder = owned.toSorted((one, other) => one.fromMs - other.fromMs);
  const gaps = inOrder.flatMap((visit, index) => {
    const before = inOrder[index - 1];
    return before && before.owner !== visit.owner ? [visit.fromMs - before.toMs] : [];
  });
  const [p50, p95] = [percentile(gaps, 50), percentile(gaps, 95)];
  return [
    {
      name: `a free place used by another process`,
      value: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${gaps.length} times)`,
      limit: `p95 <= ${MAX_HANDED_MS} ms`,
      isMet: gaps.length > 0 && p95 <= MAX_HANDED_MS,
    },
  ];
}

/** A slot that many more want than it holds. */
async function benchSlots(processes: readonly LimitProcess[]): Promise<readonly Figure[]> {
  const order = { kind: "enter", slot: "busy", limit: LIMIT, users: 25, holdMs: HOLD_MS, restMs: 0 } as const;
  const cpuBefore = sum(processes.map(({ cpuUs }) => cpuUs));
  const visits = (
    await during(SLOTS_MS, processes, () => {
      for (const one of processes) one.order(order);
    })
  ).flat();
  const cpuUs = (sum(processes.map((one) => one.cpuUs)) - cpuBefore) / visits.length;
  const fromMs = Math.min(...visits.map((visit) => visit.fromMs)) + SLOTS_MS / 10;
  const toMs = fromMs + (SLOTS_MS * 8) / 10;
  const usedMs = sum(
    visits.map((visit) => Math.max(0, Math.min(visit.toMs, toMs) - Math.max(visit.fromMs, fromMs))),
  );
  const used = usedMs / (LIMIT * (toMs - fromMs));
  const most = mostAtOnce(visits);
  return [
    {
      name: `a limit of ${LIMIT} over ${PROCESSES} processes`,
      value: `at most ${most}, ${(used * 100).toFixed(1)} % used, ${cpuUs.toFixed(0)} µs each`,
      limit: `<= ${LIMIT}, >= 95 %`,
      isMet: most <= LIMIT && used >= 0.95,
    },
  ];
}

/** More than may pass: the limit at once, and then as many again in each window. */
async function benchRates(processes: readonly LimitProcess[]): Promise<readonly Figure[]> {
  const rate = { key: "rate", limit: RATE_LIMIT, windowMs: WINDOW_MS, users: 5, restMs: 5 };
  const begun = processes.map(({ passes }) => passes.length);
  await during(WINDOW_MS * 2.5, processes, () => {
    for (const one of processes) one.order({ kind: "count", ...rate });
  });
  const passed = sum(processes.map(({ passes }, index) => passes.length - (begun[index] ?? 0)));
  const allowed = RATE_LIMIT * 3.5;
  return [
    {
      name: `${RATE_LIMIT} each ${WINDOW_MS / 1000} s over ${PROCESSES} processes`,
      value: `${passed} in ${(WINDOW_MS * 2.5) / 1000} s, ${((passed / allowed - 1) * 100).toFixed(1)} % above`,
      limit: "<= + 2 %",
      isMet: passed <= allowed * 1.02 && passed >= allowed * 0.95,
    },
  ];
}

/** What counting costs where nothing is refused. */
async function benchCounts(processes: readonly LimitProcess[]): Promise<readonly Figure[]> {
  const begun = processes.map(({ passes }) => passes.length);
  const count = { key: "count", limit: 10_000_000, windowMs: 60_000, users: 20, restMs: 5 };
  await during(COUNTS_MS, processes, () => {
    for (const one of processes) one.order({ kind: "count", ...count });
  });
  const waits = processes
    .flatMap((one, index) => one.passes.slice(begun[index]))
    .map(({ fromMs, toMs }) => toMs - fromMs);
  return [
    {
      name: `requests of one key counted by ${PROCESSES} processes`,
      value: `${((waits.length / COUNTS_MS) * 1000).toFixed(0)}/s, p95 ${percentile(waits, 95).toFixed(2)} ms, p99 ${percentile(waits, 99).toFixed(1)} ms`,
      limit: "-",
      isMet: true,
    },
  ];
}

/** @returns the visits of each process meanwhile. */
async function during(
  durationMs: number,
  processes: readonly LimitProcess[],
  begin: () => void,
): Promise<readonly (readonly Span[])[]> {
  const begun = processes.map(({ visits }) => visits.length);
  begin();
  await pause(durationMs);
  await Promise.all(processes.map((one) => one.stop()));
  return processes.map(({ visits }, index) => visits.slice(begun[index]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
