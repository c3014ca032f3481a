import { afterEach, expect, test } from "vitest";

import { type Pressure, watchPressure } from "./pressure.ts";

let pressure: Pressure | undefined;

afterEach(() => pressure?.stop());

/** Keeps the event loop of this thread from turning, at no cost of processor time. */
function block(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

test("a process with memory and time has no reason to refuse work", async () => {
  pressure = watchPressure({ onBlocked: () => undefined, availableMemory: () => 10 ** 9 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(pressure.reason()).toBeUndefined();
});

test("a lack of memory is a reason, for as long as it lasts", async () => {
  let free = 10 ** 6;
  const watching = watchPressure({ onBlocked: () => undefined, availableMemory: () => free });
  pressure = watching;
  await expect.poll(() => watching.reason()).toBe("memory");
  free = 10 ** 9;
  await expect.poll(() => watching.reason()).toBeUndefined();
});

test("a blocked event loop is told, and shown for a moment; again and again it is a reason", async () => {
  const blocked: number[] = [];
  const watching = watchPressure({
    onBlocked: (blockedMs) => blocked.push(blockedMs),
    availableMemory: () => 10 ** 9,
  });
  pressure = watching;
  block(1400);
  await expect.poll(() => blocked.length).toBe(1);
  expect(blocked[0]).toBeGreaterThan(1000);
  expect(watching.wasBlocked()).toBe(true);
  expect(watching.reason()).toBeUndefined();
  while (watching.reason() === undefined && blocked.length < 10) {
    block(1300);
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(watching.reason()).toBe("processor");
});
