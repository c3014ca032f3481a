import type { Migration } from "./interface/migration.ts";

/** Sessions that are a part of other work, which pays for them. */
export const paidSessions: Migration = {
  version: 33,
  name: "paid-sessions",
  statements: ["ALTER TABLE interact_sessions ADD COLUMN paid_by text"],
};
