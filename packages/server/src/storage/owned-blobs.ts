import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { isUuid, uuidTimeMs } from "@pergamon-dev/kit/uuid";
import type { Database } from "./database/database.ts";
import type { BlobPart, BlobSource, BlobStore } from "./blobs/blob-store.ts";

interface OwnedBlobOptions {
  readonly blobs: BlobStore;
  readonly folder: string;
  readonly database: Database;
  /** Table of the rows that name the blobs. */
  readonly table: string;
  readonly column: string;
}

/** A younger blob may still be waiting for its row. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000;
/** Searching for orphans lists all blobs. Orphans come from crashes, so once a day is enough. */
const ORPHAN_SEARCH_MS = 24 * 60 * 60 * 1000;
const ORPHAN_BATCH = 100;
const REMOVAL_BATCH = 50;

/** Key of the blob of an id. Blobs are spread over 256 folders by the random end of the id. */
export function ownedBlobKey(folder: string, id: string): string {
  return `${folder}/${id.slice(-2)}/${id}`;
}

/**
 * Manages the blobs of a folder. Each blob is named by an id, containing a time, in a row of some table. The
 * blob is put before its row and deleted after it, so a blob can remain without a row, but never a row
 * without a blob.
 */
export class OwnedBlobs {
  readonly #blobs: BlobStore;
  readonly #folder: string;
  readonly #options: Pick<OwnedBlobOptions, "database" | "table" | "column">;
  #orphansSoughtAtMs = Number.NEGATIVE_INFINITY;

  constructor({ blobs, folder, ...options }: OwnedBlobOptions) {
    this.#blobs = blobs;
    this.#folder = folder;
    this.#options = options;
  }

  put(id: string, bytes: Uint8Array | BlobSource): Promise<void> {
    return this.#blobs.put(ownedBlobKey(this.#folder, id), bytes);
  }

  get(id: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(ownedBlobKey(this.#folder, id));
  }

  read(id: string, part?: BlobPart): Promise<Readable | undefined> {
    return this.#blobs.read(ownedBlobKey(this.#folder, id), part);
  }

  delete(id: string): Promise<void> {
    return this.#blobs.delete(ownedBlobKey(this.#folder, id));
  }

  /** Deletes blobs without a row. It does nothing when it already ran within the last day. */
  async removeOrphans(nowMs: number): Promise<void> {
    if (nowMs - this.#orphansSoughtAtMs < ORPHAN_SEARCH_MS) return;
    this.#orphansSoughtAtMs = nowMs;
    let batch: string[] = [];
    for await (const key of this.#blobs.list(this.#folder)) {
      const id = key.slice(key.lastIndexOf("/") + 1);
      if (!isUuid(id) || nowMs - uuidTimeMs(id) < ORPHAN_AFTER_MS) continue;
      batch.push(id);
      if (batch.length < ORPHAN_BATCH) continue;
      await this.#removeUnowned(batch);
      batch = [];
      await nextTurn();
    }
    await this.#removeUnowned(batch);
  }

  async #removeUnowned(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const owned = await this.#owned(ids);
    for (const id of ids) if (!owned.has(id)) await this.delete(id);
  }

  /** Returns the ids that have a row. */
  async #owned(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, table, column } = this.#options;
    const places = ids.map(() => "?").join(", ");
    const rows = await database
      .prepared<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE ${column} IN (${places})`)
      .all(...ids);
    return new Set(rows.map(({ id }) => id));
  }
}

/**
 * Removes rows with their dependants in small steps, so that other work runs in between.
 * @param next reads the first remaining rows, up to the given number.
 */
export async function removeInSteps<Row>(
  next: (limit: number) => Promise<readonly Row[]>,
  remove: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const rows = await next(REMOVAL_BATCH);
    for (const row of rows) await remove(row);
    if (rows.length < REMOVAL_BATCH) return;
    await nextTurn();
  }
}
