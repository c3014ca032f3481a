import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

import { isSqlValue } from "./database.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Turns } from "./turns.ts";

/** Lets the query builder use our connection, in turn with everybody else who does. */
export function sqliteDialect(connection: SqliteConnection, turns: Turns): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createDriver: () => new SqliteDriver(connection, turns),
  };
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #turns: Turns;
  readonly #queries: DatabaseConnection;

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#connection = connection;
    this.#turns = turns;
    this.#queries = queriesOn(connection);
  }

  async init(): Promise<void> {
    // The connection is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    return this.#queries;
  }

  async beginTransaction(): Promise<void> {
    this.#connection.run("BEGIN IMMEDIATE", []);
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run("COMMIT", []);
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.rollBack();
  }

  async releaseConnection(): Promise<void> {
    this.#turns.give();
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}

function queriesOn(connection: SqliteConnection): DatabaseConnection {
  const execute = <Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> => {
    const values = parameters.filter(isSqlValue);
    if (values.length < parameters.length) throw new TypeError(`A value cannot be bound in: ${sql}`);
    if (connection.returnsRows(sql)) return { rows: connection.all(sql, values) };
    return { rows: [], numAffectedRows: BigInt(connection.run(sql, values)) };
  };
  return {
    executeQuery: async (compiled) => execute(compiled),
    async *streamQuery(compiled) {
      yield execute(compiled);
    },
  };
}
