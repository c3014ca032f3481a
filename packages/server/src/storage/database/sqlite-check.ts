import { DatabaseSync } from "@photostructure/sqlite";

import { damagedDatabase } from "./sqlite-failures.ts";

/**
 * `quick_check` reads all pages (4 ms per MB); `integrity_check` also compares indexes and rows (40 ms per
 * MB).
 */
type Check = "quick_check" | "integrity_check";

/**
 * Reads the whole database, which others may use meanwhile.
 * @returns the version of its tables.
 * @throws Error when it is damaged, or does not belong to Pergamon.
 */
export function checkSqlite(path: string, check: Check): number {
  refuseDamaged(path, check);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("SELECT max(version) AS version FROM schema_versions").get();
    return Number((row as { readonly version: number | null }).version);
  } finally {
    database.close();
  }
}

/** @throws Error when a database, of whatever tables, is damaged. */
export function refuseDamaged(path: string, check: Check): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare(`PRAGMA ${check}(1)`).all() as readonly Record<string, string>[];
    const finding = rows[0]?.[check];
    if (finding !== "ok") throw damagedDatabase(path, String(finding).replaceAll(/\s+/g, " "));
  } finally {
    database.close();
  }
}
