import { expect, test } from "vitest";

import { TeamTurns } from "./team-turns.ts";

test("the first of each team is due now, further ones later, and a team that paused is not held back", () => {
  const turns = new TeamTurns();
  expect([turns.next("a", 1000), turns.next("a", 1000), turns.next("a", 1001)]).toEqual([1000, 1005, 1010]);
  expect(turns.next("b", 1001)).toBe(1001);
  expect(turns.next("a", 2000)).toBe(2000);
});

test("very many teams are not remembered for ever, and none that still waits is forgotten", () => {
  const turns = new TeamTurns();
  turns.next("waits", 1000);
  for (let count = 0; count < 400; count += 1) turns.next("waits", 1000);
  for (let team = 0; team < 2000; team += 1) turns.next(`team ${team}`, 1000 + team);
  expect(turns.next("waits", 3000)).toBeGreaterThan(3000);
});
