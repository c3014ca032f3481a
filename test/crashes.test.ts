import { beforeAll, expect, test } from "vitest";

import { crashAgainAndAgain } from "../soak/crashes.ts";
import { fightForLastCredits } from "../soak/last-credits.ts";
import { build, builtProgram } from "./built.ts";

/** `npm run soak` has a hundred of these, */
const CRASHES = 4;
/** and thirty of these. */
const TEAMS = 2;

beforeAll(build, 120_000);

test("killed under load, the service has charged what it answered, once, and nothing is damaged", async () => {
  const report = await crashAgainAndAgain({
    crashes: CRASHES,
    command: builtProgram,
    mostLoadMs: 500,
  });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(CRASHES);
}, 120_000);

test("fifty clients that fight for the last credits pay for what they got, and get no more than there was", async () => {
  const report = await fightForLastCredits({ teams: TEAMS, command: builtProgram });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThanOrEqual(TEAMS * 50);
}, 120_000);
