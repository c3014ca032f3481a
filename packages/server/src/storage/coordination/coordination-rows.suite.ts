import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/drivers.ts";

/** What coordinators keep in a database. */
const TABLES = ["rates", "leases", "slot_seats", "host_pauses", "messages", "nodes"];

/** The databases of two processes over one schema. To make it takes longer than most tests: they share it. */
export interface SharedSchema {
  readonly databases: readonly [Database, Database];
  /** Forgets what the coordinators of a test have kept, once they are closed. */
  clean(): Promise<void>;
  close(): Promise<void>;
}

export async function openSharedSchema(url: string): Promise<SharedSchema> {
  const [one, other] = [await openDatabase(url), await openDatabase(url)];
  await one.migrate();
  await other.migrate();
  return {
    databases: [one, other],
    async clean() {
      for (const table of TABLES) await one.prepared(`DELETE FROM ${table}`).run();
    },
    async close() {
      await Promise.all([one.close(), other.close()]);
    },
  };
}
