import { expect, test } from "vitest";

import { plainly } from "./foreign.ts";
import { indented, pythonValue } from "./literals.ts";

test.each([
  ["a direction that is turned round", "invoice\u{202e}fdp.exe", "invoice[U+202E]fdp.exe"],
  ["letters of no width", "a\u{200b}b\u{feff}", "a[U+200B]b[U+FEFF]"],
  ["a soft hyphen", "a\u{ad}b", "a[U+00AD]b"],
  ["a control character", "a\u{0}b\u{7f}", "a[U+0000]b[U+007F]"],
  ["nothing of other scripts, tabs and lines", "日本\tקר\n", "日本\tקר\n"],
])("a name shows %s", (_what, text, shown) => {
  expect(plainly(text)).toBe(shown);
});

test("a long name is cut before it is looked through", () => {
  expect(plainly("a".repeat(5000))).toBe(`${"a".repeat(2000)}…`);
});

test.each([
  [null, "None"],
  [undefined, "None"],
  [true, "True"],
  [1.5, "1.5"],
  ['a "b"\n', '"a \\"b\\"\\n"'],
  [[], "[]"],
  [{}, "{}"],
  [
    { a: [false, { b: 1 }] },
    '{\n    "a": [\n        False,\n        {\n            "b": 1,\n        },\n    ],\n}',
  ],
])("%j is a value of Python", (value, text) => {
  expect(pythonValue(value, 0)).toBe(text);
});

test("lines after the first one are moved in", () => {
  expect(indented("a\nb\nc", "  ")).toBe("a\n  b\n  c");
});
