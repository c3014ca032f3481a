import { expect, test } from "vitest";

import { byteRange } from "./byte-range.ts";

test.each([
  ["bytes=0-3", { start: 0, end: 3 }],
  ["bytes=3-", { start: 3, end: 9 }],
  ["bytes=-4", { start: 6, end: 9 }],
  ["bytes=-40", { start: 0, end: 9 }],
  ["bytes=9-9", { start: 9, end: 9 }],
  ["bytes=2-400", { start: 2, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=10-20", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
])("%s of ten bytes is %j", (header, range) => {
  expect(byteRange(header, 10)).toEqual(range);
});

test.each([undefined, "", "bytes=", "bytes=-", "bytes=4-3", "bytes=0-1,3-4", "items=0-1", "bytes=a-b"])(
  "%j asks for the whole",
  (header) => {
    expect(byteRange(header, 10)).toBeUndefined();
  },
);
