import { setImmediate as turn } from "node:timers/promises";

import { afterEach, expect, test, vi } from "vitest";

import { collectWhenIdle } from "./collect-when-idle.ts";

const YOUNG_OBJECTS = 200_000;
const MAX_TURNS = 5000;

afterEach(() => vi.restoreAllMocks());

const RESTS = [
  ["a thread that waits for work", 0, 1_000_000],
  ["a thread that seems to work because it waits for a processor", 0.5, 0],
] as const;

test.each(RESTS)("%s lets go of old objects, and a busy one does not", async (_rest, share, microseconds) => {
  let look: () => void = () => undefined;
  const later = vi.spyOn(globalThis, "setTimeout").mockImplementation((callback) => {
    look = callback;
    return setInterval(() => undefined);
  });
  const utilization = vi.spyOn(performance, "eventLoopUtilization");
  utilization.mockReturnValue({ idle: 0, active: 0, utilization: 0.5 });
  const used = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_000_000, system: 0 });
  const afterwards = vi.fn(() => Promise.resolve());
  const kept = new Set<object | undefined>();
  collectWhenIdle({ before: async () => kept.clear(), afterwards });
  later.mockRestore();
  const left = oldObject();
  kept.add(left.deref());
  look();
  await turn();
  expect(left.deref()).toBeDefined();
  utilization.mockReturnValue({ idle: 0, active: 0, utilization: share });
  used.mockReturnValue({ user: microseconds, system: 0 });
  await turn();
  look();
  for (let turns = 0; turns < MAX_TURNS && left.deref(); turns += 1) await turn();
  expect(left.deref()).toBeUndefined();
  expect(afterwards).not.toHaveBeenCalled();
  for (let looks = 0; looks < 3; looks += 1) look();
  expect(afterwards).toHaveBeenCalledOnce();
});

/** Lasts through several collections of new objects. */
function oldObject(): WeakRef<object> {
  const object = { name: "left" };
  for (let round = 0; round < 10; round += 1)
    Array.from({ length: YOUNG_OBJECTS }, (_, index) => ({ index, object }));
  return new WeakRef(object);
}
