import type { Migration } from "./interface/migration.ts";

/** What was requested of which site: read by team, format and time, in this order. */
export const siteFigures: Migration = {
  version: 55,
  name: "site-figures",
  statements: [
    `CREATE TABLE site_figures (
      span text NOT NULL,
      team_id text NOT NULL,
      format text NOT NULL,
      start bigint NOT NULL,
      host text NOT NULL,
      key_id text NOT NULL,
      pages bigint NOT NULL,
      credits bigint NOT NULL,
      PRIMARY KEY (span, team_id, format, start, host, key_id)
    )`,
  ],
};
