import { expect, test } from "vitest";

import { periodOf } from "./periods.ts";

const at = (text: string) => Date.parse(text);

test.each([
  ["day", "2026-11-15T00:00:00Z", "2026-11-15", "2026-11-16"],
  ["day", "2026-11-15T23:59:59.999Z", "2026-11-15", "2026-11-16"],
  ["day", "2026-12-31T12:00:00Z", "2026-12-31", "2027-01-01"],
  ["day", "2028-02-28T12:00:00Z", "2028-02-28", "2028-02-29"],
  ["month", "2026-11-01T00:00:00Z", "2026-11-01", "2026-12-01"],
  ["month", "2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
  // Half past one at night in Berlin: still the day before in UTC.
  ["day", "2026-07-02T01:30:00+02:00", "2026-07-01", "2026-07-02"],
] as const)("the %s of %s is from %s to %s, UTC", (period, time, start, end) => {
  expect(periodOf(period, at(time))).toEqual({ startMs: at(start), endMs: at(end) });
});
