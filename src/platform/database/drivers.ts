import { type Drivers, driverFor } from "../../kit/drivers.ts";
import type { Database } from "./database.ts";

type OpenDatabase = (url: string) => Promise<Database>;

/** One line per driver. A driver is loaded when it is chosen. */
const databaseDrivers: Drivers<OpenDatabase> = new Map<string, OpenDatabase>([
  ["sqlite:", async (url) => (await import("./sqlite.ts")).openSqlite(url)],
]);

/**
 * Opens the database a URL names: `sqlite:/path/file.db`, `sqlite:relative.db` or `sqlite::memory:`.
 * The tables are not touched: call `migrate`.
 * @throws Error that names the known schemes, for any other.
 */
export async function openDatabase(url: string, drivers = databaseDrivers): Promise<Database> {
  return driverFor(drivers, url, "database")(url);
}
