import { expect, test } from "vitest";

import { own } from "./own.ts";

test("a table's own entries are found by name", () => {
  expect(own({ gzip: 1 }, "gzip")).toBe(1);
  expect(own({ gzip: 1 }, "br")).toBeUndefined();
});

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "R11 what every object inherits is no entry: %s",
  (name) => {
    expect(own({ gzip: 1 }, name)).toBeUndefined();
    expect(own(Object.fromEntries([[name, 1]]), name)).toBe(1);
  },
);
