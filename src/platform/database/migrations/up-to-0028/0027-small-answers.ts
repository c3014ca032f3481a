import type { Migration } from "../interface/migration.ts";

/** Small answers are in their row, which has no blob then: a file each costs more than all else that a page writes. */
export const smallAnswers: Migration = {
  version: 27,
  name: "small answers",
  statements: ["ALTER TABLE documents ADD COLUMN body text"],
};
