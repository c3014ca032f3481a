import { expect, test } from "vitest";

import { sha256Hex, stableHash } from "./hash.ts";

test("member order and absent members make no difference, at any depth", () => {
  const one = stableHash({ b: [{ y: 1, x: 2 }], a: "x", c: undefined });
  expect(one).toBe(stableHash({ a: "x", b: [{ x: 2, y: 1 }] }));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  [{ a: 1 }, { a: "1" }],
  [
    ["a", "b"],
    ["b", "a"],
  ],
  [{ a: null }, {}],
  [["ab"], ["a", "b"]],
])("tells %j from %j", (one, other) => {
  expect(stableHash(one)).not.toBe(stableHash(other));
});

test("sha256Hex gives the known digest of a text", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
