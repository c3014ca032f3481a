import type { Migration } from "../interface/migration.ts";

/** Earlier versions of pages whose changes are followed. */
export const pageVersions: Migration = {
  version: 13,
  name: "page versions",
  statements: [
    `CREATE TABLE page_versions (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      history_key text NOT NULL,
      scraped_at bigint NOT NULL
    )`,
    "CREATE INDEX page_versions_by_history ON page_versions (team_id, history_key, id)",
  ],
};
