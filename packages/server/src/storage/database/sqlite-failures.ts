import { ServiceError } from "../../api/errors.ts";

/** SQLITE_BUSY. */
const BUSY = 5;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([11, 26]);

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const UNWRITABLE: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** The damage is not repaired while the service runs, so clients need not hurry. */
const RETRY_AFTER_SECONDS = 60;

/** True when a statement failed only because another process writes, or recovers the log after a crash. */
export function isBusy(failure: unknown): boolean {
  return resultOf(failure) === BUSY;
}

/** True when a statement failed because the file is damaged or was replaced. */
export function isDamage(failure: unknown): failure is Error {
  return DAMAGE.has(resultOf(failure));
}

/** True when a statement failed because nothing can be written, such as on a full disk. */
export function isUnwritable(failure: unknown): boolean {
  return UNWRITABLE.has(resultOf(failure));
}

/** Returns SQLite's result code; 0 for failures of other origin. */
export function resultOf(failure: unknown): number {
  if (!(failure instanceof Error && "errcode" in failure && typeof failure.errcode === "number")) return 0;
  // The lower byte is the primary code; the rest gives details.
  return failure.errcode & 0xff;
}

/** Error for the operator, who has to restore a backup. */
export function damagedDatabase(path: string, finding: string, cause?: Error): Error {
  return new Error(
    `The database ${path} is damaged: ${finding}. Restore a backup: pergamon restore FILE --replace. Without a backup, recover the readable data with: sqlite3 ${path} .recover`,
    { cause },
  );
}

/** Error for clients, which does not mention files. */
export function refusedByDamage(cause: Error): ServiceError {
  return new ServiceError("billing_unavailable", {
    message:
      "The database of this service is damaged, so the request was not executed. The operator must restore a backup.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
