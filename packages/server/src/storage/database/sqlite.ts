import { setTimeout as pause } from "node:timers/promises";

import type { Database, Statement, Statements } from "./database.ts";
import { migrate } from "./migrate.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { isBusy } from "./sqlite-failures.ts";
import { inspectSqlite } from "./sqlite-inspection.ts";
import { IN_MEMORY, parseSqliteUrl } from "./sqlite-url.ts";
import { Turns } from "./turns.ts";

/** How long writes wait for another process that writes, and how often they try. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 20;

/**
 * An SQLite database in this process: one connection, written ahead, shared in turns.
 * @param url `sqlite:` and a path, or `sqlite::memory:`. With `?synchronous=full` each transaction waits for the disk.
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
      await inTurn(turns, () => connection.checkpoint("TRUNCATE"));
      return found;
    },
    async checkpoint() {
      await inTurn(turns, () => connection.checkpoint("PASSIVE"));
    },
    async ping() {
      connection.refuseDamaged();
      // Unlike SELECT 1 this has to look into the file.
      await database.prepared("SELECT count(*) AS entries FROM sqlite_master").get();
    },
    foreignWrites: () => connection.get("PRAGMA data_version", [])?.["data_version"] as number,
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

/** A statement that waits while a transaction has the connection, so that it never becomes part of it. */
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
  work: (inside: Statements) => Promise<Result>,
): Promise<Result> {
  return patiently(turns, () => {
    connection.run("BEGIN IMMEDIATE", []);
    return finish(connection, work);
  });
}

/** Takes a turn, again and again while another process writes. Between the turns others have theirs. */
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
  work: (inside: Statements) => Promise<Result>,
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
