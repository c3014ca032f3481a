import { statSync } from "node:fs";

import { checkSqlite } from "../platform/database/sqlite-check.ts";
import type { Finding } from "./finding.ts";

/** Reads all of the database, which a service may use meanwhile. */
export function checkDatabaseFile(path: string | undefined): Finding {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || !found?.size) return { status: "found", detail: "none yet" };
  try {
    const version = checkSqlite(path, "quick_check");
    const size = `${(found.size / 1_000_000).toFixed(1)} MB`;
    return { status: "found", detail: `${path}, ${size}, version ${version}, not damaged` };
  } catch (failure) {
    return {
      status: "problem",
      detail: `${path}: ${failure instanceof Error ? failure.message : String(failure)}`,
      cost: "The server does not start, or refuses to work.",
      remedy: "Restore a backup: pergamon restore FILE --replace",
    };
  }
}
