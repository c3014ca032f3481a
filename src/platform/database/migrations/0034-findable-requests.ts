import type { Migration } from "./interface/migration.ts";

/** Failures are found by their code, and answers that lack something among all others, without reading the whole log. */
export const findableRequests: Migration = {
  version: 34,
  name: "findable-requests",
  statements: [
    "ALTER TABLE scrapes ADD COLUMN is_partial integer",
    "CREATE INDEX scrapes_by_error ON scrapes (error_code, id) WHERE error_code IS NOT NULL",
    "CREATE INDEX scrapes_partial ON scrapes (id) WHERE is_partial = 1",
  ],
};
