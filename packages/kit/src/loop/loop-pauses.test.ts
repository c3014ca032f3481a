import { afterEach, expect, test } from "vitest";

import { type LoopPause, recordWork, type PauseWatch, watchPauses } from "./loop-pauses.ts";

let watching: PauseWatch | undefined;
afterEach(() => watching?.stop());

/** Keeps the event loop of this thread from turning, at no cost of processor time. */
function block(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

function watch(): LoopPause[] {
  const pauses: LoopPause[] = [];
  watching = watchPauses((pause) => pauses.push(pause));
  return pauses;
}

/** The longest pause of a cause; undefined when there was none. */
const longest = (pauses: readonly LoopPause[], wanted: LoopPause["cause"]) =>
  pauses
    .filter(({ cause }) => cause === wanted)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => b - a)[0];

test("a pause is told with the entrance whose message was worked on", async () => {
  const pauses = watch();
  recordWork("cdp");
  block(150);
  await expect.poll(() => longest(pauses, "cdp")).toBeGreaterThanOrEqual(149);
});

test("two messages in one turn are told apart", async () => {
  const pauses = watch();
  recordWork("rest");
  block(150);
  recordWork("model");
  block(300);
  await expect.poll(() => longest(pauses, "model")).toBeGreaterThanOrEqual(299);
  expect(longest(pauses, "rest")).toBeGreaterThanOrEqual(149);
});

test("the end of a turn ends the note: what follows is something else", async () => {
  const pauses = watch();
  recordWork("live");
  // Samples are taken from the second turn on, and timers of a busy machine are due in one turn.
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  block(900);
  await expect.poll(() => longest(pauses, "other")).toBeGreaterThanOrEqual(800);
  expect(longest(pauses, "live") ?? 0).toBeLessThan(800);
});

test("nothing is told after the end of the watch", async () => {
  const pauses = watch();
  await watching?.stop();
  recordWork("cdp");
  block(50);
  await new Promise((resolve) => setImmediate(resolve));
  expect(longest(pauses, "cdp")).toBeUndefined();
});
