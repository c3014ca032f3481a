import { expect, test } from "vitest";

import { TeamTurns } from "./team-turns.ts";

const NOW_MS = 1_000_000;

test("the first of a team comes next, however much another team has waiting", () => {
  const turns = new TeamTurns();
  const large = Array.from({ length: 100 }, (_, index) => turns.next("large", `l${index}`, NOW_MS));
  expect(large).toEqual(large.toSorted((a, b) => a - b));
  expect(new Set(large).size).toBe(100);
  expect(large.at(-1)).toBeLessThan(NOW_MS);
  for (let index = 0; index < 10; index += 1) turns.begun(`l${index}`);
  const small = turns.next("small", "s", NOW_MS + 1);
  expect(small).toBeGreaterThanOrEqual(large[9] ?? 0);
  expect(small).toBeLessThan(large[11] ?? 0);
});

test("a team that had much is not held back once it is begun, and nothing is due later than now", () => {
  const turns = new TeamTurns();
  const ids = Array.from({ length: 70_000 }, (_, index) => `l${index}`);
  expect(Math.max(...ids.map((id) => turns.next("large", id, NOW_MS)))).toBe(NOW_MS);
  for (const id of ids) turns.begun(id);
  const laterMs = NOW_MS + 3_600_000;
  expect(turns.next("large", "more", laterMs)).toBe(turns.next("small", "first", laterMs));
});
