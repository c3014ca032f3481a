import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { SendTurns } from "./send-turns.ts";

/** How many had begun after each of the first turns of the event loop. */
async function begunBy(turns: number, sizes: readonly number[]): Promise<readonly number[]> {
  const sends = new SendTurns();
  const begun: number[] = [];
  sizes.forEach((size, index) => void sends.take(size).then(() => begun.push(index)));
  const counts: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(begun).toEqual(begun.toSorted((one, other) => one - other));
  return counts;
}

test("a turn of the event loop sends a megabyte, in the order in which it was asked for", async () => {
  const quarters = Array.from({ length: 10 }, () => 256 * 1024);
  expect((await begunBy(4, quarters)).at(0)).toBeLessThanOrEqual(4);
  expect(await begunBy(12, quarters)).toContain(10);
});

test("what is larger has a turn of its own", async () => {
  const counts = await begunBy(8, [50_000_000, 50_000_000, 1]);
  expect(counts.filter((count) => count === 1).length).toBeGreaterThan(0);
  expect(counts.at(-1)).toBe(3);
});
