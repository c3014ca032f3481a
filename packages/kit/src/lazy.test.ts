import { expect, test, vi } from "vitest";

import { lazy } from "./lazy.ts";

test("nothing is computed before somebody asks, and then once", () => {
  const compute = vi.fn(() => ({}));
  const value = lazy(compute);
  expect(compute).not.toHaveBeenCalled();
  expect(value()).toBe(value());
  expect(compute).toHaveBeenCalledTimes(1);
});

test.each([undefined, null, 0, "", false, Number.NaN])("%s is a value like others: it is kept", (result) => {
  const compute = vi.fn(() => result);
  const value = lazy(compute);
  expect([value(), value()]).toEqual([result, result]);
  expect(compute).toHaveBeenCalledTimes(1);
});

test.each([new Error("of the work"), "text", undefined])(
  "a failure (%s) is kept, and thrown each time",
  (failure) => {
    const compute = vi.fn((): never => {
      throw failure;
    });
    const value = lazy(compute);
    const outcomes = [value, value].map((ask) => {
      try {
        return { value: ask() };
      } catch (thrown) {
        return { thrown };
      }
    });
    expect(outcomes).toEqual([{ thrown: failure }, { thrown: failure }]);
    expect(compute).toHaveBeenCalledTimes(1);
  },
);

test("a promise is kept as it is", async () => {
  const value = lazy(() => Promise.resolve({}));
  expect(await value()).toBe(await value());
});
