import { expect, test } from "vitest";

import { forEachInTurns } from "./in-turns.ts";

const NEVER = new AbortController().signal;

/** Keeps the event loop from turning. */
function block(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

test("a list that takes long gives others their turn, a short one is done at once", async () => {
  const seen: (number | string)[] = [];
  setImmediate(() => seen.push("other"));
  await forEachInTurns([1, 2], NEVER, (item) => seen.push(item));
  await forEachInTurns([3, 4, 5], NEVER, (item) => {
    seen.push(item);
    block(6);
  });
  expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  expect(seen.indexOf("other")).toBeLessThan(seen.indexOf(5));
});

test("of many lists one is worked on between two turns, and each has its turn", async () => {
  const order: string[] = [];
  const lists = ["a", "b", "c"].map((name) =>
    forEachInTurns([1, 2, 3], NEVER, () => {
      order.push(name);
      block(6);
    }),
  );
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns += 1;
    order.push("|");
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all(lists);
  isDone = true;
  const rest = order.slice(order.indexOf("|")).join("");
  expect(rest).not.toMatch(/[abc]{2}/);
  expect(turns).toBeGreaterThanOrEqual(6);
  expect(
    order
      .filter((name) => name !== "|")
      .slice(3)
      .join(""),
  ).toBe("abcabc");
});

test("work that waits is awaited, and an abort ends the list at the next turn", async () => {
  const seen: number[] = [];
  const wait = async (item: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(item);
  };
  await forEachInTurns([1, 2], NEVER, wait);
  expect(seen).toEqual([1, 2]);
  const gone = new AbortController();
  const looking = forEachInTurns([1, 2, 3, 4], gone.signal, (item) => {
    if (item === 2) gone.abort(new Error("gone"));
    block(6);
    seen.push(item);
  });
  await expect(looking).rejects.toThrow("gone");
  expect(seen).toEqual([1, 2, 1, 2]);
});
