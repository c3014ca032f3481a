import { beforeAll, expect, test } from "vitest";

import { endAgainAndAgain } from "./ends/endings.ts";
import { logToFullDisk } from "./ends/full-log.ts";
import { fightForLastCredits } from "./ends/last-credits.ts";
import { killToolCalls } from "./ends/tools.ts";
import { endSessionsAgainAndAgain } from "./ends/session-ends.ts";
import { build, builtProgram } from "./built.ts";

/** `npm run soak` has a hundred kills and twenty stops, */
const ENDS = 2;
/** and thirty of these. */
const TEAMS = 1;
/** two hundred of these. */
const SESSION_KILLS = 3;

beforeAll(build, 120_000);

test.each(["kill", "stop"] as const)(
  "R1 after a %s under load, copies of its files hold what the service answered, once, and nothing is damaged",
  async (ending) => {
    const report = await endAgainAndAgain({ ending, times: ENDS, command: builtProgram, maxLoadMs: 500 });
    expect(report.problems).toEqual([]);
    expect(report.answered).toBeGreaterThan(0);
  },
  120_000,
);

test("R1b with its log on a full disk the service answers all the same, and stops", async () => {
  const report = await logToFullDisk({ requests: 60, command: builtProgram });
  expect(report.problems).toEqual([]);
}, 120_000);

test("tool calls under kills are made once, charged once and answered with the same bytes", async () => {
  const report = await killToolCalls({ kills: 3, command: builtProgram, maxLoadMs: 400, resolves: false });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.replayed).toBeGreaterThan(0);
}, 120_000);

test("fifty clients that fight for the last credits pay for what they got, and get no more than there was", async () => {
  const report = await fightForLastCredits({ teams: TEAMS, command: builtProgram });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThanOrEqual(TEAMS * 50);
}, 120_000);

test("sessions whose service, browser or box is killed are charged once, and leave no process and no lock", async () => {
  const report = await endSessionsAgainAndAgain({ kills: SESSION_KILLS, command: builtProgram });
  expect(report.problems).toEqual([]);
  expect(report.opened).toBeGreaterThan(0);
}, 300_000);
