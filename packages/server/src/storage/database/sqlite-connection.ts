import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { LRUCache } from "lru-cache";

import type { SqlValue } from "./database.ts";
import { damagedDatabase, isDamage, refusedByDamage, isBusy, isUnwritable } from "./sqlite-failures.ts";
import { writeAhead } from "./sqlite-write-ahead.ts";
import { withoutNull } from "./without-null.ts";

/** Time that opening waits for another process that writes. */
const OPENING_TIMEOUT_MS = 5_000;
/** Time that a statement waits. The wait blocks this whole process. */
const BUSY_TIMEOUT_MS = 20;
/** Time that closing waits for readers, before it leaves the log to them. */
const CLOSING_TIMEOUT_MS = 1_000;
/**
 * Size to which the log is cut when it restarts, because a long read may have let it grow. SQLite restarts it
 * at 4 MiB.
 */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;
/** Where there is less, a few small writes may still fit in. */
const ROOM_BYTES = 256 * 1024;
/** Maximum of cached statements. The program has far fewer, apart from lists of varying length. */
const KEPT_STATEMENTS = 500;

/**
 * Durability in a power cut. With a write-ahead log, NORMAL can lose the last transactions but never
 * corrupts; FULL waits for the disk at each commit, which takes 30 times as long. A killed process loses
 * nothing either way.
 */
export type Durability = "NORMAL" | "FULL";

/** The only connection to an SQLite file. It is synchronous and parses every statement once. */
export class SqliteConnection {
  readonly #path: string;
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new LRUCache<string, StatementSyncInstance>({ max: KEPT_STATEMENTS });
  #damage: Error | undefined;
  #isUnwritable = false;

  /** @param path a file, whose folder is created when missing, or `:memory:`. */
  constructor(path: string, durability: Durability = "NORMAL") {
    this.#path = path;
    this.#database = open(path, durability);
  }

  /**
   * Refuses all access once a statement has met damage, because more access would make it worse. @throws
   * then.
   */
  refuseDamaged(): void {
    if (this.#damage) throw refusedByDamage(this.#damage);
  }

  /** After a write that failed for lack of room, writes as much as many answers do. @throws while there is no room for it. */
  refuseUnwritable(): void {
    if (!this.#isUnwritable) return;
    const probe = `CREATE TABLE room_probe AS SELECT zeroblob(${ROOM_BYTES}) AS bytes`;
    this.#database.exec(`DROP TABLE IF EXISTS room_probe; ${probe}; DROP TABLE room_probe`);
    this.#isUnwritable = false;
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** @returns the first row. The SQL defines its columns; the caller names the type. */
  get(sql: string, values: readonly SqlValue[]): ReturnType<StatementSyncInstance["get"]> {
    try {
      return this.#kept(sql).get(...values.map(withoutNull));
    } catch (failure) {
      throw this.#judge(failure);
    }
  }

  all(sql: string, values: readonly SqlValue[]): ReturnType<StatementSyncInstance["all"]> {
    try {
      return this.#kept(sql).all(...values.map(withoutNull));
    } catch (failure) {
      throw this.#judge(failure);
    }
  }

  /** @returns the number of changed rows. */
  run(sql: string, values: readonly SqlValue[]): number {
    try {
      return this.#kept(sql).run(...values.map(withoutNull)).changes;
    } catch (failure) {
      throw this.#judge(failure);
    }
  }

  /** Some failures, such as a full disk, have ended the transaction already. */
  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }

  /**
   * Moves the log into the main file. PASSIVE does not wait; TRUNCATE waits for readers and writers, and
   * leaves an empty log. Frames that others keep in use move at the next checkpoint.
   * @returns the number of readable frames in the log; undefined while another process runs a checkpoint.
   */
  checkpoint(mode: "PASSIVE" | "TRUNCATE"): number | undefined {
    const row = this.get(`PRAGMA wal_checkpoint(${mode})`, []);
    const frames = Number(row?.["log"]);
    return frames < 0 ? undefined : frames;
  }

  /** Forgets parsed statements and pages that it has read, some 3 MB after a crawl. */
  letGo(): void {
    this.#statements.clear();
    this.#database.exec("PRAGMA shrink_memory");
  }

  /** Runs the statement if no other process has the database open, and lets none in meanwhile. */
  runAlone(sql: string): void {
    this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE;");
    try {
      // Only a sole user of the file can leave write-ahead mode, and keeps the lock that this takes.
      this.#database.exec(`PRAGMA journal_mode = DELETE; ${sql}`);
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    } finally {
      this.#database.exec("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;");
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};`);
    }
  }

  /**
   * Leaves the whole database in its main file, unless another process has it open.
   * @throws Error when that failed. The log next to the file then holds the rest, and the next start reads
   * it.
   */
  close(): void {
    if (!this.#database.isOpen) return;
    try {
      // NOTE: the driver ends its statements later than this, and then SQLite leaves the log as it is.
      if (!this.#damage) this.#mergeLog();
    } finally {
      this.#statements.clear();
      this.#database.close();
    }
  }

  #mergeLog(): void {
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${CLOSING_TIMEOUT_MS};`);
      this.checkpoint("TRUNCATE");
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `The newest changes could not be moved from ${this.#path}-wal into ${this.#path}: ${reason}. Nothing is lost as long as both files stay together; the next start tries again.`,
        { cause },
      );
    }
  }

  /** @returns the error to throw. */
  #judge(failure: unknown): unknown {
    this.#isUnwritable ||= isUnwritable(failure);
    if (!isDamage(failure)) return failure;
    this.#damage ??= damagedDatabase(this.#path, failure.message, failure);
    return refusedByDamage(this.#damage);
  }

  #kept(sql: string): StatementSyncInstance {
    this.refuseDamaged();
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** @throws Error that names the file, when it is not a database, or cannot be written. */
function open(path: string, durability: Durability): DatabaseSyncInstance {
  let database: DatabaseSyncInstance | undefined;
  try {
    if (path !== ":memory:") {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      refuseLoneLog(path);
    }
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
    writeAhead(database, OPENING_TIMEOUT_MS);
    database.exec(`PRAGMA synchronous = ${durability};`);
    // Deleted data is overwritten, so that it cannot be recovered from the files.
    database.exec("PRAGMA secure_delete = ON;");
    database.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES};`,
    );
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    throw unusable(path, cause);
  }
}

/** SQLite deletes a log without a database, which may be the only remaining data. */
function refuseLoneLog(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // The log is checked first: while another process creates both, the log never exists before the database.
  if (sizeOf(`${path}-wal`) === 0 || sizeOf(path) > 0) return;
  throw new Error(
    `it is missing or empty, and ${path}-wal contains data that would be deleted. Put the database back, or restore a backup with pergamon restore FILE --replace, or move ${path}-wal away to start with a new database`,
  );
}

function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = isDamage(cause) ? " Restore a backup: pergamon restore FILE --replace" : "";
  return new Error(`The database ${path} cannot be used: ${reason}.${advice}`, { cause });
}
