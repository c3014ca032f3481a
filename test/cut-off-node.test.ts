import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { findPostgres } from "../packages/server/src/storage/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { type CutLine, openCutLine } from "./cut-line.ts";
import { makeTeam, type SoakService } from "./service-process.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const programs = findPostgres();
const CUT_MS = 30_000;
const TIMEOUT_MS = 10_000;
const SLOW_MS = 20_000;

describe.runIf(programs)("a node that is cut off from the database for half a minute", () => {
  let cluster: Cluster;
  let line: CutLine;
  let site: Site;
  let nodes: readonly [SoakService, SoakService];

  beforeAll(async () => {
    await build();
    site = await openSite();
    cluster = await openCluster(programs ?? "", builtProgram);
    const folder = new URL(cluster.databaseUrl).searchParams.get("host") ?? "";
    line = await openCutLine(join(folder, ".s.PGSQL.5432"));
    const url = `postgres://pergamon@127.0.0.1:${line.port}/postgres?schema=cluster`;
    const whole = await cluster.start();
    nodes = [await cluster.start({ DATABASE_URL: url }), whole];
  }, 180_000);

  afterAll(async () => {
    line.mend();
    await cluster.close();
    await line.close();
    await site.close();
  });

  async function scrape(node: SoakService, apiKey: string, url: string) {
    const startMs = performance.now();
    const response = await fetch(`${node.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ url, maxAge: 0, timeout: TIMEOUT_MS }),
      signal: AbortSignal.timeout(60_000),
    });
    const body = (await response.json()) as { readonly code?: string };
    const ms = performance.now() - startMs;
    return { status: response.status, code: body.code, ms, retry: response.headers.get("retry-after") };
  }

  const ready = async (node: SoakService) => (await fetch(`${node.url}/readyz`)).status;

  async function heartbeats(): Promise<number> {
    const database = await openDatabase(cluster.databaseUrl);
    try {
      const sql =
        "SELECT count(*) AS count FROM leases WHERE name LIKE 'process %' AND held_until > extract(epoch FROM clock_timestamp()) * 1000";
      return (await database.prepared<{ count: number }>(sql).get())?.count ?? 0;
    } finally {
      await database.close();
    }
  }

  test("answers 503 in time, is not ready, and comes back with one heartbeat and no seat of its earlier life", async () => {
    const [cut, whole] = nodes;
    const url = site.page("/page", htmlPage("<main><h1>Page</h1></main>"));
    const limits = { concurrency: 4, requestsPerMinute: 6000 };
    const { apiKey } = await makeTeam(whole.url, { name: "team", credits: 10_000, limits });
    for (const node of nodes) expect(await scrape(node, apiKey, url)).toMatchObject({ status: 200 });

    line.cut();
    const mendedAtMs = performance.now() + CUT_MS;
    const refused: Awaited<ReturnType<typeof scrape>>[] = [];
    const ask = async () => {
      while (performance.now() < mendedAtMs) {
        const answered = await scrape(cut, apiKey, url);
        if (answered.status !== 200) refused.push(answered);
        await pause(100);
      }
    };
    const asking = Promise.all([ask(), ask(), ask()]);
    await expect.poll(() => ready(cut), { timeout: 10_000 }).toBe(503);
    expect(await scrape(whole, apiKey, url)).toMatchObject({ status: 200 });
    await pause(mendedAtMs - performance.now());
    line.mend();
    await asking;
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ status, retry }) => status !== 503 || retry === null)).toEqual([]);
    expect(refused.filter(({ ms }) => ms > TIMEOUT_MS + 1000)).toEqual([]);

    await expect.poll(() => ready(cut), { timeout: 15_000 }).toBe(200);
    // Both nodes use the team's slots without a pause, so each has a heartbeat; the earlier one has expired.
    const untilMs = performance.now() + 15_000;
    while (performance.now() < untilMs) {
      const answers = await Promise.all([...nodes, ...nodes].map((node) => scrape(node, apiKey, url)));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    expect(await heartbeats()).toBe(2);
  }, 180_000);

  test("whose database answers after 20 s answers 503 in time, is not ready, and goes on when it is fast again", async () => {
    const [slow] = nodes;
    const url = site.page("/slow", htmlPage("<main><h1>Slow</h1></main>"));
    const { apiKey } = await makeTeam(slow.url, { name: "patient", credits: 10_000 });
    expect(await scrape(slow, apiKey, url)).toMatchObject({ status: 200 });
    line.delayAnswers(SLOW_MS);
    await expect.poll(() => ready(slow), { timeout: 15_000 }).toBe(503);
    const answers = await Promise.all([1, 2, 3].map(() => scrape(slow, apiKey, url)));
    expect(answers.filter(({ status, retry }) => status !== 503 || retry === null)).toEqual([]);
    expect(answers.filter(({ ms }) => ms > TIMEOUT_MS + 1000)).toEqual([]);
    line.delayAnswers(0);
    await expect.poll(() => ready(slow), { timeout: 45_000 }).toBe(200);
    await expect.poll(async () => (await scrape(slow, apiKey, url)).status, { timeout: 45_000 }).toBe(200);
  }, 180_000);
});
