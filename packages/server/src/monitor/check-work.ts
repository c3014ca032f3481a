import type { Task } from "../jobs/job-handler.ts";
import { getJob, type Job } from "../jobs/job-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import { type CheckRow, getCheck } from "./check-rows.ts";
import type { CheckPlan } from "./plans.ts";
import type { MonitorPlan } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import { type CheckStep, stepOf } from "./steps.ts";
import type { Target } from "./targets.ts";

export interface CheckWork {
  readonly task: Task;
  readonly what: CheckStep;
  readonly job: Job;
  /** State of the check when the step began. */
  readonly check: CheckRow;
  readonly plan: CheckPlan;
  readonly signal: AbortSignal;
}

/** Undefined when the check or its monitor was deleted. */
export async function openWork(
  task: Task,
  { store, options }: MonitorServices,
  signal: AbortSignal,
): Promise<CheckWork | undefined> {
  const job = await getJob(store.database, task.job.id);
  const check = await getCheck(store.database, task.job.id);
  if (!job || !check || job.isPurged) return undefined;
  const plan = options.of(job);
  return { task, what: stepOf(task.payload), job, check, plan, signal };
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
  { task }: Pick<CheckWork, "task">,
  { store }: MonitorServices,
  write: (tx: Statements, job: Job) => Promise<void>,
): Promise<void> {
  await store.database.transaction(async (tx) => {
    const job = await task.end(tx);
    if (!job) return;
    await write(tx, job);
    await store.dispatcher.admit(tx, job.id, 0);
    await store.dispatcher.dispatchNext(tx, job);
  });
}
