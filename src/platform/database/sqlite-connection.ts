import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { LRUCache } from "lru-cache";

import type { SqlValue } from "./database.ts";

/** How long the opening waits for another process that writes. */
const OPENING_TIMEOUT_MS = 5_000;
/** How long a statement does: meanwhile nothing else can be done in this process. */
const BUSY_TIMEOUT_MS = 20;
/** SQLITE_BUSY. */
const BUSY = 5;
/** Statements kept parsed. The program has far fewer; lists of varying length make the rest. */
const KEPT_STATEMENTS = 500;

/**
 * What a power cut may cost. With a write-ahead log, NORMAL can lose the last transactions but never corrupts; FULL waits
 * for the disk with each, which takes 30 times as long. A process that is killed loses nothing either way.
 */
export type Durability = "NORMAL" | "FULL";

/** The one connection to an SQLite file: synchronous, with every statement parsed once. */
export class SqliteConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new LRUCache<string, KeptStatement>({ max: KEPT_STATEMENTS });

  /** @param path a file, whose folder is made when missing, or `:memory:`. */
  constructor(path: string, durability: Durability = "NORMAL") {
    this.#database = open(path, durability);
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** @returns the first row. Its columns are what the SQL says; whoever wrote that names the type. */
  get(sql: string, values: readonly SqlValue[]): ReturnType<StatementSyncInstance["get"]> {
    return this.#kept(sql).statement.get(...values);
  }

  all(sql: string, values: readonly SqlValue[]): ReturnType<StatementSyncInstance["all"]> {
    return this.#kept(sql).statement.all(...values);
  }

  /** @returns the number of rows touched. */
  run(sql: string, values: readonly SqlValue[]): number {
    return this.#kept(sql).statement.run(...values).changes;
  }

  returnsRows(sql: string): boolean {
    return this.#kept(sql).returnsRows;
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#statements.clear();
    this.#database.close();
  }

  #kept(sql: string): KeptStatement {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    const fresh = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, fresh);
    return fresh;
  }
}

/** @throws Error that names the file, when it is no database, or cannot be written. */
function open(path: string, durability: Durability): DatabaseSyncInstance {
  let database: DatabaseSyncInstance | undefined;
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};`);
    // What is deleted is overwritten: it is gone for those who have the files, too.
    database.exec("PRAGMA secure_delete = ON;");
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};`);
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    throw unusable(path, cause);
  }
}

/** Whether a statement failed only because another process writes. */
export function isBusy(failure: unknown): boolean {
  return failure instanceof Error && "errcode" in failure && failure.errcode === BUSY;
}

function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The database ${path} cannot be used: ${reason}.`, { cause });
}

interface KeptStatement {
  readonly statement: StatementSyncInstance;
  readonly returnsRows: boolean;
}
