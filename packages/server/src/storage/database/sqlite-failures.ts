import { ServiceError } from "../../api/errors.ts";

/** SQLITE_BUSY. */
const BUSY = 5;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([11, 26]);

/** It is not repaired while the service runs, so clients need not hurry. */
const RETRY_AFTER_SECONDS = 60;

/** Whether a statement failed only because another process writes, or reads after a crash what was written. */
export function isBusy(failure: unknown): boolean {
  return resultOf(failure) === BUSY;
}

/** Whether a statement failed because the file is damaged or was replaced. */
export function isDamage(failure: unknown): failure is Error {
  return DAMAGE.has(resultOf(failure));
}

/** The number that SQLite gives a failure; 0 for those that are not from there. */
export function resultOf(failure: unknown): number {
  if (!(failure instanceof Error && "errcode" in failure && typeof failure.errcode === "number")) return 0;
  // The lower byte; the rest says where it was noticed.
  return failure.errcode & 0xff;
}

/** For the operator, who has to restore something. */
export function damagedDatabase(path: string, finding: string, cause?: Error): Error {
  return new Error(
    `The database ${path} is damaged: ${finding}. Restore a backup: pergamon restore FILE --replace. Without a backup, recover the readable data with: sqlite3 ${path} .recover`,
    { cause },
  );
}

/** For clients, who learn nothing about files. */
export function refusedByDamage(cause: Error): ServiceError {
  return new ServiceError("billing_unavailable", {
    message:
      "The database of this service is damaged, so the request was not executed. The operator must restore a backup.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
