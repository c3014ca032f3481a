import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";

import { within } from "@pergamon-dev/kit/deadline";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import type { Database, SqlValue, Statement, Statements, TransactionOptions } from "./database.ts";
import { migrate } from "./migrate.ts";
import { PostgresClock, SERVER_NOW, SERVER_TIME } from "./postgres-clock.ts";
import { isConflict, isConnectionLost } from "./postgres-failures.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { clientConfig, connectionOf, type PostgresConnection, PostgresPool } from "./postgres-pool.ts";
import { inspectPostgres } from "./postgres-inspection.ts";
import { type PostgresAddress, parsePostgresUrl } from "./postgres-url.ts";

/** Time limit for repeating failed work while the server restarts, or others write the same rows. */
const PATIENCE_MS = 5_000;
/** Time limit at startup, where the server may be starting too. */
const STARTING_PATIENCE_MS = 30_000;
const ANSWER_LIMIT_MS = 65_000;
/** Time limit for the transactions before. Whoever waits for them is told that the database is away. */
const TURN_LIMIT_MS = 15_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 200;
/**
 * Begins a transaction and reads its id in one round trip. The id tells the outcome when the connection
 * breaks at the commit.
 */
const IDENTIFY =
  "SELECT pg_current_xact_id()::text AS id, set_config('idle_in_transaction_session_timeout', '10s', true)";
const BEGIN_LOCKING = `BEGIN ISOLATION LEVEL READ COMMITTED; ${IDENTIFY}`;
const SERIALIZABLE = "BEGIN ISOLATION LEVEL SERIALIZABLE";
/** Index scans keep transactions on different rows of a small table from conflicting. */
const IDENTIFY_SERIALIZABLE = `${IDENTIFY}, set_config('enable_seqscan', 'off', true)`;
const BEGIN_SERIALIZABLE = `${SERIALIZABLE}; ${IDENTIFY_SERIALIZABLE}`;
/**
 * Starts above the highest number of any row: from an embedded database that was moved, or from before the
 * sequence existed.
 */
const NUMBERS = "CREATE SEQUENCE IF NOT EXISTS numbers MINVALUE 1099511627776";
/** Empty tables whose locks are turns. Names of turns are spread over them. */
const TURN_TABLES = 16;
const TURNS = Array.from({ length: TURN_TABLES }, (_, turn) => `CREATE TABLE IF NOT EXISTS turn_${turn} ()`);

export interface PostgresOptions {
  /** URL of the database without a pooler, when `url` leads to one in transaction mode. */
  readonly directUrl?: string | undefined;
  /** Maximum milliseconds for an answer. Default: 65 seconds, because servers end queries after 60. */
  readonly answerLimitMs?: number | undefined;
}

/**
 * Opens a Postgres database. Transactions are serialisable, and run again when others were faster. In this
 * process only one runs at a time. Statements outside wait for running transactions, so that they see what
 * those wrote.
 */
export function openPostgres(
  url: string,
  { directUrl, answerLimitMs = ANSWER_LIMIT_MS }: PostgresOptions = {},
): Database {
  const direct = parsePostgresUrl(directUrl ?? url);
  const pool = new PostgresPool(parsePostgresUrl(url), { isPooled: directUrl !== undefined, answerLimitMs });
  const clock = new PostgresClock();
  const listener = new PostgresListener(direct, clock);
  let isClosed = false;
  const turns = openTurns(() => isClosed);

  const whileThere = openPatience();

  async function outside<Result>(
    mayRepeat: boolean,
    use: (connection: PostgresConnection) => Promise<Result>,
  ) {
    await turns.wait();
    const result = await whileThere(() => lend(pool, use), mayRepeat ? isPassing : isConflict);
    if (!mayRepeat) listener.wrote();
    return result;
  }

  function transaction<Result>(work: Work<Result>, options: TransactionOptions = {}): Promise<Result> {
    return turns.take(async () => {
      const topics = new Set<string>();
      const begin = options.locksItsRows === true ? BEGIN_LOCKING : beginInTurn(options.turns ?? []);
      const result = await whileThere(() =>
        lend(pool, (connection) => inTransaction({ pool, connection, begin, topics }, work)),
      );
      listener.wrote(topics);
      return result;
    });
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
    notify: (topic) => listener.wrote([topic]),
    nowMs: () => clock.nowMs(),
    serverTime: SERVER_NOW,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await turns.last();
      await listener.close();
      await pool.close();
    },
  };
  return database;
}

/** A lock of a table comes before the snapshot of the transaction, which therefore shows what the turn before wrote. */
function beginInTurn(turns: readonly string[]): string {
  if (turns.length === 0) return BEGIN_SERIALIZABLE;
  const numbers = new Set(turns.map((name) => hash("md5", name, "buffer").readUInt8() % TURN_TABLES));
  const tables = [...numbers].toSorted((a, b) => a - b).map((number) => `turn_${number}`);
  return `${SERIALIZABLE}; LOCK TABLE ${tables.join(", ")} IN SHARE ROW EXCLUSIVE MODE; ${IDENTIFY_SERIALIZABLE}`;
}

/** Transactions run one after the other. Whoever waits too long for those before gets PartAway. */
function openTurns(isClosed: () => boolean) {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  async function wait(): Promise<void> {
    if (open > 0) await within(TURN_LIMIT_MS, last, lateTurn);
    if (isClosed()) throw new Error("The database is not open.");
  }
  return {
    wait,
    last: () => last,
    take<Result>(write: () => Promise<Result>): Promise<Result> {
      const before = last;
      const written = wait().then(write);
      open += 1;
      last = written
        .catch(() => before)
        .finally(() => {
          open -= 1;
        });
      return written;
    },
  };
}

function lateTurn(): PartAway {
  return new PartAway("database", new Error(`Earlier transactions took more than ${TURN_LIMIT_MS} ms.`));
}

interface Time {
  readonly ms: number;
}

/** A statement that changes nothing can be run again. */
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

/** True when others were faster, or the server cannot be reached. */
function isPassing(failure: unknown): boolean {
  return isConflict(failure) || isConnectionLost(failure);
}

/** Runs work again after temporary failures. During a long outage, each call tries only once. */
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

/** Repeats the work after temporary failures, for at most `patienceMs`. */
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
  /** Without a pool, the outcome of a transaction with a lost commit answer is not checked. */
  readonly pool?: PostgresPool;
  readonly connection: Omit<PostgresConnection, "release">;
  readonly begin: string;
  /** Topics to notify others of. */
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
    // The server may have committed and died before it could answer.
    if (pool && isConnectionLost(failure) && (await wasKept(pool, String(id)))) return result;
    throw failure;
  }
  return result;
}

/**
 * Says whether a transaction was committed. @throws when the server stays unreachable beyond the time limit.
 */
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
 * Migrates under a lock, so that no other process does the same. The lock ends with the connection, which
 * carries all statements. A step over a large database has no time limit.
 */
async function migrateAlone(address: PostgresAddress): Promise<number> {
  const client = new Client(clientConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [`pergamon ${address.schema}`]);
    // Even for an existing schema, this statement needs a right that users of a database may lack.
    if (address.schema !== "public") await client.query(`CREATE SCHEMA IF NOT EXISTS ${address.schema}`);
    const connection = connectionOf(client);
    const found = await migrate({
      prepared: (sql) => statement(sql, (use) => use(connection)),
      transaction: (work) =>
        inTransaction({ connection, begin: BEGIN_SERIALIZABLE, topics: new Set() }, work),
    });
    await client.query([NUMBERS, ...TURNS].join("; "));
    return found;
  } finally {
    await client.end();
  }
}
