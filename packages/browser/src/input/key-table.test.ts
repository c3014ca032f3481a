import { expect, test } from "vitest";

import { keyNamed } from "./key-table.ts";

test.each([
  ["return", "Enter"],
  ["KeyA", "a"],
  ["f5", "F5"],
])("%s names the key %s", (name, key) => {
  expect(keyNamed(name)?.key).toBe(key);
});

test.each(["constructor", "__proto__", "toString", "valueOf"])("R11 no key is named %s", (name) => {
  expect(keyNamed(name)).toBeUndefined();
});
