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
    expect(extractFromData(FORECAST, { schema }, URL).value).toEqual({
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
    expect(extractFromData(data, { schema }, URL).value).toEqual([
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ]);
  });

  test("are all of them when nothing is asked for", () => {
    expect(extractFromData(FORECAST, { prompt: "What is this about?" }, URL).value).toEqual(FORECAST);
  });

  test("are nested objects, lists of lists and lists of single values, under the names of a schema", () => {
    const wind = { type: "object", properties: { speed: { type: "number" } } };
    const properties = {
      current: { type: "object", properties: { temperature: { type: "number" }, wind } },
      grid: { type: "array", items: { type: "array", items: { type: "integer" } } },
      tags: { type: "array", items: TEXT },
      meta: { type: "object" },
    };
    const data = { ...FORECAST, grid: [[1, 2], [3]], tags: ["cold", "dry"], meta: { source: { id: 7 } } };
    expect(extractFromData(data, { schema: { type: "object", properties } }, URL)).toEqual({
      value: {
        current: { temperature: -3, wind: { speed: 12 } },
        grid: [[1, 2], [3]],
        tags: ["cold", "dry"],
        meta: { source: { id: 7 } },
      },
      leftOut: [],
    });
  });

  test("of another type than the schema's are left out, and told", () => {
    const day = { type: "object", properties: { date: TEXT, high: { type: "number" } } };
    const schema = {
      type: "object",
      properties: { city: { type: "number" }, current: TEXT, days: { type: "array", items: day } },
    };
    const days = [...FORECAST.days, { date: "2026-11-27", high: "mild" }];
    expect(extractFromData({ ...FORECAST, days }, { schema }, URL)).toEqual({
      value: {
        days: [{ date: "2026-11-25", high: 1 }, { date: "2026-11-26", high: 0 }, { date: "2026-11-27" }],
      },
      leftOut: ["city", "current", "days[].high"],
    });
  });

  test("are those that a prompt names, objects and lists whole", () => {
    expect(extractFromData(FORECAST, { prompt: "The wind and the days, please" }, URL).value).toEqual({
      wind: { speed: 12 },
      days: FORECAST.days,
    });
  });

  test.each(["{", "3", "null", undefined, "[".repeat(60_000)])("%.20s has none", (text) => {
    expect(dataOf(text)).toBeUndefined();
  });
});
