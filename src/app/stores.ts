import { mkdir } from "node:fs/promises";

import type { BlobStore } from "../platform/blobs/blob-store.ts";
import { openBlobs } from "../platform/blobs/drivers.ts";
import type { Database } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/drivers.ts";
import type { AppContext } from "./context.ts";

/** What everything that lasts rests on. */
export interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/** Opens the stores and brings the database to the newest version. */
export async function openStores({
  config,
  resources,
}: Pick<AppContext, "config" | "resources">): Promise<Stores> {
  await mkdir(config.stores.dataDir, { recursive: true, mode: 0o700 });
  const database = resources.add(await openDatabase(config.stores.databaseUrl), (opened) => opened.close());
  await database.migrate();
  const blobs = resources.add(await openBlobs(config.stores.blobsUrl), (opened) => opened.close());
  return { database, blobs };
}
