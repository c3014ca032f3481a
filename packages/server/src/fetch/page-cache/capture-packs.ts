import { buffer } from "node:stream/consumers";

import { uuidTimeMs, uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";
import { OwnedBlobs } from "../../storage/owned-blobs.ts";
import { type CaptureBytes, removeAbandoned, SmallCaptures } from "./small-captures.ts";

/** Minimum captures of a pack, unless the oldest has waited for the maximum time, and maximum captures. */
const LEAST_PACKED = 100;
const MAX_WAIT_MS = 10 * 60 * 1000;
const MAX_PACKED = 400;
/** Target size of a pack. One more capture may exceed it. */
const MAX_PACK_BYTES = 8 * 1024 * 1024;
const REWRITTEN_AT_ONCE = 100;

interface Place {
  readonly packId: string;
  readonly start: number;
  readonly sizeBytes: number;
}

/**
 * Stores many captures in one blob. Captures wait in a table until there are enough. All processes read the
 * table, and no crash loses it. A pack is stored before the rows that refer to it, and deleted after them. A
 * crash may therefore leave a pack without rows, which is removed later.
 */
export class CapturePacks {
  readonly #database: Database;
  readonly #waiting: SmallCaptures;
  readonly #packs: OwnedBlobs;

  constructor({ database, blobs }: { readonly database: Database; readonly blobs: BlobStore }) {
    this.#database = database;
    this.#waiting = new SmallCaptures({ database });
    this.#packs = new OwnedBlobs({ blobs, folder: "packs", database, table: "capture_packs", column: "id" });
  }

  put(captures: readonly CaptureBytes[]): Promise<void> {
    return this.#waiting.put(captures);
  }

  /** Undefined when it is in no pack. */
  async get(captureId: string): Promise<Uint8Array | undefined> {
    const waiting = await this.#waiting.get(captureId);
    if (waiting) return waiting;
    const place = await placeOf(this.#database, captureId);
    if (!place) return undefined;
    const bytes = await this.#read(place);
    if (bytes) return bytes;
    // The pack may have been rewritten meanwhile. The capture is then in another one.
    const moved = await placeOf(this.#database, captureId);
    return moved && moved.packId !== place.packId ? this.#read(moved) : undefined;
  }

  /** @returns whether it existed. Its bytes in a pack are removed when that is rewritten. */
  delete(captureId: string): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const waiting = "DELETE FROM unpacked_captures WHERE capture_id = ?";
      if ((await tx.prepared(waiting).run(captureId)) > 0) return true;
      const place = await placeOf(tx, captureId);
      if (!place) return false;
      await tx.prepared("DELETE FROM packed_captures WHERE capture_id = ?").run(captureId);
      await tx.prepared("UPDATE capture_packs SET removed = removed + 1 WHERE id = ?").run(place.packId);
      return true;
    });
  }

  /** Packs waiting captures, and rewrites packs without deleted ones. */
  async tidy(nowMs: number): Promise<void> {
    await removeAbandoned(this.#database, nowMs);
    while (await this.#packSome(nowMs));
    while (await this.#rewriteSome(nowMs));
    await this.#packs.removeOrphans(nowMs);
  }

  /** @returns whether more captures may wait. */
  async #packSome(nowMs: number): Promise<boolean> {
    const waiting = await this.#database
      .prepared<{ captureId: string; sizeBytes: number }>(
        `SELECT capture_id AS "captureId", length(bytes) AS "sizeBytes"
         FROM unpacked_captures ORDER BY capture_id LIMIT ?`,
      )
      .all(MAX_PACKED);
    const [oldest] = waiting;
    const isLate = oldest !== undefined && nowMs - uuidTimeMs(oldest.captureId) >= MAX_WAIT_MS;
    if (waiting.length < LEAST_PACKED && !isLate) return false;
    let bytes = 0;
    const chosen = waiting.filter(({ sizeBytes }) => (bytes += sizeBytes) - sizeBytes < MAX_PACK_BYTES);
    const ids = chosen.map(({ captureId }) => captureId);
    const parts = await this.#database
      .prepared<CaptureBytes>(
        `SELECT capture_id AS "captureId", bytes FROM unpacked_captures WHERE capture_id IN (${placesOf(ids)})`,
      )
      .all(...ids);
    await this.#write(parts, { table: "unpacked_captures", nowMs });
    return true;
  }

  /** @returns whether there may be more packs. */
  async #rewriteSome(nowMs: number): Promise<boolean> {
    const packs = await this.#database
      .prepared<{ id: string }>("SELECT id FROM capture_packs WHERE removed > 0 ORDER BY id LIMIT ?")
      .all(REWRITTEN_AT_ONCE);
    for (const { id } of packs) await this.#rewrite(id, nowMs);
    return packs.length === REWRITTEN_AT_ONCE;
  }

  async #rewrite(packId: string, nowMs: number): Promise<void> {
    const places = await this.#database
      .prepared<Place & { captureId: string }>(
        `SELECT capture_id AS "captureId", pack_id AS "packId", start, size_bytes AS "sizeBytes"
         FROM packed_captures WHERE pack_id = ? ORDER BY start`,
      )
      .all(packId);
    const whole = places.length === 0 ? undefined : await this.#packs.get(packId);
    const parts = places.map(({ captureId, start, sizeBytes }) => ({
      captureId,
      bytes: whole?.subarray(start, start + sizeBytes) ?? new Uint8Array(),
    }));
    await this.#write(whole ? parts : [], { table: "packed_captures", packId, nowMs });
    await this.#packs.delete(packId);
  }

  /**
   * Stores parts as one pack, then the rows that refer to it, except for parts that were deleted meanwhile.
   * @param from previous place of the parts: the table, and the pack that is replaced.
   */
  async #write(parts: readonly CaptureBytes[], from: Source): Promise<void> {
    const packId = uuidV7(from.nowMs);
    if (parts.length > 0) await this.#packs.put(packId, Buffer.concat(parts.map(({ bytes }) => bytes)));
    await this.#database.transaction(async (tx) => {
      const taken = await take(tx, from, parts);
      const rows: (readonly (string | number)[])[] = [];
      let start = 0;
      for (const { captureId, bytes } of parts) {
        if (taken.has(captureId)) rows.push([captureId, packId, start, bytes.byteLength]);
        start += bytes.byteLength;
      }
      const into = "packed_captures (capture_id, pack_id, start, size_bytes)";
      await insertRows(tx, { into, row: "(?, ?, ?, ?)" }, rows);
      const insert = tx.prepared("INSERT INTO capture_packs (id, removed) VALUES (?, ?)");
      if (parts.length > 0) await insert.run(packId, parts.length - rows.length);
      if (from.packId === undefined) return;
      // A part that is missing in the new pack was missing in the old one, too, because the store has lost
      // it.
      await tx.prepared("DELETE FROM packed_captures WHERE pack_id = ?").run(from.packId);
      await tx.prepared("DELETE FROM capture_packs WHERE id = ?").run(from.packId);
    });
  }

  async #read({ packId, start, sizeBytes }: Place): Promise<Uint8Array | undefined> {
    const stream = await this.#packs.read(packId, { start, end: start + sizeBytes - 1 });
    return stream && buffer(stream);
  }
}

