import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";

import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import type { Database, SqlValue, Statement, Statements, TransactionOptions } from "./database.ts";
import { migrate } from "./migrate.ts";
import { PostgresClock, SERVER_TIME } from "./postgres-clock.ts";
import { isConflict, isConnectionLost } from "./postgres-failures.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { clientConfig, connectionOf, type PostgresConnection, PostgresPool } from "./postgres-pool.ts";
import { inspectPostgres } from "./postgres-inspection.ts";
import { type PostgresAddress, parsePostgresUrl } from "./postgres-url.ts";

/** How long what can be run again is: while the server restarts, or others write the same rows. */
const PATIENCE_MS = 5_000;
/** How long a start waits for a server that starts, too. */
const STARTING_PATIENCE_MS = 30_000;
const ANSWER_LIMIT_MS = 65_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 200;
/** One round, with the number of the transaction: it tells what became of it when the connection is lost at its end. */
const BEGIN =
  "SET LOCAL idle_in_transaction_session_timeout = '10s'; SELECT pg_current_xact_id()::text AS id";
/** Reading by the index keeps transactions on other rows of a small table out of each other's way. */
const BEGIN_SERIALIZABLE = `BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL enable_seqscan = off; ${BEGIN}`;
const BEGIN_LOCKING = `BEGIN ISOLATION LEVEL READ COMMITTED; ${BEGIN}`;
/** Begins above the highest number of any row: in an embedded database that was moved, or before there were any. */
const NUMBERS = "CREATE SEQUENCE IF NOT EXISTS numbers MINVALUE 1099511627776";

export interface PostgresOptions {
  /** The database without a pooler, where `url` leads to one in transaction mode. */
  readonly directUrl?: string | undefined;
  /** How long an answer may take. Default: 65 seconds; servers end what takes longer than 60. */
  readonly answerLimitMs?: number | undefined;
}

/**
 * A Postgres database. Transactions are serialisable, and run again when others were faster; in this process one at a
 * time, and statements outside wait for those that are under way, so that they see what they wrote.
 */
export function openPostgres(
  url: string,
  { directUrl, answerLimitMs = ANSWER_LIMIT_MS }: PostgresOptions = {},
): Database {
  const direct = parsePostgresUrl(directUrl ?? url);
  const pool = new PostgresPool(parsePostgresUrl(url), { isPooled: directUrl !== undefined, answerLimitMs });
  const clock = new PostgresClock();
  const listener = new PostgresListener(direct, clock);
  // Those that are under way or wait, in their order.
  let transactions: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const whileThere = openPatience();

  async function outside<Result>(
    mayRepeat: boolean,
    use: (connection: PostgresConnection) => Promise<Result>,
  ) {
    await transactions;
    if (isClosed) throw new Error("The database is not open.");
    const result = await whileThere(() => lend(pool, use), mayRepeat ? isPassing : isConflict);
    if (!mayRepeat) listener.wrote();
    return result;
  }

  function transaction<Result>(work: Work<Result>, options: TransactionOptions = {}): Promise<Result> {
    const written = transactions.then(async () => {
      if (isClosed) throw new Error("The database is not open.");
      const topics = new Set<string>();
      const begin = options.locksItsRows === true ? BEGIN_LOCKING : BEGIN_SERIALIZABLE;
      const result = await whileThere(() =>
        lend(pool, (connection) => inTransaction({ pool, connection, begin, topics }, work)),
      );
      listener.wrote(topics);
      return result;
    });
    transactions = written.catch(() => undefined);
    return written;
  }

  const database: Database = {
    prepared: <Row>(sql: string) => statement<Row>(sql, (use) => outside(isRead(sql), use)),
    transaction,
    hasTextSearch: true,
    inspect: () => patiently(STARTING_PATIENCE_MS, () => lend(pool, inspectPostgres)),
    async migrate() {
      const found = await patiently(STARTING_PATIENCE_MS, () => migrateAlone(direct));
      await listener.connect();
      await clock.measure(async () => (await database.prepared<Time>(SERVER_TIME).get())?.ms ?? Date.now());
      return found;
    },
    ping: async () => void (await database.prepared("SELECT count(*) FROM schema_versions").get()),
    foreignWrites: () => listener.foreignWrites,
    hear: (topic, heard) => listener.hear(topic, heard),
    nowMs: () => clock.nowMs(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await transactions;
      await listener.close();
      await pool.close();
    },
  };
  return database;
}

interface Time {
  readonly ms: number;
}

/** What changes nothing can be run again. */
function isRead(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql);
}

type Work<Result> = (tx: Statements) => Promise<Result>;

type Use = <Result>(
  use: (connection: Pick<PostgresConnection, "query">) => Promise<Result>,
) => Promise<Result>;

