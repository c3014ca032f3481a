import { isDeepStrictEqual } from "node:util";

import { untold } from "../scrape/request/masked-body.ts";
import { cronOfText } from "../jobs/schedule/text-schedule.ts";
import { checkGoal, keptTargets, type MonitorChange, type MonitorPlan } from "./request.ts";
import type { Target } from "./targets.ts";
import type { MonitorRow } from "./rows.ts";

interface ScheduleRequest {
  readonly cron?: string | undefined;
  readonly text?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Missing fields keep their values. @param seed spreads schedules in words that name no minute. */
export function scheduleOf(
  { cron, text, timezone }: ScheduleRequest,
  known: Pick<MonitorRow, "cron" | "timezone">,
  seed: string,
): Pick<MonitorRow, "cron" | "timezone"> {
  const ofText = text === undefined ? undefined : cronOfText(text, seed);
  return {
    cron: ofText ?? cron?.trim().replaceAll(/\s+/g, " ") ?? known.cron,
    timezone: timezone ?? known.timezone,
  };
}

export function changedPlan(before: MonitorPlan, request: MonitorChange, body: object): MonitorPlan {
  const { webhook, notification, goal } = request;
  const targets = request.targets
    ? keptTargets(request.targets, body).map((target) => untold(target, before.targets.find(isLike(target))))
    : before.targets;
  const nextGoal = goal === undefined ? before.goal : goal;
  return {
    targets,
    webhook:
      webhook === undefined
        ? before.webhook
        : untold(webhook, webhook?.url === before.webhook?.url ? before.webhook : null),
    notification: notification === undefined ? before.notification : notification,
    goal: nextGoal,
    judgeEnabled: request.judgeEnabled ?? (goal === undefined ? before.judgeEnabled : nextGoal !== null),
  };
}

/** Whether the secrets of the other target may be sent to the addresses of this one. */
function isLike(target: Target): (other: Target) => boolean {
  return (other) => other.id === target.id && isDeepStrictEqual(addressesOf(other), addressesOf(target));
}

function addressesOf(target: Target): readonly string[] {
  if (target.type === "scrape") return target.urls;
  return target.type === "crawl" ? [target.url] : [];
}

/**
 * Search targets that were accepted without a goal may stay so. @throws ServiceError BAD_REQUEST for others.
 */
export function checkChangedGoal(
  before: MonitorPlan,
  plan: MonitorPlan,
  request: Pick<MonitorChange, "judgeEnabled">,
): void {
  const hadSearch = before.targets.some(({ type }) => type === "search");
  const judgeEnabled = request.judgeEnabled ?? (hadSearch ? before.judgeEnabled : undefined);
  checkGoal({ ...plan, judgeEnabled });
}
