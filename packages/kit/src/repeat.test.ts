import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { repeat } from "./repeat.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Work whose rounds end when the test says so. */
function stepwise() {
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { work, endRound: () => ends.shift()?.() };
}

test("the work is done after each interval, not at once", async () => {
  const work = vi.fn(async () => undefined);
  const repetition = repeat(100, work, () => undefined);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(350);
  expect(work).toHaveBeenCalledTimes(3);
  await repetition.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(3);
});

test("a round that takes long is not joined by another", async () => {
  const { work, endRound } = stepwise();
  const repetition = repeat(100, work, () => undefined);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
  endRound();
  await vi.advanceTimersByTimeAsync(100);
  expect(work).toHaveBeenCalledTimes(2);
  endRound();
  await repetition.stop();
});

test("a round that fails is told, and the next one comes all the same", async () => {
  const failures: unknown[] = [];
  const work = vi.fn(() => Promise.reject(new Error("of this round")));
  const repetition = repeat(100, work, (failure) => failures.push(failure));
  await vi.advanceTimersByTimeAsync(200);
  expect(failures).toEqual([new Error("of this round"), new Error("of this round")]);
  await repetition.stop();
});

test("stopping waits for the round under way", async () => {
  const { work, endRound } = stepwise();
  const repetition = repeat(100, work, () => undefined);
  await vi.advanceTimersByTimeAsync(100);
  let isStopped = false;
  const stopped = repetition.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect([isStopped, work.mock.calls.length]).toEqual([false, 1]);
  endRound();
  await stopped;
  expect(isStopped).toBe(true);
});

test("stopping before the first round, or twice, is no error", async () => {
  const repetition = repeat(
    100,
    async () => undefined,
    () => undefined,
  );
  await repetition.stop();
  await repetition.stop();
  expect(vi.getTimerCount()).toBe(0);
});
