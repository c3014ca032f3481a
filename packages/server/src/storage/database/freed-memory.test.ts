import { readFileSync } from "node:fs";
import { MessageChannel } from "node:worker_threads";

import { expect, test } from "vitest";

import { giveFreedMemoryBack } from "./freed-memory.ts";

const PIECES = 10_000;
const PIECE_BYTES = 6000;
/** V8 frees some of them at once, others later. */
const FREED_KILOBYTES = (PIECES * PIECE_BYTES * 0.95) / 1024;

test.runIf(process.platform === "linux")(
  "what was freed between pieces in use goes back to the system",
  () => {
    const pieces = Array.from({ length: PIECES }, () => new Uint8Array(PIECE_BYTES).fill(1).buffer);
    const [used, freed] = [0, 1].map((rest) => pieces.filter((_, index) => Math.sign(index % 20) === rest));
    // A closed port frees at once what it is handed.
    const { port1: nowhere } = new MessageChannel();
    nowhere.close();
    nowhere.postMessage(undefined, freed);
    const before = ownKilobytes();
    giveFreedMemoryBack();
    expect(before - ownKilobytes()).toBeGreaterThan(FREED_KILOBYTES / 5);
    expect(used?.every(({ byteLength }) => byteLength === PIECE_BYTES)).toBe(true);
  },
);

function ownKilobytes(): number {
  return Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8"))?.[1]);
}
