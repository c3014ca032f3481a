import { type Drivers, driverFor } from "@pergamon-dev/kit/drivers";
import type { Database } from "./database.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import { parseSqliteUrl } from "./sqlite-url.ts";

interface Driver {
  /** @throws Error when the URL does not belong to this driver. */
  readonly check: (url: string) => void;
  readonly open: (url: string, options: DatabaseOptions) => Promise<Database>;
}

interface DatabaseOptions {
  /** URL of the same Postgres database without a pooler, when the URL leads to one. */
  readonly directUrl?: string | undefined;
}

const postgres: Driver = {
  check: parsePostgresUrl,
  open: async (url, options) => (await import("./postgres.ts")).openPostgres(url, options),
};

/** One line per driver. A driver is loaded when a URL selects it. */
const databaseDrivers: Drivers<Driver> = new Map<string, Driver>([
  ["sqlite:", { check: parseSqliteUrl, open: async (url) => (await import("./sqlite.ts")).openSqlite(url) }],
  ["postgres:", postgres],
  ["postgresql:", postgres],
]);

/**
 * Opens the database that a URL names: `sqlite:/path/file.db`, `sqlite:relative.db`, `sqlite::memory:` or
 * `postgres://…`. It does not touch the tables: call `migrate`.
 * @throws Error that names the known schemes, for any other URL.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  return driverFor(databaseDrivers, url, "database").open(url, options);
}

/** Checks a URL without opening the database. @throws Error that says what would be right. */
export function assertDatabaseUrl(url: string): void {
  driverFor(databaseDrivers, url, "database").check(url);
}
