import { closeSync, fsyncSync, openSync, statSync } from "node:fs";

import { backup, DatabaseSync } from "@photostructure/sqlite";

import { checkSqlite } from "./sqlite-check.ts";
import { isBusy, isDamage, resultOf } from "./sqlite-failures.ts";

/** SQLITE_LOCKED. */
const LOCKED = 6;

const BUSY_TIMEOUT_MS = 5_000;
const PROGRESS_INTERVAL_MS = 200;

/**
 * Writes what a database holds now into a new file, while others read and write. The copy is checked, and on the disk.
 * @param onProgress called now and then with how much is written.
 * @throws Error when the target exists, or the database is damaged.
 */
export async function copySqlite(
  path: string,
  target: string,
  onProgress: (writtenBytes: number) => void,
): Promise<void> {
  statSync(path);
  closeSync(openSync(target, "wx", 0o600));
  const source = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  const timer = setInterval(() => onProgress(statSync(target).size), PROGRESS_INTERVAL_MS);
  try {
    // NOTE: in one step. Between two, writes of another process begin the copy again, without an end under load.
    await backup(source, target, { rate: -1 });
  } finally {
    clearInterval(timer);
    source.close();
  }
  finishCopy(target);
}

/** A single file without a log next to it. */
function finishCopy(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
  checkSqlite(path, "quick_check");
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

/**
 * Whether a process has the database open. A file that is not a database any more cannot be asked: then it says no.
 * @throws Error for any other reason, such as missing rights.
 */
export function isInUse(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return false;
  const database = new DatabaseSync(path);
  try {
    // Only the one who is alone may leave the write-ahead log.
    database.exec("PRAGMA journal_mode = DELETE");
    database.exec("PRAGMA journal_mode = WAL");
    return false;
  } catch (failure) {
    if (isBusy(failure) || resultOf(failure) === LOCKED) return true;
    if (isDamage(failure)) return false;
    throw failure;
  } finally {
    database.close();
  }
}
