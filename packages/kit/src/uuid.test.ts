import { expect, test } from "vitest";

import { isUuid, uuidTimeMs, uuidV7 } from "./uuid.ts";

test("a UUID is one of version 7, and tells the time that it was made at", () => {
  for (const nowMs of [0, 1, 1_700_000_000_000, 2 ** 48 - 1]) {
    const uuid = uuidV7(nowMs);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([isUuid(uuid), uuidTimeMs(uuid)]).toEqual([true, nowMs]);
  }
  expect(Math.abs(uuidTimeMs(uuidV7()) - Date.now())).toBeLessThan(1000);
});

test("their order is that of the clock", () => {
  const times = [1, 16, 255, 65_536, 1_700_000_000_000, 1_700_000_000_001];
  const uuids = times.map((timeMs) => uuidV7(timeMs));
  expect(uuids.toSorted()).toEqual(uuids);
});

test("of one millisecond no two are the same", () => {
  expect(new Set(Array.from({ length: 10_000 }, () => uuidV7(1))).size).toBe(10_000);
});

test.each(["00000000-0000-0000-0000-000000000000", "0190A6A0-1111-7ABC-8DEF-0123456789AB"])(
  "%s is a UUID",
  (text) => {
    expect(isUuid(text)).toBe(true);
  },
);

test.each([
  "",
  "0190a6a0-1111-7abc-8def-0123456789a",
  "0190a6a0-1111-7abc-8def-0123456789abc",
  "0190a6a011117abc8def0123456789ab",
  "0190a6a0-1111-7abc-8def-0123456789ag",
  " 0190a6a0-1111-7abc-8def-0123456789ab",
  "0190a6a0-1111-7abc-8def-0123456789ab\n",
  "{0190a6a0-1111-7abc-8def-0123456789ab}",
  "../0190a6a0-1111-7abc-8def-012345678",
])("%j is none", (text) => {
  expect(isUuid(text)).toBe(false);
});
