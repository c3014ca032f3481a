import { describe, expect, test } from "vitest";

import { TurnQueue } from "./pool.ts";

const { signal } = new AbortController();
const queueOf = (places: number, most = 10) =>
  new TurnQueue(places, { most, overflow: () => new Error("Too many wait.") });

describe("a queue for places", () => {
  test("lets as many in as there are places, and the others in their order", async () => {
    const queue = queueOf(2);
    const order: string[] = [];
    const enter = (name: string) => queue.enter(signal).then((leave) => (order.push(name), leave));
    const [first, second] = await Promise.all([enter("a"), enter("b")]);
    const third = enter("c");
    const fourth = enter("d");
    await Promise.resolve();
    expect(order).toEqual(["a", "b"]);
    first?.();
    first?.();
    (await third)();
    await fourth;
    second?.();
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  test("lets work in the background wait for all other", async () => {
    const queue = queueOf(1);
    const order: string[] = [];
    const leave = await queue.enter(signal);
    const later = queue.enter(signal, true).then((leaveAgain) => (order.push("background"), leaveAgain));
    const sooner = queue.enter(signal).then((leaveAgain) => (order.push("live"), leaveAgain));
    leave();
    (await sooner)();
    (await later)();
    expect(order).toEqual(["live", "background"]);
  });

  test("gives up who is not wanted any more, and holds no place for it", async () => {
    const queue = queueOf(1);
    const leave = await queue.enter(signal);
    const gone = new AbortController();
    const waiting = queue.enter(gone.signal);
    gone.abort(new Error("Gone."));
    await expect(waiting).rejects.toThrow("Gone.");
    await expect(queue.enter(gone.signal)).rejects.toThrow("Gone.");
    leave();
    await expect(queue.enter(signal)).resolves.toBeTypeOf("function");
  });

  test("refuses when too many wait", async () => {
    const queue = queueOf(1, 1);
    await queue.enter(signal);
    void queue.enter(signal);
    await expect(queue.enter(signal)).rejects.toThrow("Too many wait.");
  });
});
