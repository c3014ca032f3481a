import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { startDeadline } from "./deadline.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const late = () => new Error("too late");

test("the signal aborts when the time is over, not before, with the error that is made then", () => {
  const expired = vi.fn(late);
  const { signal } = startDeadline(1000, expired);
  vi.advanceTimersByTime(999);
  expect([signal.aborted, expired.mock.calls.length]).toEqual([false, 0]);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toEqual(late());
});

test("who cancels gives the reason; the end of the time changes nothing any more", () => {
  const { signal, cancel } = startDeadline(1000, late);
  cancel(new Error("the client went away"));
  cancel(new Error("once more"));
  vi.advanceTimersByTime(5000);
  expect(signal.reason).toEqual(new Error("the client went away"));
});

test("a clock that was stopped aborts nothing, but can still be cancelled", () => {
  const { signal, cancel, clear } = startDeadline(1000, late);
  clear();
  clear();
  vi.advanceTimersByTime(5000);
  expect(signal.aborted).toBe(false);
  cancel(new Error("stopped"));
  expect(signal.reason).toEqual(new Error("stopped"));
});

test("no timer is left behind", () => {
  const { clear } = startDeadline(1000, late);
  expect(vi.getTimerCount()).toBe(1);
  clear();
  expect(vi.getTimerCount()).toBe(0);
});
