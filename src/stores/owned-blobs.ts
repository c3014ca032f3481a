import { setImmediate as nextTurn } from "node:timers/promises";

import { isUuid, uuidTimeMs } from "../kit/uuid.ts";
import type { BlobStore } from "../platform/blobs/blob-store.ts";

/** Blobs of which a row of some table tells the id. The blob is put first, so a blob without a row can be left. */
export interface OwnedBlobs {
  readonly blobs: BlobStore;
  readonly folder: string;
  /** Those of the ids that have a row. */
  readonly owned: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** A blob this young may be waiting for its row. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000;
const BATCH = 100;

/** Where the blob of an id lies: spread over 256 folders by the random end of the id. */
export function ownedBlobKey(folder: string, id: string): string {
  return `${folder}/${id.slice(-2)}/${id}`;
}

/** Deletes the blobs whose row is gone, or never came. @returns how many. */
export async function removeOrphans(place: OwnedBlobs, nowMs: number): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  for await (const key of place.blobs.list(place.folder)) {
    const id = key.slice(key.lastIndexOf("/") + 1);
    if (!isUuid(id) || nowMs - uuidTimeMs(id) < ORPHAN_AFTER_MS) continue;
    batch.push(id);
    if (batch.length < BATCH) continue;
    removed += await removeUnowned(place, batch);
    batch = [];
    await nextTurn();
  }
  return removed + (await removeUnowned(place, batch));
}

async function removeUnowned({ blobs, folder, owned }: OwnedBlobs, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const kept = await owned(ids);
  const orphans = ids.filter((id) => !kept.has(id));
  for (const id of orphans) await blobs.delete(ownedBlobKey(folder, id));
  return orphans.length;
}
