import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findPostgres, startPostgres } from "../../../src/platform/database/postgres-server.suite.ts";
import { startFixture } from "../fixture.ts";
import { runLoad } from "../load.ts";
import { articlePage } from "../page.ts";
import { type ServerProcess, startService } from "../processes.ts";
import type { Figure } from "../report.ts";

const PAGE_BYTES = 100_000;
const CONNECTIONS = 16;
const CACHED_REQUESTS = 1500;
const STATIC_REQUESTS = 200;
/** Runs alternate between the two, so that noise of the machine meets both. */
const ROUNDS = 3;
const MIN_CACHED_RATE = 0.7;
const MAX_STATIC_COST = 1.15;
const KEYS = {
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  ADMIN_KEY: "operator-key-of-the-benchmark",
};

/** What a process answers over Postgres on the same machine, against the same build over SQLite. */
export async function benchDatabases(): Promise<readonly Figure[]> {
  const programs = findPostgres();
  if (!programs) return [];
  const folder = await mkdtemp(join(tmpdir(), "bench-databases-"));
  const server = await startPostgres(programs, ["fsync=on"]);
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const services = [
    await startService(),
    await startService({
      ...KEYS,
      DATABASE_URL: server.url("bench"),
      BLOBS_URL: `file:${join(folder, "blobs")}`,
    }),
  ] as const;
  try {
    const [url, body] = [`${fixture.url}/page`, JSON.stringify({ url: `${fixture.url}/page` })];
    const fresh = JSON.stringify({ url, maxAge: 0 });
    return [
      rateFigure(await alternate(services, (service) => rate(service, body))),
      costFigure(await alternate(services, (service) => cost(service, fresh))),
    ];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([server.stop(), fixture.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

type Pair = readonly [number, number];

/** Measures both again and again. @returns the pair of the middle ratio, SQLite first. */
async function alternate(
  [embedded, postgres]: readonly [ServerProcess, ServerProcess],
  measure: (service: ServerProcess) => Promise<number>,
): Promise<Pair> {
  for (const service of [embedded, postgres]) await measure(service);
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    pairs.push([await measure(embedded), await measure(postgres)]);
  const sorted = pairs.toSorted(([a, b], [c, d]) => b / a - d / c);
  return sorted[Math.floor(sorted.length / 2)] ?? [1, Number.NaN];
}

async function rate(service: ServerProcess, body: string): Promise<number> {
  const load = { body, connections: CONNECTIONS, requests: CACHED_REQUESTS };
  return (await runLoad({ url: `${service.url}/v2/scrape`, ...load })).requestsPerSecond;
}

/** Milliseconds of the service's processor time per request. */
async function cost(service: ServerProcess, body: string): Promise<number> {
  const before = service.cpuMs();
  await runLoad({ url: `${service.url}/v2/scrape`, body, connections: 1, requests: STATIC_REQUESTS });
  return (service.cpuMs() - before) / STATIC_REQUESTS;
}

function rateFigure([embedded, postgres]: Pair): Figure {
  const share = postgres / embedded;
  return {
    name: "cached scrapes over Postgres, against SQLite",
    value: `${(share * 100).toFixed(0)} % (${postgres.toFixed(0)} against ${embedded.toFixed(0)} a second)`,
    limit: `>= ${MIN_CACHED_RATE * 100} %`,
    isMet: share >= MIN_CACHED_RATE,
  };
}

function costFigure([embedded, postgres]: Pair): Figure {
  const ratio = postgres / embedded;
  return {
    name: "static scrape over Postgres, CPU of the process against SQLite",
    value: `${ratio.toFixed(2)} × (${postgres.toFixed(2)} against ${embedded.toFixed(2)} ms)`,
    limit: `<= ${MAX_STATIC_COST} ×`,
    isMet: ratio <= MAX_STATIC_COST,
  };
}
