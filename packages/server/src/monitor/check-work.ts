import type { Task } from "../jobs/job-handler.ts";
import { getRun, type JobRun } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import { type CheckRow, getCheck } from "./check-rows.ts";
import type { CheckPlan } from "./plans.ts";
import type { MonitorPlan } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import { type CheckStep, stepOf } from "./steps.ts";
import type { Target } from "./targets.ts";

export interface CheckWork {
  readonly step: Task;
  readonly what: CheckStep;
  readonly run: JobRun;
  /** State of the check when the step began. */
  readonly check: CheckRow;
  readonly plan: CheckPlan;
  readonly signal: AbortSignal;
}

/** Undefined when the check or its monitor was deleted. */
export async function openWork(
  step: Task,
  { place, options }: MonitorServices,
  signal: AbortSignal,
): Promise<CheckWork | undefined> {
  const run = await getRun(place.database, step.job.id);
  const check = await getCheck(place.database, step.job.id);
  if (!run || !check || run.isPurged) return undefined;
  const plan = options.of(run);
  return { step, what: stepOf(step.payload), run, check, plan, signal };
}

/** Number of units of work of a target. */
export function unitsOf(target: Target): number {
  return target.type === "scrape" ? target.urls.length : 1;
}

/** The target of a unit, and the unit's index within the target. */
export function targetAt(
  { targets }: MonitorPlan,
  unit: number,
): { readonly target: Target; readonly index: number; readonly at: number } {
  let at = unit;
  for (const [index, target] of targets.entries()) {
    if (at < unitsOf(target)) return { target, index, at };
    at -= unitsOf(target);
  }
  throw new Error(`The monitor has no unit ${unit}.`);
}

/**
 * Ends a step of a check in a transaction of its own, with its results.
 * @param write not called when the step is too late.
 */
export async function endStep(
  { step }: Pick<CheckWork, "step">,
  { place }: MonitorServices,
  write: (tx: Statements, run: JobRun) => Promise<void>,
): Promise<void> {
  await place.database.transaction(async (tx) => {
    const run = await step.end(tx);
    if (!run) return;
    await write(tx, run);
    await place.dispatcher.admit(tx, run.id, 0);
    await place.dispatcher.proceed(tx, run);
  });
}
