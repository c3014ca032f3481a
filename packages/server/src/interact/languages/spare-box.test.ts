import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { SpareBox } from "./runners.ts";
import type { WarmBox } from "./warm-box.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function countStarts() {
  const started: { isAlive: boolean; close(): Promise<void> }[] = [];
  const spare = new SpareBox(
    async () => {
      const box = { isAlive: true, close: async () => void (box.isAlive = false) };
      started.push(box);
      return box as unknown as WarmBox;
    },
    (failure) => {
      throw failure;
    },
  );
  return { spare, started };
}

test("the box that is ready is taken, and the next is started when its taker is no longer busy with it", async () => {
  const { spare, started } = countStarts();
  spare.prepare();
  expect(await spare.take()).toBe(started[0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(started).toHaveLength(2);
  expect(await spare.take()).toBe(started[1]);
});

test("who finds none ready starts one", async () => {
  const { spare, started } = countStarts();
  const taken = await Promise.all([spare.take(), spare.take()]);
  expect(taken).toEqual(started);
  await vi.advanceTimersByTimeAsync(5000);
  expect(started).toHaveLength(3);
});

test("a box that ended while it waited is not handed out", async () => {
  const { spare, started } = countStarts();
  spare.prepare();
  await started[0]?.close();
  expect(await spare.take()).toBe(started[1]);
});

test("nothing is started any more after it was closed", async () => {
  const { spare, started } = countStarts();
  await spare.take();
  await spare.close();
  await vi.advanceTimersByTimeAsync(5000);
  spare.prepare();
  expect(started).toHaveLength(1);
});
