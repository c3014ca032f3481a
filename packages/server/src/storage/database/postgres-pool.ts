import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  types,
} from "pg";

import type { SqlValue } from "./database.ts";
import { withoutNull } from "./without-null.ts";
import { hasNoAnswer, isConnectionLost } from "./postgres-failures.ts";
import { ServerWatch } from "./postgres-silence.ts";
import type { PostgresAddress } from "./postgres-url.ts";

/** Maximum connections of one process. Postgres allows 100 in total by default. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server that needs longer for a new connection and the shortest statement counts as away. */
const PROBE_LIMIT_MS = 3000;
const SECOND_MS = 1000;
/** Settings of each session. A process that was stopped inside a transaction loses its locks. */
const SESSION = {
  idle_in_transaction_session_timeout: 10 * SECOND_MS,
  statement_timeout: 60 * SECOND_MS,
} as const satisfies ClientConfig;

/**
 * Object ids of types that the client would read differently, with our readers: numbers are numbers, as in
 * SQLite.
 */
const READERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === "t" ? 1 : 0)],
  [20, safeNumber],
  [1700, safeNumber],
]);

/** A borrowed connection. It runs queries in the order of the calls. */
export interface PostgresConnection {
  query(sql: string, values: readonly SqlValue[]): Promise<QueryResult<Record<string, unknown>>>;
  /** Runs several statements without values in one round trip. */
  command(sql: string): Promise<readonly QueryResult<Record<string, unknown>>[]>;
  /** @param failure the last failure. A connection that it made unusable is not reused. */
  release(failure?: unknown): void;
}

export function clientConfig(address: PostgresAddress): ClientConfig {
  const { host, port, user, password, database, schema, tls } = address;
  return {
    host,
    port,
    user,
    password: password ?? "",
    database,
    ssl: tls ? { rejectUnauthorized: true, ...(tls.ca !== undefined && { ca: tls.ca }) } : false,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "pergamon",
    ...(schema !== "public" && { options: `-c search_path=${schema}` }),
    types: {
      getTypeParser: ((oid: number) =>
        READERS.get(oid) ?? types.getTypeParser(oid)) as typeof types.getTypeParser,
    },
  };
}

interface PoolOptions {
  /** True behind a pooler: connections are shared with other clients, and sessions keep no state. */
  readonly isPooled: boolean;
  /** Maximum milliseconds for an answer. */
  readonly answerLimitMs: number;
}

/** The connections of this process to one database. */
export class PostgresPool {
  readonly #config: PoolConfig;
  #pool: Pool;
  readonly #names = new Map<string, { readonly name: string; readonly text: string }>();
  readonly #isPooled: boolean;
  readonly #watch = new ServerWatch(() => this.#probe());

  constructor(address: PostgresAddress, { isPooled, answerLimitMs }: PoolOptions) {
    this.#isPooled = isPooled;
    this.#config = {
      ...clientConfig(address),
      // Poolers refuse connections that start with these settings.
      ...(!isPooled && SESSION),
      query_timeout: answerLimitMs,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: 30 * SECOND_MS,
    };
    this.#pool = this.#open();
  }

  async borrow(): Promise<PostgresConnection> {
    const pool = this.#pool;
    const connecting = pool.connect();
    const client = await this.#watch.answer(connecting).catch((failure: unknown) => {
      connecting.then(
        (late) => late.release(true),
        () => undefined,
      );
      if (hasNoAnswer(failure) && pool === this.#pool) this.#renew();
      throw failure;
    });
    const onError = () => undefined;
    client.on("error", onError);
    return {
      query: (sql, values) => this.#watch.answer(this.#query(client, sql, values)),
      command: (sql) => this.#watch.answer(commandOf(client, sql)),
      release: (failure) => {
        client.off("error", onError);
        client.release(isConnectionLost(failure));
        if (hasNoAnswer(failure) && pool === this.#pool) this.#renew();
      },
    };
  }

  async close(): Promise<void> {
    this.#watch.close();
    await this.#pool.end();
  }

  async #probe(): Promise<void> {
    const limits = { connectionTimeoutMillis: PROBE_LIMIT_MS, query_timeout: PROBE_LIMIT_MS };
    const client = new Client({ ...this.#config, ...limits });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
    } finally {
      client.end().catch(() => undefined);
    }
  }

  #open(): Pool {
    const pool = new Pool(this.#config);
    // The connection was lost while idle. The next caller gets another one.
    pool.on("error", () => undefined);
    return pool;
  }

  /** Replaces all connections: the others lead to the same dead peer, and each would cost a timeout. */
  #renew(): void {
    this.#pool.end().catch(() => undefined);
    this.#pool = this.#open();
  }

  #query(client: PoolClient, sql: string, values: readonly SqlValue[]) {
    const { name, text } = this.#named(sql);
    const bound = values.map(withoutNull);
    return client.query<Record<string, unknown>>({ text, values: bound, ...(!this.#isPooled && { name }) });
  }

  /** Named statements, so that each connection parses a statement once. */
  #named(sql: string) {
    const known = this.#names.get(sql);
    if (known) return known;
    const named = { name: `s${this.#names.size}`, text: postgresSql(sql) };
    this.#names.set(sql, named);
    return named;
  }
}

/** Wraps a connection outside the pool. It caches no statements and has no limit for answers. */
export function connectionOf(client: ClientBase): Omit<PostgresConnection, "release"> {
  return {
    query: (sql, values) => client.query({ text: postgresSql(sql), values: values.map(withoutNull) }),
    command: (sql) => commandOf(client, sql),
  };
}

async function commandOf(client: ClientBase, sql: string) {
  const results: unknown = await client.query(sql);
  return (Array.isArray(results) ? results : [results]) as QueryResult<Record<string, unknown>>[];
}

function safeNumber(text: string): number {
  const number = Number(text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  throw new RangeError("The database contains a number that is too large to be read exactly.");
}

/** Quoted texts and names, which stay unchanged. */
const QUOTED = /('(?:[^']|'')*'|"(?:[^"]|"")*")/;
const DEFINITION = /^\s*(?:CREATE TABLE|ALTER TABLE)\b/;

/**
 * Translates portable SQL for Postgres: numbered placeholders, `LIKE` that ignores the case of Latin letters,
 * and texts compared by code points instead of the server's locale, so that both databases sort alike.
 */
export function postgresSql(sql: string): string {
  const isDefinition = DEFINITION.test(sql);
  let placeholders = 0;
  return sql
    .split(QUOTED)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const numbered = part.replaceAll(/\?(\d*)/g, (_found, given) => `$${given || (placeholders += 1)}`);
      const alike = numbered.replaceAll(/\bLIKE\b/g, "ILIKE");
      // A column may be called text: its type is the second word.
      return isDefinition ? alike.replaceAll(/\btext\b(?! text\b)/g, 'text COLLATE "C"') : alike;
    })
    .join("");
}
