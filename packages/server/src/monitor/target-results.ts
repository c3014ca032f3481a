import type { Statements } from "../storage/database/database.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import type { Target } from "./targets.ts";

/** What came of a target, as clients get it (contract of the families, section 9.2). */
export interface TargetResult {
  readonly targetId: string;
  readonly type: Target["type"];
  /** Of pages: the scrapes, once the check has ended. */
  readonly expectedJobs?: readonly string[];
  readonly crawlId?: string;
  readonly searchCompleted?: boolean;
  readonly resultCount?: number;
  readonly matches?: number;
  readonly summary?: string;
  /** Whether something was to be judged, and was not. */
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

/** Changes the result of one target of a check. */
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

/** Notes why something was not judged; the first reason stays. */
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
