import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openMemoryCoordinator } from "../../src/platform/coordination/memory.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openDatabase } from "../../src/platform/database/drivers.ts";
import { openDatabaseJobs } from "../../src/platform/jobs/database-jobs.ts";
import type { Jobs, NewJob } from "../../src/platform/jobs/jobs.ts";
import { benchBatches } from "./batches.ts";
import type { Figure } from "./report.ts";

const JOBS = 20_000;
const SLOTS = 100;
const WAITING = 10_000;
const IDLE_MS = 10_000;
const LATENCIES = 200;

/** The engine of jobs over SQLite, in this process. */
export async function benchJobs(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-jobs-"));
  const database = await openDatabase(`sqlite:${join(folder, "jobs.db")}`);
  await database.migrate();
  const jobs = openDatabaseJobs({ database, coordinator: openMemoryCoordinator(), onError: console.error });
  try {
    const engine = { database, jobs };
    return [
      await benchThroughput(engine),
      ...(await benchLatency(engine)),
      await benchIdle(engine),
      ...(await benchBatches()),
    ];
  } finally {
    await jobs.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Engine {
  readonly database: Database;
  readonly jobs: Jobs;
}

function newJobs(kind: string, count: number, runAtMs?: number): readonly NewJob[] {
  const payload = JSON.stringify({ job: "0193c2a0-0000-7000-8000-000000000000", page: 1 });
  const time = runAtMs === undefined ? {} : { runAtMs };
  return Array.from({ length: count }, () => ({ kind, group: "bench", payload, ...time }));
}

/** Work of one kind that only counts, and what resolves once it has counted so far. */
function counting(jobs: Jobs, kind: string) {
  let done = 0;
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  const worker = jobs.work({
    kind,
    slots: SLOTS,
    attempts: 1,
    async run() {
      done += 1;
      if (waiting && done >= waiting.count) waiting.resolve();
      return undefined;
    },
    giveUp: async () => undefined,
  });
  return {
    worker,
    reached: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (done >= count) resolve();
      }),
  };
}

/** Processor time decides, so that a busy machine does not. */
async function benchThroughput({ database, jobs }: Engine): Promise<Figure> {
  await database.transaction((inside) => jobs.add(inside, newJobs("throughput", JOBS)));
  const before = process.cpuUsage();
  const { worker, reached } = counting(jobs, "throughput");
  await reached(JOBS);
  await worker.stop();
  const { user, system } = process.cpuUsage(before);
  const perSecond = JOBS / ((user + system) / 1e6);
  return {
    name: `jobs claimed and done per second of processor time (${SLOTS} slots)`,
    value: Math.round(perSecond).toLocaleString("en"),
    limit: ">= 10,000",
    isMet: perSecond >= 10_000,
  };
}

async function benchLatency({ database, jobs }: Engine): Promise<readonly Figure[]> {
  const { worker, reached } = counting(jobs, "latency");
  const waits: number[] = [];
  for (let count = 1; count <= LATENCIES; count += 1) {
    await database.transaction((inside) => jobs.add(inside, newJobs("latency", 1)));
    const startMs = performance.now();
    await reached(count);
    waits.push(performance.now() - startMs);
  }
  await worker.stop();
  waits.sort((a, b) => a - b);
  return [0.5, 0.95].map((share) => {
    const waitMs = waits[Math.floor(waits.length * share)] ?? 0;
    return {
      name: `a job added is begun, p${share * 100}`,
      value: `${waitMs.toFixed(2)} ms`,
      limit: "<= 10 ms",
      isMet: waitMs <= 10,
    };
  });
}

async function benchIdle({ database, jobs }: Engine): Promise<Figure> {
  const inAnHour = newJobs("idle", WAITING, Date.now() + 3_600_000);
  await database.transaction((inside) => jobs.add(inside, inAnHour));
  const without = await cpuWhileIdle();
  const { worker } = counting(jobs, "idle");
  const spent = (await cpuWhileIdle()) - without;
  await worker.stop();
  return {
    name: `${WAITING.toLocaleString("en")} jobs that wait, processor time in ${IDLE_MS / 1000} s`,
    value: `${Math.max(0, spent).toFixed(1)} ms`,
    limit: "<= 10 ms",
    isMet: spent <= 10,
  };
}

async function cpuWhileIdle(): Promise<number> {
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
