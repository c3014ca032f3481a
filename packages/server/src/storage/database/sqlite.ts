import { setTimeout as pause } from "node:timers/promises";
import { chmodSync, constants, copyFileSync, statSync } from "node:fs";
import { basename } from "node:path";

import type { Database, Statement, Statements } from "./database.ts";
import { migrate } from "./migrate.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { damagedDatabase, isBusy } from "./sqlite-failures.ts";
import { IN_MEMORY, parseSqliteUrl } from "./sqlite-url.ts";
import { findUnreadFrames, type UnreadFrames } from "./sqlite-wal.ts";

/** Time that writes wait for another process that writes, and the interval between tries. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 20;

/**
 * Opens an SQLite database in this process: one connection in write-ahead mode, shared in turns.
 * @param url `sqlite:` and a path, or `sqlite::memory:`. With `?synchronous=full` each commit waits for the
 * disk.
 */
export function openSqlite(url: string): Database {
  const turns = new Turns();
  const { path, durability } = parseSqliteUrl(url);
  const connection = new SqliteConnection(path, durability);

  const database: Database = {
    prepared: (sql) => statementInTurn(connection, turns, sql),
    transaction: (work) => inTransaction(connection, turns, work),
    async inspect() {
      if (path === IN_MEMORY) return [];
      return inspectSqlite(connection, path, (look) => database.transaction(async () => look()));
    },
    async migrate() {
      const found = await migrate(database);
      // A checkpoint waits for the disk. After a clean stop there is nothing to move.
      if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size)
        await inTurn(turns, () => connection.checkpoint("TRUNCATE"));
      return found;
    },
    async endLeasesOfDead() {
      if (path === IN_MEMORY || !(await database.prepared("SELECT 1 FROM leases LIMIT 1").get())) return;
      await inTurn(turns, () => connection.runAlone("DELETE FROM leases;"));
    },
    async letGo() {
      await inTurn(turns, () => connection.letGo());
    },
    async checkpoint() {
      await inTurn(turns, () => connection.checkpoint("PASSIVE"));
    },
    async ping() {
      connection.refuseDamaged();
      // Unlike SELECT 1, this query has to read the file.
      await database.prepared("SELECT count(*) AS entries FROM sqlite_master").get();
      await inTurn(turns, () => connection.refuseUnwritable());
    },
    foreignWrites: onceInTurn(() => connection.get("PRAGMA data_version", [])?.["data_version"] as number),
    async integrityCheck() {
      const rows = await database.prepared<{ integrity_check: string }>("PRAGMA integrity_check").all();
      return rows.map((row) => row.integrity_check).filter((finding) => finding !== "ok");
    },
    async wipe() {
      await inTurn(turns, () => connection.checkpoint("TRUNCATE"));
    },
    async close() {
      if (connection.isOpen) await inTurn(turns, () => connection.close());
    },
  };
  return database;
}

/** Every request asks. What is a turn of the event loop old only makes those who compare it look once more. */
function onceInTurn(read: () => number): () => number {
  let known: number | undefined;
  return () => {
    if (known === undefined) setImmediate(() => (known = undefined));
    return (known ??= read());
  };
}

/** Waits while a transaction has the connection, so that the statement never becomes part of it. */
function statementInTurn<Row>(connection: SqliteConnection, turns: Turns, sql: string): Statement<Row> {
  const soon = async <Result>(execute: () => Result): Promise<Result> => {
    try {
      if (turns.isFree) return execute();
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
    return patiently(turns, execute);
  };
  return {
    get: (...values) => soon<Row | undefined>(() => connection.get(sql, values)),
    all: (...values) => soon<Row[]>(() => connection.all(sql, values)),
    run: (...values) => soon(() => connection.run(sql, values)),
  };
}

async function inTransaction<Result>(
  connection: SqliteConnection,
  turns: Turns,
  work: (tx: Statements) => Promise<Result>,
): Promise<Result> {
  return patiently(turns, () => {
    connection.run("BEGIN IMMEDIATE", []);
    return finish(connection, work);
  });
}

/** Takes turns repeatedly while another process writes. Between them, other callers have theirs. */
async function patiently<Result>(turns: Turns, execute: () => Result | Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    await turns.take();
    try {
      return await execute();
    } catch (failure) {
      if (!isBusy(failure) || performance.now() > giveUpAtMs) throw failure;
    } finally {
      turns.give();
    }
    await pause(BUSY_PAUSE_MS);
  }
}

async function finish<Result>(
  connection: SqliteConnection,
  work: (tx: Statements) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work({ prepared: (sql) => statementNow(connection, sql) });
    connection.run("COMMIT", []);
    return result;
  } catch (failure) {
    connection.rollBack();
    throw failure;
  }
}

/** Waits until the connection is free. */
async function inTurn<Result>(turns: Turns, execute: () => Result): Promise<Result> {
  await turns.take();
  try {
    return execute();
  } finally {
    turns.give();
  }
}

function statementNow<Row>(connection: SqliteConnection, sql: string): Statement<Row> {
  return {
    get: async (...values): Promise<Row | undefined> => connection.get(sql, values),
    all: async (...values): Promise<Row[]> => connection.all(sql, values),
    run: async (...values) => connection.run(sql, values),
  };
}

/** Gives the connection to one caller at a time, first come first served. */
class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  get isFree(): boolean {
    return !this.#taken;
  }

  async take(): Promise<void> {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
  }

  /** Hands the connection to the next waiting caller. */
  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}

/**
 * Only the doctor checks larger files. Measured: 4 ms per MB, so that a start waits a quarter of a second.
 */
const QUICK_CHECK_LIMIT_BYTES = 64 * 1024 * 1024;

/** Runs its argument while no process is in a transaction that writes. */
type WhileNobodyWrites = <Result>(look: () => Result) => Promise<Result>;

/**
 * Looks for damage that would otherwise show late, or never. Call it before any write.
 * @returns sentences for the operator.
 * @throws Error when the file is damaged.
 */
async function inspectSqlite(
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
  // Another process reads the log at this moment. That process runs the same check, or ran it at its start.
  if (readFrames === undefined) return [];
  const look = () => findUnreadFrames(walPath, { pageSizeBytes, readFrames });
  if (isAllRead(look())) return [];
  // Frames of another process in the middle of its commit look the same until the commit ends.
  const unread = await whileNobodyWrites(look);
  if (isAllRead(unread) || connection.checkpoint("PASSIVE") !== readFrames) return [];
  return [unread.transactions > 0 ? describeLoss(walPath, unread, keep(walPath)) : describeCut(walPath)];
}

function isAllRead({ transactions, isCutOff }: UnreadFrames): boolean {
  return transactions === 0 && !isCutOff;
}

/** Copies the log aside, because the next write overwrites it. */
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