function statement<Row>(sql: string, lent: Use): Statement<Row> {
  const rows = (values: readonly SqlValue[]) =>
    lent(async (connection) => (await connection.query(sql, values)).rows as Row[]);
  return {
    get: async (...values) => (await rows(values))[0],
    all: (...values) => rows(values),
    run: (...values) => lent(async (connection) => (await connection.query(sql, values)).rowCount ?? 0),
  };
}

async function lend<Result>(
  pool: PostgresPool,
  use: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.borrow();
  try {
    const result = await use(connection);
    connection.release();
    return result;
  } catch (failure) {
    connection.release(failure);
    throw failure;
  }
}

/** Others were faster, or the server cannot be reached. */
function isPassing(failure: unknown): boolean {
  return isConflict(failure) || isConnectionLost(failure);
}

/** Runs work again after failures that pass. While the server is away for longer, each try is the only one. */
function openPatience() {
  let isAway = false;
  return async <Result>(execute: () => Promise<Result>, mayRunAgain = isPassing): Promise<Result> => {
    try {
      const result = await patiently(isAway ? 0 : PATIENCE_MS, execute, mayRunAgain);
      isAway = false;
      return result;
    } catch (failure) {
      if (!isConnectionLost(failure)) throw failure;
      isAway ||= mayRunAgain === isPassing;
      throw new PartAway("database", failure);
    }
  };
}

/** Runs it again after failures that pass, for at most that long. */
async function patiently<Result>(
  patienceMs: number,
  execute: () => Promise<Result>,
  mayRunAgain = isPassing,
): Promise<Result> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
    try {
      return await execute();
    } catch (failure) {
      if (!mayRunAgain(failure) || performance.now() + pauseMs > giveUpAtMs) throw failure;
    }
    await pause(pauseMs * (0.5 + Math.random()));
  }
}

interface Running {
  /** Undefined: what became of a transaction whose end was not heard is not asked. */
  readonly pool?: PostgresPool;
  readonly connection: Omit<PostgresConnection, "release">;
  readonly begin: string;
  /** Of which others are notified. */
  readonly topics: Set<string>;
}

async function inTransaction<Result>(
  { pool, connection, begin, topics }: Running,
  work: Work<Result>,
): Promise<Result> {
  const id = (await connection.command(begin)).at(-1)?.rows[0]?.["id"];
  topics.clear();
  const tx: Statements = {
    prepared: (sql) => statement(sql, (use) => use(connection)),
    hasTextSearch: true,
    skipLocked: "FOR UPDATE SKIP LOCKED",
    locked: "FOR UPDATE",
    async numbers(count) {
      const sql = "SELECT nextval('numbers') AS number FROM generate_series(1, ?::integer)";
      const { rows } = await connection.query(sql, [count]);
      return rows.map(({ number }) => Number(number));
    },
    notify: (topic) => void topics.add(topic),
  };
  let result: Result;
  try {
    result = await work(tx);
  } catch (failure) {
    if (!isConnectionLost(failure)) await connection.command("ROLLBACK").catch(() => undefined);
    throw failure;
  }
  try {
    await connection.command("COMMIT");
  } catch (failure) {
    // The server may have kept it and died before it could say so.
    if (pool && isConnectionLost(failure) && (await wasKept(pool, String(id)))) return result;
    throw failure;
  }
  return result;
}

/** What became of a transaction. @throws while the server cannot be reached for longer than is waited for. */
async function wasKept(pool: PostgresPool, id: string): Promise<boolean> {
  const sql = "SELECT pg_xact_status(?::xid8) AS status";
  for (;;) {
    const status = await patiently(STARTING_PATIENCE_MS, () =>
      lend(pool, async (connection) => (await connection.query(sql, [id])).rows[0]?.["status"]),
    );
    // The server may not have noticed yet that the connection is gone.
    if (status !== "in progress") return status === "committed";
    await pause(MAX_PAUSE_MS);
  }
}

/**
 * While no other process does the same: the lock is over with the connection, over which all of it goes. A step of a
 * large database may take as long as it takes.
 */
async function migrateAlone(address: PostgresAddress): Promise<number> {
  const client = new Client(clientConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [`pergamon ${address.schema}`]);
    // Even where it exists, this takes a right that users of a database need not have.
    if (address.schema !== "public") await client.query(`CREATE SCHEMA IF NOT EXISTS ${address.schema}`);
    const connection = connectionOf(client);
    const found = await migrate({
      prepared: (sql) => statement(sql, (use) => use(connection)),
      transaction: (work) =>
        inTransaction({ connection, begin: BEGIN_SERIALIZABLE, topics: new Set() }, work),
    });
    await client.query(NUMBERS);
    return found;
  } finally {
    await client.end();
  }
}
