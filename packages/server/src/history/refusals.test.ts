import { expect, test } from "vitest";

import type { RefusedCall } from "../accounts/work.ts";
import { openRefusals, type Refusal } from "./refusals.ts";
import type { ScrapeRecord } from "./scrape-rows.ts";

const wrongKey: Refusal = {
  teamId: "",
  address: "192.0.2.1",
  route: "/v2/scrape",
  code: "unauthorized",
  message: "Unauthorized: Invalid token",
  isPrivate: false,
};

function openTestRefusals() {
  const time = { nowMs: 1_000_000 };
  const counted: RefusedCall[] = [];
  const lines: ScrapeRecord[] = [];
  const refusals = openRefusals({
    figures: { countRefused: (call) => void counted.push(call) },
    records: { add: (record) => void lines.push(record) },
    clock: () => time.nowMs,
  });
  return { refusals, counted, lines, time };
}

test("a minute of a thousand wrong keys a second leaves a line a second, and is counted whole", () => {
  const { refusals, counted, lines, time } = openTestRefusals();
  for (let call = 0; call < 60_000; call += 1) {
    time.nowMs = 1_000_000 + call;
    refusals.note(wrongKey);
  }
  expect(counted).toHaveLength(60_000);
  expect(lines.length).toBeLessThanOrEqual(60);
  expect(lines.length).toBeGreaterThanOrEqual(59);
});

test("ten thousand addresses at once leave no more than twenty lines", () => {
  const { refusals, counted, lines } = openTestRefusals();
  for (let address = 0; address < 10_000; address += 1)
    refusals.note({ ...wrongKey, address: `2001:db8::${address.toString(16)}` });
  expect(counted).toHaveLength(10_000);
  expect(lines).toHaveLength(20);
});

test("a line says who called as far as that is known, and why not", () => {
  const { refusals, lines } = openTestRefusals();
  refusals.note(wrongKey);
  refusals.note({ ...wrongKey, teamId: "team", keyId: "key", code: "forbidden", message: "No." });
  expect(lines.map(({ teamId, errorCode, details }) => [teamId, errorCode, details])).toEqual([
    ["", "unauthorized", expect.stringContaining("192.0.2.1")],
    ["team", "forbidden", expect.not.stringContaining("192.0.2.1")],
  ]);
});

test("a call of which nothing may be kept is counted alone", () => {
  const { refusals, counted, lines } = openTestRefusals();
  refusals.note({ ...wrongKey, isPrivate: true });
  expect(counted).toHaveLength(1);
  expect(lines).toEqual([]);
});
