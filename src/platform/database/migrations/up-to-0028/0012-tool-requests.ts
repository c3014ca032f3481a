import type { Migration } from "../interface/migration.ts";

/** Requests of provider tools, each done once, and which terms teams have accepted. */
export const toolRequests: Migration = {
  version: 12,
  name: "tool-requests",
  statements: [
    `CREATE TABLE tool_requests (
       charge_id text PRIMARY KEY,
       team_id text NOT NULL,
       scrape_id text NOT NULL,
       fingerprint text NOT NULL,
       state text NOT NULL,
       attempt integer NOT NULL,
       is_read_only integer NOT NULL,
       quote integer,
       deadline_at bigint NOT NULL,
       created_at bigint NOT NULL,
       response text
     )`,
    "CREATE INDEX tool_requests_by_age ON tool_requests (created_at)",
    "CREATE INDEX tool_requests_of_team ON tool_requests (team_id)",
    `CREATE TABLE provider_terms (
       team_id text NOT NULL,
       provider text NOT NULL,
       digest text NOT NULL,
       accepted_at bigint NOT NULL,
       PRIMARY KEY (team_id, provider)
     )`,
  ],
};
