import type { Migration } from "../interface/migration.ts";

/** How pages of scrapes are opened again, and the sessions in which that was done. */
export const interactSessions: Migration = {
  version: 14,
  name: "interact-sessions",
  statements: [
    `CREATE TABLE scrape_replays (
       scrape_id text PRIMARY KEY,
       team_id text NOT NULL,
       recipe text,
       ended_at bigint NOT NULL
     )`,
    "CREATE INDEX scrape_replays_by_age ON scrape_replays (ended_at)",
    "CREATE INDEX scrape_replays_of_team ON scrape_replays (team_id)",
    `CREATE TABLE interact_sessions (
       id text PRIMARY KEY,
       scrape_id text UNIQUE,
       team_id text NOT NULL,
       key_id text,
       process text NOT NULL,
       state text NOT NULL,
       created_at bigint NOT NULL,
       last_used_at bigint NOT NULL,
       ended_at bigint,
       expires_at bigint NOT NULL,
       prompted integer NOT NULL,
       streams integer NOT NULL,
       credits integer,
       reason text
     )`,
    "CREATE INDEX interact_sessions_of_team ON interact_sessions (team_id, created_at)",
    "CREATE INDEX interact_sessions_by_state ON interact_sessions (state, ended_at)",
  ],
};
