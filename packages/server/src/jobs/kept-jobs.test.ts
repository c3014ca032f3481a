import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock, othersHadTheirTurn } from "../storage/clock/manual-clock.suite.ts";
import { takeIdempotencyKey } from "./idempotency.ts";
import { KeptJobs } from "./kept-jobs.ts";
import { getJob } from "./job-rows.ts";
import { JobsWorld } from "./service.suite.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: JobsWorld;
/** Of what is kept; that of the jobs stands still. */
let clock: ManualClock;
let kept: KeptJobs;

beforeEach(async () => {
  world = await JobsWorld.open();
  clock = new ManualClock(world.clock.now());
  kept = new KeptJobs({ database: world.database, clock, retentionMs: () => DAY_MS, tables: [] });
  const { dispatcher, start } = await world.openService({
    make: async (page) => (page === "0" ? "failed" : "made"),
  });
  dispatcher.work();
  await start({ id: "run" }, 600);
  await start({ id: "of-other", teamId: "other" }, 3);
  while ((await getJob(world.database, "run"))?.state !== "completed") await othersHadTheirTurn(50);
});

afterEach(() => world.close());

async function count(table: string, jobId: string): Promise<number> {
  const row = await world.database
    .prepared<{ rows: number }>(`SELECT count(*) AS rows FROM ${table} WHERE run_id = ?`)
    .get(jobId);
  return row?.rows ?? 0;
}

test("documents and errors are kept for a day after the end, the job itself for a week more", async () => {
  await clock.advance(DAY_MS - 1000);
  await kept.prune();
  expect([await count("job_documents", "run"), await count("job_errors", "run")]).toEqual([599, 1]);
  await clock.advance(2000);
  await kept.prune();
  expect([await count("job_documents", "run"), await count("job_errors", "run")]).toEqual([0, 0]);
  expect(await getJob(world.database, "run")).toMatchObject({ isPurged: true, options: "" });
  await clock.advance(7 * DAY_MS);
  await kept.prune();
  expect(await getJob(world.database, "run")).toBeUndefined();
});

test("what runs is kept, however long", async () => {
  await world.database
    .prepared("UPDATE job_runs SET state = 'scraping', ended_at = NULL WHERE id = 'run'")
    .run();
  await clock.advance(30 * DAY_MS);
  await kept.prune();
  expect(await count("job_documents", "run")).toBe(599);
});

test("answers of documents go with them, and not before", async () => {
  const { database } = world;
  const scrapeId = "run 1";
  await database
    .prepared("INSERT INTO documents (document_key, blob_id, size_bytes, expires_at) VALUES (?, 'x', 1, 5)")
    .run(scrapeId);
  await clock.advance(DAY_MS + 1000);
  await kept.prune();
  const row = await database
    .prepared<{ expires: number }>("SELECT expires_at AS expires FROM documents WHERE document_key = ?")
    .get(scrapeId);
  expect(row?.expires).toBe(0);
});

test("a team that is erased leaves nothing, others everything", async () => {
  await kept.erase("team");
  expect(await getJob(world.database, "run")).toBeUndefined();
  expect([await count("job_documents", "run"), await count("job_errors", "run")]).toEqual([0, 0]);
  expect(await getJob(world.database, "of-other")).toMatchObject({ completed: 2 });
  expect(await count("job_documents", "of-other")).toBe(2);
});

test("keys can be used again after a day", async () => {
  const take = () =>
    world.database.transaction((tx) =>
      takeIdempotencyKey(tx, { teamId: "team", key: "K", nowMs: clock.now() }),
    );
  expect([await take(), await take()]).toEqual([true, false]);
  await clock.advance(DAY_MS);
  await kept.prune();
  expect(await take()).toBe(true);
});
