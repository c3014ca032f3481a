import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { openCoordinator } from "../../../src/platform/coordination/drivers.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { openDatabase } from "../../../src/platform/database/drivers.ts";
import { findPostgres, startPostgres } from "../../../src/platform/database/postgres-server.suite.ts";
import { openDatabaseJobs } from "../../../src/platform/jobs/database-jobs.ts";
import type { Jobs } from "../../../src/platform/jobs/jobs.ts";
import type { Figure } from "../report.ts";

const JOBS = 4000;
const WORKERS = 2;
const LATENCIES = 100;
/** Commits wait for the disk, as they do in production. */
const SAFE = ["fsync=on"];
const PROGRAM = fileURLToPath(new URL("job-process.ts", import.meta.url));

/** What several processes over one Postgres can do, on one machine: floors. */
export async function benchJobsOnPostgres(): Promise<readonly Figure[]> {
  const programs = findPostgres();
  if (!programs) return [];
  const server = await startPostgres(programs, SAFE);
  const url = server.url("bench");
  const database = await openDatabase(url);
  await database.migrate();
  const coordinator = await openCoordinator({ url, database, onError: console.error });
  const jobs = openDatabaseJobs({ database, coordinator, onError: console.error });
  try {
    const engine = { url, database, jobs };
    return [...(await benchThroughput(engine)), ...(await benchLatency(engine))];
  } finally {
    await jobs.close();
    await coordinator.close();
    await database.close();
    await server.stop();
  }
}

interface Engine {
  readonly url: string;
  readonly database: Database;
  readonly jobs: Jobs;
}

/** What a process has reported. */
interface Told {
  readonly done: number;
  readonly cpuUs: number;
}

class Worker {
  #first: Told | undefined;
  #last: Told = { done: 0, cpuUs: 0 };
  readonly #child: ChildProcess;

  constructor(url: string, slots: number, onTold: () => void) {
    this.#child = fork(PROGRAM, [url, String(slots)], { execArgv: ["--import", "tsx"] });
    this.#child.on("message", (told: Told) => {
      this.#first ??= told;
      this.#last = told;
      onTold();
    });
  }

  get done(): number {
    return this.#last.done;
  }

  get isReady(): boolean {
    return this.#first !== undefined;
  }

  get cpuUs(): number {
    return this.#last.cpuUs - (this.#first?.cpuUs ?? 0);
  }

  async end(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}

/** Resolves when the reports fulfil a condition. */
function condition(): { readonly told: () => void; readonly until: (isSo: () => boolean) => Promise<void> } {
  let check = (): void => undefined;
  return {
    told: () => check(),
    until: (isSo) =>
      new Promise((resolve) => {
        check = () => isSo() && resolve();
        check();
      }),
  };
}

async function add({ database, jobs }: Engine, count: number): Promise<void> {
  const payload = JSON.stringify({ job: "0193c2a0-0000-7000-8000-000000000000", page: 1 });
  const added = Array.from({ length: count }, () => ({ kind: "bench", group: "bench", payload }));
  await database.transaction((inside) => jobs.add(inside, added));
}

async function benchThroughput(engine: Engine): Promise<readonly Figure[]> {
  const { told, until } = condition();
  const workers = Array.from({ length: WORKERS }, () => new Worker(engine.url, 100, told));
  await until(() => workers.every(({ isReady }) => isReady));
  const done = () => workers.reduce((sum, worker) => sum + worker.done, 0);
  const startedMs = performance.now();
  await add(engine, JOBS);
  const addedMs = performance.now() - startedMs;
  await until(() => done() >= JOBS);
  const wallMs = performance.now() - startedMs - addedMs;
  const cpuUs = workers.reduce((sum, worker) => sum + worker.cpuUs, 0) / JOBS;
  await Promise.all(workers.map((worker) => worker.end()));
  const perSecond = (JOBS / wallMs) * 1000;
  return [
    {
      name: `jobs on Postgres, ${WORKERS} workers`,
      value: `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs of their processor time each`,
      limit: ">= 2000/s",
      isMet: perSecond >= 2000,
    },
    {
      name: `${JOBS} jobs added in one transaction`,
      value: `${addedMs.toFixed(0)} ms`,
      limit: "-",
      isMet: true,
    },
  ];
}

async function benchLatency(engine: Engine): Promise<readonly Figure[]> {
  const { told, until } = condition();
  const worker = new Worker(engine.url, 1, told);
  await until(() => worker.isReady);
  const latencies: number[] = [];
  for (let count = 1; count <= LATENCIES; count += 1) {
    const startedMs = performance.now();
    await add(engine, 1);
    await until(() => worker.done >= count);
    latencies.push(performance.now() - startedMs);
  }
  await worker.end();
  const [p50, p95] = [percentile(latencies, 50), percentile(latencies, 95)];
  return [
    {
      name: "one job, added in one process until begun in another",
      value: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      limit: "p95 <= 50 ms",
      isMet: p95 <= 50,
    },
  ];
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
