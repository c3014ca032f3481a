import { sha256Hex } from "@pergamon-dev/kit/hash";
import { identityOf } from "../fetch/urls/identity.ts";
import type { Judgment } from "../api/monitor.ts";
import type { CheckWork } from "./check-work.ts";
import { isJudging } from "./request.ts";
import type { FoundResult } from "./steps.ts";
import type { SearchTarget } from "./targets.ts";
import type { Finding } from "./page-finding.ts";

/** Status of the page for each result status, which `metadata.searchStatus` shows. */
const STATUSES = {
  alert: "new",
  already_seen: "same",
  watching: "same",
  ignored: "same",
  // The result is tried again. It does not make the check fail.
  skipped: "same",
} as const;

type SearchStatus = keyof typeof STATUSES;

/**
 * Results of one page share a name. A changed goal or changed queries give it a new one, so that the result
 * is judged again.
 */
export function nameOfResult(
  { check, plan }: Pick<CheckWork, "check" | "plan">,
  target: SearchTarget,
  url: string,
) {
  const identity = identityOf(new URL(url), { isSimilarSame: true, ignoresQuery: false });
  const version = isJudging(plan) ? ` ${sha256Hex(JSON.stringify([plan.goal, target.queries]))}` : "";
  return { monitorId: check.monitorId, targetId: target.id, url: `${identity}${version}` };
}

/** Combines the judgment with the model's confidence. */
export function statusOfJudgment({ meaningful, confidence }: Judgment): SearchStatus {
  if (!meaningful) return "ignored";
  return confidence === "low" ? "watching" : "alert";
}

/**
 * Result of a check for a search result. A skipped one stays unknown, so that a later check tries it again.
 */
export function resultFinding(
  work: Pick<CheckWork, "check" | "plan">,
  { target, result, searchStatus }: DecidedResult,
  more: Partial<Finding["page"]> = {},
): Finding {
  const { url, title, description, date } = result;
  const shown = { title, description, ...(date !== undefined && { date }), searchStatus };
  return {
    name: nameOfResult(work, target, url),
    page: {
      ...more,
      targetId: target.id,
      url,
      status: STATUSES[searchStatus],
      metadata: JSON.stringify(shown),
    },
    ...(searchStatus !== "skipped" && {
      state: { blobId: undefined, scrapeId: undefined, missed: 0, checkId: work.check.id },
    }),
  };
}

interface DecidedResult {
  readonly target: SearchTarget;
  readonly result: FoundResult;
  readonly searchStatus: SearchStatus;
}
