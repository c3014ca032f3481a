import { type Drivers, driverFor } from "../../kit/drivers.ts";
import type { Database } from "./database.ts";
import { parseSqliteUrl } from "./sqlite-url.ts";

interface Driver {
  /** @throws Error when the URL is none of this driver. */
  readonly check: (url: string) => void;
  readonly open: (url: string) => Promise<Database>;
}

/** One line per driver. A driver is loaded when it is chosen. */
const databaseDrivers: Drivers<Driver> = new Map<string, Driver>([
  ["sqlite:", { check: parseSqliteUrl, open: async (url) => (await import("./sqlite.ts")).openSqlite(url) }],
]);

/**
 * Opens the database a URL names: `sqlite:/path/file.db`, `sqlite:relative.db` or `sqlite::memory:`.
 * The tables are not touched: call `migrate`.
 * @throws Error that names the known schemes, for any other.
 */
export async function openDatabase(url: string, drivers = databaseDrivers): Promise<Database> {
  return driverFor(drivers, url, "database").open(url);
}

/** Checks a URL without opening what it names. @throws Error that says what would be right. */
export function assertDatabaseUrl(url: string): void {
  driverFor(databaseDrivers, url, "database").check(url);
}