interface Source {
  readonly table: "unpacked_captures" | "packed_captures";
  readonly packId?: string;
  readonly nowMs: number;
}

/** Takes parts from their previous place. @returns ids of those that still existed. */
async function take(
  tx: Statements,
  { table, packId }: Source,
  parts: readonly CaptureBytes[],
): Promise<ReadonlySet<string>> {
  if (parts.length === 0) return new Set();
  const ids = parts.map(({ captureId }) => captureId);
  const pack = packId === undefined ? "" : "AND pack_id = ?";
  const where = `WHERE capture_id IN (${placesOf(ids)}) ${pack}`;
  const values = packId === undefined ? ids : [...ids, packId];
  const there = await tx
    .prepared<Pick<CaptureBytes, "captureId">>(`SELECT capture_id AS "captureId" FROM ${table} ${where}`)
    .all(...values);
  await tx.prepared(`DELETE FROM ${table} ${where}`).run(...values);
  return new Set(there.map(({ captureId }) => captureId));
}

function placesOf(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

function placeOf(statements: Statements, captureId: string): Promise<Place | undefined> {
  return statements
    .prepared<Place>(
      `SELECT pack_id AS "packId", start, size_bytes AS "sizeBytes" FROM packed_captures WHERE capture_id = ?`,
    )
    .get(captureId);
}
