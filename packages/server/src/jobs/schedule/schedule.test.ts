import { describe, expect, test } from "vitest";

import { checkSchedule, nextRun } from "./schedule.ts";
import { cronOfText } from "./text-schedule.ts";

const NOW = Date.UTC(2026, 0, 1);

function runs(cron: string, timezone: string, from: string, count: number): readonly string[] {
  const found: string[] = [];
  let atMs = Date.parse(from);
  while (found.length < count) {
    atMs = nextRun({ cron, timezone }, atMs) ?? Number.NaN;
    found.push(new Date(atMs).toISOString().slice(0, 16));
  }
  return found;
}

test("a day has to fit both fields of days", () => {
  // Friday the 13th.
  expect(runs("0 9 13 * 5", "UTC", "2026-01-01T00:00Z", 3)).toEqual([
    "2026-02-13T09:00",
    "2026-03-13T09:00",
    "2026-11-13T09:00",
  ]);
  expect(runs("0 9 1-7 * 7", "UTC", "2026-01-05T00:00Z", 2)).toEqual([
    "2026-02-01T09:00",
    "2026-03-01T09:00",
  ]);
});

describe("clocks that are changed", () => {
  test("a time that is skipped runs at the next minute that is there, once", () => {
    // 02:00 becomes 03:00 on 29 March in Berlin.
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", 3)).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
    expect(runs("*/30 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00Z", 3)).toEqual([
      "2026-03-29T01:00",
      "2026-03-29T01:30",
      "2026-03-30T00:00",
    ]);
    // Half an hour, at 02:00 on 4 October on Lord Howe Island.
    expect(runs("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00Z", 2)).toEqual([
      "2026-10-03T15:30",
      "2026-10-04T15:15",
    ]);
  });

  test("a time that is there twice runs once", () => {
    // 03:00 becomes 02:00 on 25 October in Berlin.
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2)).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(runs("0 * * * *", "Europe/Berlin", "2026-10-24T23:30Z", 3)).toEqual([
      "2026-10-25T00:00",
      "2026-10-25T02:00",
      "2026-10-25T03:00",
    ]);
    // Asked in the hour that is there for the second time.
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-25T01:15Z", 1)).toEqual(["2026-10-26T01:30"]);
  });
});

test.each([
  ["* * *", "Cron expression must contain five fields"],
  ["61 * * * *", "Invalid cron field"],
  ["x * * * *", "Invalid cron field"],
  ["0 0 * * MON", "Invalid cron field"],
  ["5-1 * * * *", "Invalid cron field"],
  ["0 0 * * 8", "Invalid cron field"],
  ["*/0 * * * *", "Invalid cron step"],
  ["*/x * * * *", "Invalid cron step"],
  ["* * * * *", "Monitor schedule must not run more often than every 5 minutes"],
  ["0,58 * * * *", "Monitor schedule must not run more often than every 5 minutes"],
  ["0,2 9 1 * *", "Monitor schedule must not run more often than every 5 minutes"],
  ["0 0 30 2 *", "Cron expression did not produce a run within one year"],
  ["0 0 29 2 *", "Cron expression did not produce a run within one year"],
])("%s is refused", (cron, message) => {
  expect(() => checkSchedule({ cron, timezone: "UTC" }, NOW)).toThrow(message);
});

test("dates that no year has are refused without a search for them", () => {
  const before = process.cpuUsage();
  for (let minute = 0; minute < 50; minute += 1) {
    const schedule = { cron: `${minute} 0 31 2,4,6,9,11 *`, timezone: "UTC" };
    expect(() => checkSchedule(schedule, NOW)).toThrow("within one year");
  }
  // A search takes some 100 ms.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
});

test("an unknown time zone is refused", () => {
  expect(() => checkSchedule({ cron: "0 9 * * *", timezone: "Mars/Olympus" }, NOW)).toThrow(
    "Invalid monitor schedule timezone: Mars/Olympus",
  );
});

test.each(["*/5 * * * *", "0 0 31 12 *", "59 23 * * 0", "0 0 * * 7", "2-50/7 * * * *"])(
  "%s is taken",
  (cron) => {
    expect(() => checkSchedule({ cron, timezone: "America/New_York" }, NOW)).not.toThrow();
  },
);

test.each([
  ["every 15 minutes starting at :00", "*/15 * * * *"],
  ["Every 30 minutes, starting at :10.", "10,40 * * * *"],
  ["hourly at :05", "5 * * * *"],
  ["daily at 9:00", "0 9 * * *"],
  ["daily at 9", "0 9 * * *"],
  ["Daily at 9:30 pm", "30 21 * * *"],
  ["daily at 12am", "0 0 * * *"],
  ["daily at 12:15pm", "15 12 * * *"],
])("%s means %s", (text, cron) => {
  expect(cronOfText(text, "seed")).toBe(cron);
});

test.each([
  "every 7 minutes",
  "every 5 hours",
  "daily at 25:00",
  "daily at 13pm",
  "hourly at :61",
  "now and then",
  "",
])("%j is no schedule", (text) => {
  expect(() => cronOfText(text, "seed")).toThrow("Unsupported schedule text.");
});

test("texts without a named minute are spread, each the same way again", () => {
  const seeds = Array.from({ length: 60 }, (_, index) => `monitor ${index}`);
  for (const [text, least] of [
    ["every 30 minutes", 15],
    ["hourly", 25],
    ["every 6 hours", 40],
    ["daily", 45],
    ["weekly", 50],
  ] as const) {
    const crons = seeds.map((seed) => cronOfText(text, seed));
    expect(new Set(crons).size).toBeGreaterThan(least);
    expect(seeds.map((seed) => cronOfText(text, seed))).toEqual(crons);
    for (const cron of crons) checkSchedule({ cron, timezone: "UTC" }, NOW);
  }
});
