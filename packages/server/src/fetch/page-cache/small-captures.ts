import { setImmediate as nextTurn } from "node:timers/promises";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";

/**
 * Age after which a capture without a row is an orphan of a crashed process, or of a team that was erased
 * meanwhile.
 */
const ORPHAN_AFTER_MS = 60 * 60 * 1000;
const ORPHAN_SEARCH_MS = 24 * 60 * 60 * 1000;
/** Rows checked between two pauses, which takes less than a millisecond. */
const ORPHAN_BATCH = 500;

export interface CaptureBytes {
  readonly captureId: string;
  readonly bytes: Uint8Array;
}

/** A group that could not be written is divided, and written again. */
const UNPACKED = {
  into: "unpacked_captures (capture_id, bytes)",
  row: "(?, ?)",
  ending: "ON CONFLICT (capture_id) DO NOTHING",
};

/** Stores small captures in the database, because creating a file takes several times as long as a row. */
export class SmallCaptures {
  readonly #database: Database;
  #orphansSoughtAtMs = Number.NEGATIVE_INFINITY;

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  async put(captures: readonly CaptureBytes[]): Promise<void> {
    const rows = captures.map(({ captureId, bytes }) => [captureId, bytes]);
    await insertRows(this.#database, UNPACKED, rows);
  }

  /** Undefined when it is not here. */
  async get(captureId: string): Promise<Uint8Array | undefined> {
    const found = await this.#database
      .prepared<{ bytes: Uint8Array }>("SELECT bytes FROM unpacked_captures WHERE capture_id = ?")
      .get(captureId);
    return found?.bytes;
  }

  /** @returns whether it existed. */
  async delete(captureId: string): Promise<boolean> {
    const statement = this.#database.prepared("DELETE FROM unpacked_captures WHERE capture_id = ?");
    return (await statement.run(captureId)) > 0;
  }

  /** Removes orphans of crashes, at most once a day. */
  async tidy(nowMs: number): Promise<void> {
    if (nowMs - this.#orphansSoughtAtMs < ORPHAN_SEARCH_MS) return;
    this.#orphansSoughtAtMs = nowMs;
    await removeAbandoned(this.#database, nowMs);
  }
}

/** Removes orphans in small steps, so that other work runs in between. */
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
