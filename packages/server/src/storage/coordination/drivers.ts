import type { Database } from "../database/database.ts";
import type { Coordinator } from "./coordinator.ts";

interface CoordinatorOptions {
  /** URL of the shared database. */
  readonly url: string;
  readonly database: Database;
  readonly onError: (failure: unknown) => void;
}

type OpenCoordinator = (options: CoordinatorOptions) => Promise<Coordinator>;

async function overDatabase(options: CoordinatorOptions): Promise<Coordinator> {
  return (await import("./database.ts")).openDatabaseCoordinator(options);
}

/**
 * Maps the beginning of a URL to its driver; the first match wins. A driver is loaded when a URL selects it.
 */
const drivers: ReadonlyMap<string, OpenCoordinator> = new Map<string, OpenCoordinator>([
  ["sqlite::memory:", async () => (await import("./memory.ts")).openMemoryCoordinator()],
  ["sqlite:", overDatabase],
  ["postgres:", overDatabase],
  ["postgresql:", overDatabase],
]);

/**
 * Opens the coordinator of the processes over one database. It uses the database itself, unless no other
 * process can open it.
 * @throws Error that names the known schemes, for any other URL.
 */
export async function openCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const found = [...drivers].find(([beginning]) => options.url.startsWith(beginning));
  if (!found) {
    const scheme = /^[^:/?#]*:?/.exec(options.url)?.[0] ?? "";
    throw new Error(`No coordination for "${scheme}". Known: ${[...drivers.keys()].join(", ")}`);
  }
  return found[1](options);
}
