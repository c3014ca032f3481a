import { constants, chmodSync, copyFileSync, statSync } from "node:fs";
import { basename } from "node:path";

import type { SqliteConnection } from "./sqlite-connection.ts";
import { damagedDatabase } from "./sqlite-failures.ts";
import { findUnreadFrames, type UnreadFrames } from "./sqlite-wal.ts";

/** Larger files are checked by the doctor only. Measured: 4 ms per MB, so that a start waits a quarter of a second. */
const QUICK_CHECK_LIMIT_BYTES = 64 * 1024 * 1024;

/** Runs its argument while no process is in a transaction that writes. */
type WhileNobodyWrites = <Result>(look: () => Result) => Promise<Result>;

/**
 * Looks for what would otherwise show itself late, or never. To be called before anything is written.
 * @returns what the operator has to know, in sentences.
 * @throws Error when the file is damaged.
 */
export async function inspectSqlite(
  connection: SqliteConnection,
  path: string,
  whileNobodyWrites: WhileNobodyWrites,
): Promise<readonly string[]> {
  const warnings = await inspectLog(connection, `${path}-wal`, whileNobodyWrites);
  if (statSync(path).size <= QUICK_CHECK_LIMIT_BYTES) refuseDamage(connection, path);
  return warnings;
}

async function inspectLog(
  connection: SqliteConnection,
  walPath: string,
  whileNobodyWrites: WhileNobodyWrites,
): Promise<readonly string[]> {
  const pageSizeBytes = Number(connection.get("PRAGMA page_size", [])?.["page_size"]);
  const readFrames = connection.checkpoint("PASSIVE");
  // Another process reads the log at this moment: it asks the same, or did when it began.
  if (readFrames === undefined) return [];
  const look = () => findUnreadFrames(walPath, { pageSizeBytes, readFrames });
  if (isAllRead(look())) return [];
  // Frames of another process that is in the middle of its commit look the same until it has ended.
  const unread = await whileNobodyWrites(look);
  if (isAllRead(unread) || connection.checkpoint("PASSIVE") !== readFrames) return [];
  return [unread.transactions > 0 ? describeLoss(walPath, unread, keep(walPath)) : describeCut(walPath)];
}

function isAllRead({ transactions, isCutOff }: UnreadFrames): boolean {
  return transactions === 0 && !isCutOff;
}

/** The file is overwritten by what is written next. */
function keep(walPath: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const copy = `${walPath}.damaged-${time}-${process.pid}`;
  copyFileSync(walPath, copy, constants.COPYFILE_EXCL);
  chmodSync(copy, 0o600);
  return copy;
}

function describeLoss(walPath: string, { transactions, atByte }: UnreadFrames, copy: string): string {
  const count = transactions === 1 ? "1 transaction" : `${transactions} transactions`;
  return (
    `${walPath} is damaged at byte ${atByte}: ${count} from there on could not be read, so the newest changes (scrapes, ` +
    `credits, keys, teams) are missing. A power cut can cause this; otherwise the disk or memory is failing. ` +
    `The damaged file was copied to ${basename(copy)}. If data is missing, stop the service and restore a backup: pergamon restore FILE --replace`
  );
}

function describeCut(walPath: string): string {
  return `${walPath} ends in the middle of a transaction. After a crash this is expected: the unfinished transaction was never confirmed. If the file was copied or truncated, newer changes may be missing; then restore a backup with pergamon restore FILE --replace`;
}

function refuseDamage(connection: SqliteConnection, path: string): void {
  const [row] = connection.all("PRAGMA quick_check(1)", []);
  const finding = String(row?.["quick_check"]);
  if (finding !== "ok") throw damagedDatabase(path, finding.replaceAll(/\s+/g, " "));
}
