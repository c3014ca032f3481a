import { describe, expect, test } from "vitest";

import { dayOf, duration, moment, span } from "./times.ts";

describe("durations", () => {
  test.each([
    [0, "< 1 ms"],
    [0.99, "< 1 ms"],
    [38.4, "38 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [2360, "2.36 s"],
    [9996, "10.0 s"],
    [12_340, "12.3 s"],
    [99_960, "1 min 40 s"],
    [64_000, "64.0 s"],
    [119_600, "2 min 0 s"],
    [3_599_400, "59 min 59 s"],
    [3_600_000, "1 h 0 min"],
    [12_000_000, "3 h 20 min"],
  ])("%d ms are %s", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test.each([
    [59_999, "less than a minute"],
    [60_000, "1 min"],
    [59 * 60_000, "59 min"],
    [60 * 60_000, "1 h"],
    [47 * 3_600_000, "47 h"],
    [48 * 3_600_000, "2 days"],
  ])("a span of %d ms is %s", (milliseconds, text) => {
    expect(span(milliseconds)).toBe(text);
  });
});

describe("moments", () => {
  const now = Date.parse("2026-11-24T12:00:00Z");

  test("have the day before them once they are further away than one", () => {
    expect(moment("2026-11-24T11:59:00Z", now)).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(moment("2026-11-23T11:00:00Z", now)).toMatch(/^2[34] Nov \d\d:\d\d:\d\d$/);
    expect(moment("2026-11-29T12:00:00Z", now)).toMatch(/^(29|30) Nov \d\d:\d\d:\d\d$/);
  });

  test("belong to a day in UTC", () => {
    expect([dayOf("2026-10-24T00:00:00Z"), dayOf("2026-10-24T23:59:59Z")]).toEqual(["24 Oct", "24 Oct"]);
  });
});
