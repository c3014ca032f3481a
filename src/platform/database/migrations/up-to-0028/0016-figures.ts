import type { Migration } from "../interface/migration.ts";

/** Ends of the buckets in which durations are counted, in milliseconds; the last bucket has none. */
const DURATION_ENDS_MS = [
  10, 14, 18, 25, 33, 45, 61, 82, 110, 149, 201, 271, 366, 495, 668, 902, 1217, 1643, 2218, 2995, 4043, 5458,
  7368, 9947, 13428, 18128, 24472, 33038, 44601, 60211, 81285, 109735, 148143,
];

const BUCKET = `CASE ${DURATION_ENDS_MS.map((endMs, index) => `WHEN duration_ms <= ${endMs} THEN '${index}'`).join(" ")}
  ELSE '${DURATION_ENDS_MS.length}' END`;

/** What is counted of the history that is there: kind, name and condition. */
const KINDS = [
  ["all", "''", "1 = 1"],
  ["duration", BUCKET, "1 = 1"],
  ["failed", "coalesce(error_code, 'UNKNOWN_ERROR')", "status = 'failed'"],
  ["hit", "''", "cache_state = 'hit'"],
] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const COLUMNS = "span, start, team_id, key_id, kind, name, pages, credits";

/** Figures of requests by minute, hour and day, and what operators look at of a single one. */
export const figures: Migration = {
  version: 16,
  name: "figures",
  statements: [
    `CREATE TABLE figures (
       span text NOT NULL,
       start bigint NOT NULL,
       team_id text NOT NULL,
       key_id text NOT NULL,
       kind text NOT NULL,
       name text NOT NULL,
       pages bigint NOT NULL,
       credits bigint NOT NULL,
       PRIMARY KEY (span, team_id, start, key_id, kind, name)
     )`,
    ...KINDS.map(
      ([kind, name, condition]) =>
        `INSERT INTO figures (${COLUMNS})
         SELECT 'hour', started, team_id, key, '${kind}', name, count(*), sum(credits_used)
         FROM (SELECT created_at - created_at % ${HOUR_MS} AS started, team_id, coalesce(key_id, '') AS key,
                 ${name} AS name, credits_used FROM scrapes WHERE ${condition}) AS ended
         GROUP BY started, team_id, key, name`,
    ),
    // What is left is added up from that, which is much less to read. No team: everybody.
    `INSERT INTO figures (${COLUMNS})
     SELECT span, start, '', '', kind, name, sum(pages), sum(credits) FROM figures GROUP BY span, start, kind, name`,
    `INSERT INTO figures (${COLUMNS})
     SELECT 'day', start - start % ${DAY_MS}, team_id, key_id, kind, name, sum(pages), sum(credits) FROM figures
     GROUP BY start - start % ${DAY_MS}, team_id, key_id, kind, name`,
    "ALTER TABLE scrapes ADD COLUMN formats text",
    "ALTER TABLE scrapes ADD COLUMN way text",
    "ALTER TABLE scrapes ADD COLUMN replay_of text",
    "ALTER TABLE scrapes ADD COLUMN details text",
    "CREATE INDEX scrapes_by_replay ON scrapes (replay_of) WHERE replay_of IS NOT NULL",
  ],
};
