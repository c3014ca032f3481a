import { resolve } from "node:path";

import type { Durability } from "./sqlite-connection.ts";

/** Path of a database without a file. */
export const IN_MEMORY = ":memory:";

interface SqliteAddress {
  /** Absolute, or `:memory:`. */
  readonly path: string;
  readonly durability: Durability;
}

/**
 * Reads `sqlite:` and a path, or `sqlite::memory:`, optionally with `?synchronous=full` or
 * `?synchronous=normal`.
 * @throws Error for a URL without a path, and for any other parameter.
 */
export function parseSqliteUrl(url: string): SqliteAddress {
  const [address = "", parameters = ""] = url.split("?");
  return { path: pathOf(address), durability: durabilityOf(parameters) };
}

/** Returns the file of a database URL; undefined when the database is not a file of this machine. */
export function sqliteFile(url: string): string | undefined {
  if (!url.startsWith("sqlite:")) return undefined;
  const { path } = parseSqliteUrl(url);
  return path === IN_MEMORY ? undefined : path;
}

function pathOf(url: string): string {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "") throw new Error('A database URL needs a path, such as "sqlite:./data/pergamon.db".');
  return path === IN_MEMORY ? path : resolve(path);
}

function durabilityOf(parameters: string): Durability {
  if (parameters === "" || parameters === "synchronous=normal") return "NORMAL";
  if (parameters === "synchronous=full") return "FULL";
  throw new Error(
    `A database URL may end in ?synchronous=full or ?synchronous=normal, not in ?${parameters}`,
  );
}
