import type { Migration } from "./interface/migration.ts";

/** What a process says of itself, and the proof that it knows the secret of the nodes. */
export const nodeFacts: Migration = {
  version: 59,
  name: "node-facts",
  statements: [
    "ALTER TABLE nodes ADD COLUMN facts text NOT NULL DEFAULT ''",
    "ALTER TABLE nodes ADD COLUMN proof text NOT NULL DEFAULT ''",
  ],
};
