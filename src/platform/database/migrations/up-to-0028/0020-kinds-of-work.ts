import type { Migration } from "../interface/migration.ts";

/** Scrapes that are a part of other work, and of what kind that is. */
export const kindsOfWork: Migration = {
  version: 20,
  name: "kinds-of-work",
  statements: [
    "ALTER TABLE scrapes ADD COLUMN kind text NOT NULL DEFAULT 'scrape'",
    "ALTER TABLE scrapes ADD COLUMN parent_id text",
    "CREATE INDEX scrapes_by_parent ON scrapes (parent_id) WHERE parent_id IS NOT NULL",
    // Histories of teams leave the pages of jobs out, of which there can be very many.
    "CREATE INDEX scrapes_of_own ON scrapes (team_id, created_at, id) WHERE parent_id IS NULL",
  ],
};
