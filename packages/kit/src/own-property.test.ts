import { expect, test } from "vitest";

import { ownProperty } from "./own-property.ts";

test("a table's own entries are found by name", () => {
  expect(ownProperty({ gzip: 1 }, "gzip")).toBe(1);
  expect(ownProperty({ gzip: 1 }, "br")).toBeUndefined();
});

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "R11 what every object inherits is no entry: %s",
  (name) => {
    expect(ownProperty({ gzip: 1 }, name)).toBeUndefined();
    expect(ownProperty(Object.fromEntries([[name, 1]]), name)).toBe(1);
  },
);
