import type { ShortTeam } from "../accounts/low-credits.ts";
import type { AlertRules } from "../contract/operator/alerts.ts";
import { lastUseMs } from "../stores/health/part-health.ts";
import type { PartState } from "../stores/health/part-rows.ts";

/** Something that the operator wants to know of. */
export interface Cause {
  /** The same while it lasts. */
  readonly cause: string;
  readonly title: string;
  readonly detail: string;
}

/** Where is looked. What a rule does not ask for is not read. */
export interface AlertSources {
  /** Parts that are asked, and do not work at the moment. */
  readonly failingParts: () => Promise<readonly { readonly name: string; readonly problem: string }[]>;
  readonly partStates: () => Promise<readonly PartState[]>;
  /** Requests that have ended, and those that have failed. */
  readonly requestsSince: (fromMs: number) => Promise<{ readonly pages: number; readonly failed: number }>;
  readonly teamsBelow: (credits: number, maxTeams: number) => Promise<readonly ShortTeam[]>;
}

/** A part that fails once may be well the next time. */
const FAILURES_IN_ROW = 3;
/** What was not used for so long is not known to be broken. */
const UNUSED_MS = 60 * 60 * 1000;
/** More teams than this are not looked at. */
const MAX_TEAMS = 1000;
const MINUTE_MS = 60_000;

/** What is the matter now, by the rules. */
export async function findCauses(
  { parts, errorRate, credits }: AlertRules,
  sources: AlertSources,
  nowMs: number,
): Promise<readonly Cause[]> {
  return [
    ...(parts ? await brokenParts(sources, nowMs) : []),
    ...(errorRate ? await failingRequests(errorRate, sources, nowMs) : []),
    ...(credits ? await shortTeams(credits.below, sources) : []),
  ];
}

async function brokenParts(sources: AlertSources, nowMs: number): Promise<readonly Cause[]> {
  const failing = (await sources.failingParts()).map(({ name, problem }) => ({
    cause: `part ${name}`,
    title: `${name} does not work`,
    detail: problem,
  }));
  const states = (await sources.partStates()).filter(
    (state) => state.failuresInRow >= FAILURES_IN_ROW && nowMs - lastUseMs(state) < UNUSED_MS,
  );
  const used = states.map(({ part, target, failuresInRow, problem }) => ({
    cause: `part ${part} ${target}`.trim(),
    title: `${part}${target === "" ? "" : ` (${target})`} does not work`,
    detail: `It failed ${failuresInRow} times in a row: ${problem ?? "for an unknown reason"}`,
  }));
  return [...failing, ...used];
}

async function failingRequests(
  { percent, windowMinutes, minRequests }: NonNullable<AlertRules["errorRate"]>,
  { requestsSince }: AlertSources,
  nowMs: number,
): Promise<readonly Cause[]> {
  const { pages, failed } = await requestsSince(nowMs - windowMinutes * MINUTE_MS);
  if (pages < minRequests || failed * 100 < percent * pages) return [];
  const rate = Math.round((failed * 100) / pages);
  return [
    {
      cause: "error rate",
      title: `${rate} % of requests fail`,
      detail: `${failed} of ${pages} requests failed in the last ${windowMinutes} minutes.`,
    },
  ];
}

async function shortTeams(below: number, { teamsBelow }: AlertSources): Promise<readonly Cause[]> {
  const teams = await teamsBelow(below, MAX_TEAMS);
  return teams.map(({ teamId, name, remaining }) => ({
    cause: `credits ${teamId}`,
    title: `${name} has ${remaining} credits left`,
    detail: `Team ${teamId} has fewer than ${below} credits.`,
  }));
}
