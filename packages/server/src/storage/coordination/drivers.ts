import type { Database } from "../database/database.ts";
import type { Coordinator } from "./coordinator.ts";

interface CoordinatorOptions {
  /** URL of what the processes share. */
  readonly url: string;
  readonly database: Database;
  readonly onError: (failure: unknown) => void;
}

type OpenCoordinator = (options: CoordinatorOptions) => Promise<Coordinator>;

async function overDatabase(options: CoordinatorOptions): Promise<Coordinator> {
  return (await import("./database.ts")).openDatabaseCoordinator(options);
}

/** Beginning of the URL → driver, the first that fits. A driver is loaded when it is chosen. */
const drivers: ReadonlyMap<string, OpenCoordinator> = new Map<string, OpenCoordinator>([
  ["sqlite::memory:", async () => (await import("./memory.ts")).openMemoryCoordinator()],
  ["sqlite:", overDatabase],
  ["postgres:", overDatabase],
  ["postgresql:", overDatabase],
]);

/**
 * Opens what the processes over one database agree through: the database itself, unless no other process can open it.
 * @throws Error that names the known schemes, for any other.
 */
export async function openCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const found = [...drivers].find(([beginning]) => options.url.startsWith(beginning));
  if (!found) {
    const scheme = /^[^:/?#]*:?/.exec(options.url)?.[0] ?? "";
    throw new Error(`No coordination for "${scheme}". Known: ${[...drivers.keys()].join(", ")}`);
  }
  return found[1](options);
}
