import { expect, test } from "vitest";

import { readLiteral } from "./literal.ts";

test.each([
  ['{"a": [1, 2.5, -3e2, true, null]}', { a: [1, 2.5, -300, true, null] }],
  ["{a: 'x', $b: \"y\", 3: `z`}", { a: "x", $b: "y", 3: "z" }],
  ["{a: 1, /* why */ b: 2, // no\n}", { a: 1, b: 2 }],
  ["{a: !0, b: !1, c: undefined}", { a: true, b: false, c: undefined }],
  ["{a: call(1, {x: 2}), b: 2}", { a: undefined, b: 2 }],
  ["{a: 'it\\'s', b: \"\\u00e4\\n\"}", { a: "it's", b: "ä\n" }],
  ["[[], {}]", [[], {}]],
])("%s is read", (source, value) => {
  expect(readLiteral(source, 0).value).toEqual(value);
});

test("reading begins anywhere and tells where it ended", () => {
  const source = "window.x = {a: 1}; more()";
  expect(readLiteral(source, 11)).toEqual({ value: { a: 1 }, end: 17 });
});

test.each(["{", "[1, 2", "{a: 'x", "{a: /* never"])("%s is no literal", (source) => {
  expect(readLiteral(source, 0)).toEqual({ value: undefined, end: source.length });
});

test("what is nested deeper than 128 levels is no literal", () => {
  const nested = (depth: number) => readLiteral("[".repeat(depth) + "]".repeat(depth), 0).value;
  expect(nested(128)).toBeInstanceOf(Array);
  expect(nested(129)).toBe(undefined);
});
