import { describe, expect, test } from "vitest";

import { dataOf, extractFromData } from "./extract-from-data.ts";

const URL = "https://site.test/api";
const TEXT = { type: "string" };

const FORECAST = {
  city: "Oslo",
  updated_at: "2026-11-24T05:00:00Z",
  current: { temperature: -3, wind: { speed: 12 } },
  days: [
    { date: "2026-11-25", high: 1, low: -4, link: "/d/25" },
    { date: "2026-11-26", high: 0, low: -6, link: "/d/26" },
  ],
};

describe("values of a file of JSON", () => {
  test("are found by their names, in objects and lists, with absolute addresses", () => {
    const day = {
      type: "object",
      properties: { date: TEXT, high: { type: "number" }, url: { ...TEXT, format: "uri" } },
    };
    const schema = { type: "object", properties: { city: TEXT, days: { type: "array", items: day } } };
    expect(extractFromData(FORECAST, { schema }, URL)).toEqual({
      city: "Oslo",
      days: [
        { date: "2026-11-25", high: 1, url: "https://site.test/d/25" },
        { date: "2026-11-26", high: 0, url: "https://site.test/d/26" },
      ],
    });
  });

  test("of a list are its entries", () => {
    const schema = {
      type: "array",
      items: { type: "object", properties: { id: { type: "integer" }, name: TEXT } },
    };
    const data = [
      { id: 1, name: "a", more: true },
      { id: 2, name: "b", more: false },
    ];
    expect(extractFromData(data, { schema }, URL)).toEqual([
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ]);
  });

  test("are all of them when nothing is asked for", () => {
    expect(extractFromData(FORECAST, { prompt: "What is this about?" }, URL)).toEqual(FORECAST);
  });

  test.each(["{", "3", "null", undefined, "[".repeat(60_000)])("%.20s has none", (text) => {
    expect(dataOf(text)).toBeUndefined();
  });
});
