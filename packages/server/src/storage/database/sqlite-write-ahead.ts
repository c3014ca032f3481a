import type { DatabaseSyncInstance } from "@photostructure/sqlite";

import { isBusy } from "./sqlite-failures.ts";

const PAUSE_MS = 5;

/**
 * Switches an SQLite file to write-ahead mode. Where several processes create a file, SQLite refuses this at
 * once, whatever its busy timeout is, because two readers would wait for each other.
 */
export function writeAhead(database: DatabaseSyncInstance, limitMs: number): void {
  const giveUpAtMs = performance.now() + limitMs;
  for (;;) {
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (failure) {
      if (!isBusy(failure) || performance.now() > giveUpAtMs) throw failure;
    }
    const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    Atomics.wait(nobodyWakes, 0, 0, PAUSE_MS * (1 + Math.random()));
  }
}
