import { setImmediate as nextTurn } from "node:timers/promises";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../../storage/database/database.ts";

/** A capture this old without a row was left by a process that died, or by a team that was erased meanwhile. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000;
const ORPHAN_SEARCH_MS = 24 * 60 * 60 * 1000;
/** Looked at between two pauses: less than a millisecond. */
const ORPHAN_BATCH = 500;

/** Small captures, whole in the database: to create a file takes several times as long as a row. */
export class SmallCaptures {
  readonly #database: Database;
  #orphansSoughtAtMs = Number.NEGATIVE_INFINITY;

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  async put(captureId: string, bytes: Uint8Array): Promise<void> {
    await this.#database
      .prepared("INSERT INTO unpacked_captures (capture_id, bytes) VALUES (?, ?)")
      .run(captureId, bytes);
  }

  /** Undefined when it is not here. */
  async get(captureId: string): Promise<Uint8Array | undefined> {
    const found = await this.#database
      .prepared<{ bytes: Uint8Array }>("SELECT bytes FROM unpacked_captures WHERE capture_id = ?")
      .get(captureId);
    return found?.bytes;
  }

  /** @returns whether it was there. */
  async delete(captureId: string): Promise<boolean> {
    const statement = this.#database.prepared("DELETE FROM unpacked_captures WHERE capture_id = ?");
    return (await statement.run(captureId)) > 0;
  }

  /** Removes what a crash has left. Does nothing when it did so within the last day. */
  async tidy(nowMs: number): Promise<void> {
    if (nowMs - this.#orphansSoughtAtMs < ORPHAN_SEARCH_MS) return;
    this.#orphansSoughtAtMs = nowMs;
    await removeAbandoned(this.#database, nowMs);
  }
}

/** Removes captures in rows that no capture names, in small steps, so that others get their turn in between. */
export async function removeAbandoned(database: Database, nowMs: number): Promise<void> {
  const end = uuidV7(nowMs - ORPHAN_AFTER_MS);
  let after = "";
  for (;;) {
    const batch = await database
      .prepared<{ id: string }>(
        `SELECT capture_id AS id FROM unpacked_captures
         WHERE capture_id > ? AND capture_id < ? ORDER BY capture_id LIMIT ${ORPHAN_BATCH}`,
      )
      .all(after, end);
    const last = batch.at(-1)?.id;
    if (last === undefined) return;
    await database
      .prepared(
        `DELETE FROM unpacked_captures WHERE capture_id > ? AND capture_id <= ?
           AND NOT EXISTS (SELECT 1 FROM captures WHERE captures.id = unpacked_captures.capture_id)`,
      )
      .run(after, last);
    after = last;
    await nextTurn();
  }
}
