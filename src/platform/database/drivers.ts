import type { Database } from "./database.ts";

type OpenDatabase = (url: string) => Promise<Database>;

/** URL scheme → driver. A driver is loaded when it is chosen. */
const drivers: ReadonlyMap<string, OpenDatabase> = new Map<string, OpenDatabase>([
  ["sqlite:", async (url) => (await import("./sqlite.ts")).openSqlite(url)],
]);

/**
 * Opens the database a URL names: `sqlite:/path/file.db`, `sqlite:relative.db` or `sqlite::memory:`.
 * The tables are not touched: call `migrate`.
 * @throws Error that names the known schemes, for any other.
 */
export async function openDatabase(url: string): Promise<Database> {
  const open = drivers.get(/^[^:]*:/.exec(url)?.[0] ?? "");
  if (!open)
    throw new Error(`No database driver for "${schemeOf(url)}". Known: ${[...drivers.keys()].join(", ")}`);
  return open(url);
}

/** Only the scheme: the rest may hold a password. */
function schemeOf(url: string): string {
  return /^[^:/?#]*:?/.exec(url)?.[0] ?? "";
}
