import { describe, expect, test } from "vitest";

import { bytes, count, money, percent, plural, shortCount } from "./numbers.ts";

describe("sizes", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [1450, "1.4 kB"],
    [9949, "9.9 kB"],
    [9960, "10 kB"],
    [412_000_000, "412 MB"],
    [999_499, "999 kB"],
    [999_600, "1.0 MB"],
    [999_999_999, "1.0 GB"],
    [2.5e15, "2500 TB"],
  ])("%d bytes are %s", (size, text) => {
    expect(bytes(size)).toBe(text);
  });
});

describe("counts", () => {
  test("of money keep the digits that count", () => {
    expect([money(26, "EUR"), money(0.002, "USD"), money(0, "EUR"), money(1234.5, "JPY")]).toEqual([
      "€26.00",
      "US$0.002",
      "€0.00",
      "JP¥1,235",
    ]);
  });

  test("are grouped, or short, or with their noun", () => {
    expect([count(18_402), shortCount(12_345), shortCount(999)]).toEqual(["18,402", "12.3k", "999"]);
    expect([plural(1, "credit"), plural(5, "credit"), plural(0, "entry", "entries")]).toEqual([
      "1 credit",
      "5 credits",
      "0 entries",
    ]);
  });

  test("of nothing have no share", () => {
    expect([percent(987, 1000), percent(0, 4), percent(0, 0)]).toEqual(["98.7 %", "0 %", "–"]);
  });
});
