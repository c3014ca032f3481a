import { expect, test } from "vitest";

import { CommandQueue } from "./command-queue.ts";

/** A queue whose clock stands still until it is moved on. */
function openQueue() {
  const ran: string[] = [];
  let nowMs = 1000;
  let overflows = 0;
  const queue = new CommandQueue({
    run: (text) => void ran.push(text),
    onOverflow: () => void (overflows += 1),
    nowMs: () => nowMs,
  });
  queue.start();
  return {
    queue,
    ran,
    overflows: () => overflows,
    moveOn(durationMs: number) {
      nowMs += durationMs;
    },
  };
}

test("commands beyond the rate wait for their turn, in order", async () => {
  const { queue, ran, moveOn } = openQueue();
  const sent = Array.from({ length: 450 }, (_, index) => String(index));
  for (const text of sent) queue.push(text);
  expect(ran).toEqual(sent.slice(0, 400));
  moveOn(100);
  await expect.poll(() => ran.length).toBe(420);
  moveOn(150);
  await expect.poll(() => ran).toEqual(sent);
});

test("characters beyond the rate wait for their turn", async () => {
  const { queue, ran, moveOn } = openQueue();
  const megabyte = "x".repeat(1024 * 1024);
  for (let sent = 0; sent < 12; sent += 1) queue.push(megabyte);
  // The ninth is the one that is longer than what is left.
  expect(ran).toHaveLength(9);
  moveOn(250);
  await expect.poll(() => ran.length).toBe(10);
  moveOn(750);
  await expect.poll(() => ran.length).toBe(12);
});

test("a client that sends more than may wait overflows once, and nothing runs any more", async () => {
  const { queue, ran, moveOn, overflows } = openQueue();
  for (let sent = 0; sent < 4500; sent += 1) queue.push("x");
  expect(overflows()).toBe(1);
  moveOn(10_000);
  queue.push("x");
  await new Promise((resolve) => setTimeout(resolve));
  expect(ran).toHaveLength(400);
});
