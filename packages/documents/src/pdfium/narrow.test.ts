import { expect, test } from "vitest";

import { narrowed } from "./glyphs.ts";

test("letters and digits as wide as Chinese characters become those of ASCII, and nothing else does", () => {
  const text = Array.from("ＰＤＦ２０ａｚ，。漢ｱ x", (one) => narrowed(one.codePointAt(0) ?? 0));
  expect(String.fromCodePoint(...text)).toBe("PDF20az，。漢ｱ x");
});
