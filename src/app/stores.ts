import { mkdir } from "node:fs/promises";

import type { BlobStore } from "../platform/blobs/blob-store.ts";
import { openBlobs } from "../platform/blobs/drivers.ts";
import type { Coordinator } from "../platform/coordination/coordinator.ts";
import { openCoordinator } from "../platform/coordination/drivers.ts";
import type { Database } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/drivers.ts";
import { type AppContext, reporter } from "./context.ts";

/** What everything that lasts rests on, and what the processes over it agree through. */
export interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly coordinator: Coordinator;
}

/** Opens the stores and brings the database to the newest version. */
export async function openStores({ config, log, resources }: AppContext): Promise<Stores> {
  await mkdir(config.stores.dataDir, { recursive: true, mode: 0o700 });
  const database = resources.add(await openDatabase(config.stores.databaseUrl), (opened) => opened.close());
  await database.migrate();
  const blobs = resources.add(await openBlobs(config.stores.blobsUrl), (opened) => opened.close());
  const onError = reporter(log, "Limits could not be agreed upon with other processes.");
  const coordinator = await openCoordinator({ url: config.stores.databaseUrl, database, onError });
  resources.add(coordinator, (opened) => opened.close());
  return { database, blobs, coordinator };
}
