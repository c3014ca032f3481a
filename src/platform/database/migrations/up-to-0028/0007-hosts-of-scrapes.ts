import type { Migration } from "../interface/migration.ts";

/** Which host a scrape was of. Null for those from before this was noted. */
export const hostsOfScrapes: Migration = {
  version: 7,
  name: "hosts of scrapes",
  statements: ["ALTER TABLE scrapes ADD COLUMN host text"],
};
