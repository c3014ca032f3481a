import { expect, test } from "vitest";

import { HeldBodies } from "./held-bodies.ts";

const MB = 1024 * 1024;

test("what does not fit waits, for a while, and is told to come again", async () => {
  const bodies = new HeldBodies(20 * MB, 50);
  const release = await bodies.hold("a", 20 * MB);
  expect(bodies.heldBytes).toBe(20 * MB);
  await expect(bodies.hold("b", MB)).rejects.toMatchObject({ code: "OVERLOADED", retryAfterSeconds: 5 });
  const waiting = bodies.hold("b", 15 * MB);
  release();
  (await waiting)();
  expect(bodies.heldBytes).toBe(0);
});

test("one team has its half, and leaves the rest to others", async () => {
  const bodies = new HeldBodies(200 * MB, 50);
  await bodies.hold("a", 60 * MB);
  await expect(bodies.hold("a", 60 * MB)).rejects.toMatchObject({ code: "OVERLOADED" });
  await bodies.hold("a", 40 * MB);
  await bodies.hold("b", 100 * MB);
  await bodies.hold("c", 1000);
  expect(bodies.heldBytes).toBe(200 * MB);
});

test("the waiting ends with what waits", async () => {
  const bodies = new HeldBodies(MB);
  await bodies.hold("a", MB);
  await expect(bodies.hold("b", MB, AbortSignal.timeout(10))).rejects.toThrow("timeout");
});
