import { openDatabase } from "../../../packages/server/src/storage/database/drivers.ts";
import { openFigures } from "../../../packages/server/src/history/figures/figures.ts";
import { endJob, insertJob } from "../../../packages/server/src/jobs/job-rows.ts";
import type { World } from "../../../test/world.ts";

export const REQUESTS = 1_000_000;
/** The job that every second of them is a page of. */
export const LARGE_JOB = "01900000-0000-7000-8000-000000000001";
const DAYS = 30;
const DAY_MS = 86_400_000;

/** A million requests of thirty days, with ids of their times, one in seventeen failed. Rows of the log are made within the database; what is counted goes the way that it always goes. */
export async function recordRequests({ dataDir }: Pick<World, "dataDir">): Promise<void> {
  const nowMs = Date.now();
  const stepMs = Math.floor((DAYS * DAY_MS) / REQUESTS);
  const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
  const onError = (failure: unknown) => process.stderr.write(`${String(failure)}\n`);
  const figures = openFigures({ database, onError });
  for (let index = 0; index < REQUESTS; index += 1) figures.count(requestOf(index, { nowMs, stepMs }));
  await figures.close();
  await database
    .prepared(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO scrapes (id, team_id, key_id, url, status, error_code, status_code, credits_used, duration_ms, created_at,
         host, formats, way, parent_id)
       SELECT printf('%08x-%04x-7000-8000-%012d', (? - n * ?) >> 16, (? - n * ?) & 65535, n), 'team-' || (n % 20), 'key-' || (n % 20),
         'https://site-' || (n % 1000) || '.test/page/' || n, CASE WHEN n % 17 = 0 THEN 'failed' ELSE 'completed' END,
         CASE WHEN n % 17 = 0 THEN 'SCRAPE_TIMEOUT' END, 200, 1, 20 + (n * 7919) % 20000, ? - n * ?, 'site-' || (n % 1000) || '.test', ',markdown,', 'http',
         CASE WHEN n % 2 = 0 THEN ? END
       FROM numbers`,
    )
    .run(REQUESTS, ...Array.from({ length: 3 }, () => [nowMs, stepMs]).flat(), LARGE_JOB);
  const owner = { teamId: "team-1", keyId: undefined, teamConcurrency: 1 };
  const job = { ...owner, id: LARGE_JOB, family: "batch_scrape", options: "", linkBase: "", total: REQUESTS / 2 };
  await insertJob(database, job, nowMs - DAYS * DAY_MS);
  await endJob(database, job.id, { state: "completed", nowMs });
  await database.close();
}

const FORMATS = ["markdown", "html", "links", "json"];
const WAYS = ["http", "cache", "browser"];

/** The latest minute by minute; of the others only the day matters. */
function requestOf(index: number, { nowMs, stepMs }: { readonly nowMs: number; readonly stepMs: number }) {
  const endedAtMs = nowMs - index * stepMs;
  return {
    teamId: `team-${index % 20}`,
    keyId: `key-${index % 20}`,
    endedAtMs: index < 1000 ? endedAtMs : Math.floor(endedAtMs / DAY_MS) * DAY_MS,
    durationMs: 20 + ((index * 7919) % 20_000),
    creditsUsed: 1 + (index % 3),
    isHit: index % 3 === 1,
    formats: [FORMATS[index % 4] ?? ""],
    way: WAYS[index % 3],
    ...(index % 17 === 0 && { errorCode: "SCRAPE_TIMEOUT" as const }),
  };
}
