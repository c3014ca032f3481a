import { describe, expect, test } from "vitest";

import { isoDate } from "./feed.ts";

describe("the date of a feed", () => {
  test.each([
    ["RFC 822", "Tue, 24 Nov 2026 05:00:00 GMT", "2026-11-24T05:00:00Z"],
    ["without the day of the week", "24 Nov 2026 05:00:00 +0100", "2026-11-24T04:00:00Z"],
    ["with two digits for the year", "24 Nov 26 05:00:00 GMT", "2026-11-24T05:00:00Z"],
    ["with a zone by its name", "Tue, 24 Nov 2026 05:00:00 EST", "2026-11-24T10:00:00Z"],
    ["without a zone, as UTC", "Tue, 24 Nov 2026 05:00:00", "2026-11-24T05:00:00Z"],
    ["a day alone, as a day", "Tue, 24 Nov 2026", "2026-11-24"],
    ["ISO 8601", "2026-11-24T05:00:00+02:00", "2026-11-24T03:00:00Z"],
    ["with fractions", "2026-11-24T05:00:00.250Z", "2026-11-24T05:00:00.250Z"],
    ["with white around it", "\n  2026-11-24T05:00:00Z ", "2026-11-24T05:00:00Z"],
  ])("is written in ISO 8601: %s", (_what, written, iso) => {
    expect(isoDate(written)).toBe(iso);
  });

  test.each([
    ["a year", "2026"],
    ["a month", "2026-11"],
    ["a day", "2026-11-24"],
    ["a time without a zone, which only its site knows", "2026-11-24T05:00:00"],
    ["words", "last Tuesday"],
    ["a season", "Spring 2024"],
    ["a number of an issue", "Issue 12"],
    ["a bare number", "12"],
    ["a day that no month has", "2026-02-31T05:00:00Z"],
    ["a month of another language", "24 mai 2026 05:00"],
    ["a zone that is not known", "Tue, 24 Nov 2026 05:00:00 XYZT"],
  ])("stays as it is where it says less or cannot be read: %s", (_what, written) => {
    expect(isoDate(written)).toBe(written);
  });

  test.each([undefined, "", "  "])("is missing where nothing is written: %j", (written) => {
    expect(isoDate(written) ?? "").toBe("");
  });
});
