import { expect, test } from "vitest";

import { decodeMembers } from "./decode-members.ts";

const MEGABYTE = 1024 * 1024;

test.each<readonly [string, object]>([
  ["nothing", {}],
  ["short members", { a: 'é"\n', b: [1, { c: null }], 'd"': [], e: true }],
  ["a long text among others", { a: 1, text: `"漢\\\u0001`.repeat(MEGABYTE), b: "x", c: ["]", { d: '"}' }] }],
  ["two long texts", { a: "x".repeat(3 * MEGABYTE), b: "y".repeat(MEGABYTE + 1) }],
  ["an escape sequence where a piece ends", { a: `${"x".repeat(MEGABYTE - 1)}\u0001"\\${"y".repeat(9)}` }],
  ["half characters", { a: `${"x".repeat(MEGABYTE - 4)}${"\ud83d".repeat(9)}` }],
  ["a name of other objects", { ["__proto__"]: 1, a: "x".repeat(2 * MEGABYTE), constructor: "y" }],
  ["a long list", { a: Array.from({ length: 200_000 }, (_, index) => `"${index}],`), b: -1.5e-7 }],
])("%s is the same object", async (_case, value) => {
  const json = JSON.stringify(value);
  expect(JSON.stringify(await decodeMembers(json)) === json).toBe(true);
});

test("others get their turn between the pieces of a long text", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await decodeMembers(JSON.stringify({ a: "x\n".repeat(10 * MEGABYTE), b: 1 }));
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(29);
});
