import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { SingleFlight, untilAborted } from "./single-flight.ts";

test("work that fails after everybody has gone disturbs nobody", async () => {
  const unheard: unknown[] = [];
  const note = (failure: unknown) => unheard.push(failure);
  process.on("unhandledRejection", note);
  try {
    const work = nextTurn().then(() => {
      throw new Error("of the work");
    });
    await expect(untilAborted(work, AbortSignal.abort(new Error("of the caller")))).rejects.toThrow(
      "of the caller",
    );
    await nextTurn();
    await nextTurn();
    expect(unheard).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

describe("the same work at the same time", () => {
  /** Work that ends when the test says so, and notes how often it was started. */
  function openWork() {
    const flights = new SingleFlight<string>();
    const starts: AbortSignal[] = [];
    const ends: { readonly resolve: (result: string) => void; readonly reject: (reason: Error) => void }[] =
      [];
    const join = (key: string, signal = new AbortController().signal) =>
      flights.join(key, signal, (work) => {
        starts.push(work);
        return new Promise((resolve, reject) => ends.push({ resolve, reject }));
      });
    return { join, starts, ends };
  }

  test("is done once, and its result given to all", async () => {
    const { join, starts, ends } = openWork();
    const results = [join("a"), join("a"), join("a")];
    expect(starts).toHaveLength(1);
    ends[0]?.resolve("done");
    expect(await Promise.all(results)).toEqual(["done", "done", "done"]);
    expect(starts[0]?.aborted).toBe(false);
  });

  test("of another key is other work", async () => {
    const { join, starts, ends } = openWork();
    const results = [join("a"), join("b")];
    expect(starts).toHaveLength(2);
    ends[0]?.resolve("of a");
    ends[1]?.resolve("of b");
    expect(await Promise.all(results)).toEqual(["of a", "of b"]);
  });

  test("is done anew once it has ended, well or badly", async () => {
    const { join, starts, ends } = openWork();
    const first = join("a");
    ends[0]?.reject(new Error("of the work"));
    await expect(first).rejects.toThrow("of the work");
    const second = join("a");
    ends[1]?.resolve("done");
    expect([await second, starts.length]).toEqual(["done", 2]);
  });

  test("fails for all who wait", async () => {
    const { join, ends } = openWork();
    const results = [join("a"), join("a")];
    ends[0]?.reject(new Error("of the work"));
    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("goes on while one is left who waits, and is aborted with the reason of the last", async () => {
    const { join, starts } = openWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const results = [join("a", one.signal), join("a", other.signal)];
    one.abort(new Error("of the first"));
    await expect(results[0]).rejects.toThrow("of the first");
    expect(starts[0]?.aborted).toBe(false);
    other.abort(new Error("of the last"));
    await expect(results[1]).rejects.toThrow("of the last");
    expect(starts[0]?.reason).toEqual(new Error("of the last"));
  });

  test("that was given up is not joined: who comes then starts it anew", async () => {
    const { join, starts, ends } = openWork();
    const gone = new AbortController();
    const first = join("a", gone.signal);
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    const second = join("a");
    ends[0]?.resolve("of the first");
    ends[1]?.resolve("of the second");
    expect([await second, starts.length]).toEqual(["of the second", 2]);
  });

  test("is not even started for somebody who has gone already", async () => {
    const { join, starts } = openWork();
    await expect(join("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(starts).toEqual([]);
  });
});

describe("waiting until a signal aborts", () => {
  test("gives what the work gives, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(untilAborted(Promise.reject(new Error("of the work")), signal)).rejects.toThrow(
      "of the work",
    );
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends with the signal's reason, whatever that is", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), controller.signal);
    controller.abort("a reason");
    await expect(waiting).rejects.toBe("a reason");
  });
});
