import type { Migration } from "./interface/migration.ts";

/**
 * Changes by operators are found among requests without reading those. The kind is at the same place in every
 * event: after its id and its time, whose lengths are fixed.
 */
export const auditChanges: Migration = {
  version: 50,
  name: "audit-changes",
  statements: [
    `CREATE INDEX audit_changes_in_order ON audit_events (sequence)
     WHERE substr(event, 88, 7) <> 'scrape"' AND substr(event, 88, 4) <> 'map"'
       AND substr(event, 88, 7) <> 'search"' AND substr(event, 88, 5) <> 'tool"'`,
  ],
};
