import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Capability } from "./capability.ts";
import { Listing, type Listed } from "./listing.ts";

const listed = (...ids: readonly string[]): Listed => ({
  capabilities: ids.map((id) => ({ id }) as unknown as Capability),
  leftOut: [],
});
const MINUTE_MS = 60_000;

let answers: (() => Promise<Listed>)[];
let asked: number;
let listing: Listing;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  [answers, asked] = [[], 0];
  listing = new Listing({
    list: () => {
      asked += 1;
      return (answers.shift() ?? (() => Promise.resolve(listed("a"))))();
    },
    close: () => Promise.resolve(),
  });
});

afterEach(() => vi.useRealTimers());

describe("what a provider offers", () => {
  test("is asked for once by all who want to know, and again once it is old", async () => {
    expect([listing.isKnown, listing.state.status]).toEqual([false, "unknown"]);
    await Promise.all([listing.learn(), listing.learn()]);
    expect([asked, listing.isKnown, listing.capabilities.length]).toEqual([1, true, 1]);
    vi.advanceTimersByTime(10 * MINUTE_MS - 1);
    await listing.learn();
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1);
    await listing.learn();
    expect(asked).toBe(2);
  });

  test("stays while its source is gone, which is told", async () => {
    await listing.learn();
    answers = [() => Promise.reject(new Error("gone"))];
    listing.expire();
    await listing.learn();
    expect(listing.state).toEqual({ status: "unreachable", reason: "gone", leftOut: [] });
    expect(listing.capabilities).toHaveLength(1);
  });

  test("is asked for more and more rarely while it fails, at most every five minutes", async () => {
    answers = Array.from({ length: 40 }, () => () => Promise.reject(new Error("gone")));
    await listing.learn();
    for (const waitMs of [1000, 2000, 4000]) {
      const before = asked;
      vi.advanceTimersByTime(waitMs - 1);
      await listing.learn();
      expect(asked).toBe(before);
      vi.advanceTimersByTime(1);
      await listing.learn();
      expect(asked).toBe(before + 1);
    }
    for (let at = 0; at < 20; at++) {
      vi.advanceTimersByTime(5 * MINUTE_MS);
      await listing.learn();
    }
    expect(asked).toBe(24);
  });

  test("that changes while it is asked for is asked for again", async () => {
    let finish: (value: Listed) => void = () => {};
    answers = [() => new Promise((resolve) => (finish = resolve))];
    const learning = listing.learn();
    listing.expire();
    finish(listed("old"));
    await learning;
    answers = [() => Promise.resolve(listed("new"))];
    await listing.learn();
    expect(listing.capabilities.map(({ id }) => id)).toEqual(["new"]);
  });

  test("tells listeners of every new list, and not of failures", async () => {
    const onChange = vi.fn();
    listing.watch(onChange);
    answers = [() => Promise.reject(new Error("gone"))];
    await listing.learn();
    expect(onChange).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    await listing.learn();
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test("is asked for no more once it is closed", async () => {
    await listing.close();
    await listing.learn();
    expect([asked, listing.state.status]).toEqual([0, "unknown"]);
  });
});
