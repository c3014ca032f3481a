import { closeSync, fsyncSync, openSync, statSync } from "node:fs";

import { backup, DatabaseSync } from "@photostructure/sqlite";

import { refuseDamaged } from "./sqlite-check.ts";
import { isBusy, isDamage, resultOf } from "./sqlite-failures.ts";

/** SQLITE_LOCKED. */
const LOCKED = 6;

const BUSY_TIMEOUT_MS = 5_000;
const PROGRESS_INTERVAL_MS = 200;

/**
 * Copies the present state of a database into a new file, while others read and write. The copy is checked
 * and flushed to the disk.
 * @param onProgress called now and then with the progress.
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
    // NOTE: the backup is one step. Between two steps, a write of another process restarts the copy,
    // endlessly under load.
    await backup(source, target, { rate: -1 });
  } finally {
    clearInterval(timer);
    source.close();
  }
  finishCopy(target);
}

/** Turns the copy into a single file without a log. */
function finishCopy(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
  refuseDamaged(path, "quick_check");
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

/**
 * Says whether a process has the database open. The result is false for a file that is no longer a database.
 * @throws Error for any other reason, such as missing permissions.
 */
export function isInUse(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return false;
  const database = new DatabaseSync(path);
  try {
    // Only a sole user of the file can leave write-ahead mode.
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
