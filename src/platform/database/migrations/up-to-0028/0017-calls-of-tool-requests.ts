import type { Migration } from "../interface/migration.ts";

/** What requests of provider tools called, and with which key, for the operator who has to resolve one. */
export const callsOfToolRequests: Migration = {
  version: 17,
  name: "calls-of-tool-requests",
  statements: [
    "ALTER TABLE tool_requests ADD COLUMN key_id text",
    "ALTER TABLE tool_requests ADD COLUMN calls text NOT NULL DEFAULT '[]'",
    "CREATE INDEX tool_requests_in_order ON tool_requests (scrape_id)",
  ],
};
