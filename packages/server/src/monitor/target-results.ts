import type { Statements } from "../storage/database/database.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import type { Target } from "./targets.ts";

/** Result of a target in the answer to clients (contract of the families, section 9.2). */
export interface TargetResult {
  readonly targetId: string;
  readonly type: Target["type"];
  /** Ids of the scrapes of page targets, once the check has ended. */
  readonly expectedJobs?: readonly string[];
  readonly crawlId?: string;
  readonly searchCompleted?: boolean;
  readonly resultCount?: number;
  readonly matches?: number;
  readonly summary?: string;
  /** True: a wanted judgment is missing. */
  readonly judgeDegraded?: boolean;
  readonly degradedReason?: string | null;
  readonly searchCredits?: number;
  readonly judgeCredits?: number;
  readonly resultsJudged?: number;
}

export function newResult({ id: targetId, type }: Target): TargetResult {
  return type === "scrape" ? { targetId, type, expectedJobs: [] } : { targetId, type };
}

export function resultsIn(targets: string): readonly TargetResult[] {
  return JSON.parse(targets) as readonly TargetResult[];
}

/** Updates the result of one target of a check. */
export async function changeResult(
  tx: Statements,
  checkId: string,
  targetId: string,
  change: (result: TargetResult) => Partial<TargetResult>,
): Promise<void> {
  const check = await getCheck(tx, checkId);
  if (!check) return;
  const results = resultsIn(check.targets).map((result) =>
    result.targetId === targetId ? { ...result, ...change(result) } : result,
  );
  await changeCheck(tx, checkId, { targets: JSON.stringify(results) });
}

export const NO_MODEL =
  "Changes were not judged: this service has no language model. Set LLM_BASE_URL and LLM_MODEL.";

/** Records why a judgment is missing. The first reason stays. */
export async function recordDegraded(
  tx: Statements,
  {
    checkId,
    targetId,
    reason,
  }: { readonly checkId: string; readonly targetId: string; readonly reason: string },
): Promise<void> {
  await changeResult(tx, checkId, targetId, ({ degradedReason }) => ({
    judgeDegraded: true,
    degradedReason: degradedReason ?? reason,
  }));
}
