import type { Migration } from "./interface/migration.ts";

/** Which process runs a request of provider tools: empty when it has ended, and the outcome is unknown. */
export const ownersOfToolRequests: Migration = {
  version: 72,
  name: "owners-of-tool-requests",
  statements: [
    "ALTER TABLE tool_requests ADD COLUMN owner text",
    "CREATE INDEX tool_requests_running ON tool_requests (owner) WHERE state = 'running'",
  ],
};
