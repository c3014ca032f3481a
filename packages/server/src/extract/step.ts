import type { Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { JobStore } from "../jobs/run-place.ts";
import type { ExtractPlan } from "./plan.ts";

export interface ExtractStep {
  readonly step: Task;
  readonly place: JobStore;
  readonly run: JobRun;
  readonly plan: ExtractPlan;
  /** Aborts when the step is not wanted any more. */
  readonly stop: AbortSignal;
  /** Aborts with `stop`, and when the time of the request is over. */
  readonly signal: AbortSignal;
}

/** Time that is left for reading pages. Infinity without a timeout in the request. */
export function timeLeftMs({ run, plan, place }: Pick<ExtractStep, "run" | "plan" | "place">): number {
  const { timeout } = plan.options;
  return timeout === undefined ? Number.POSITIVE_INFINITY : run.createdAtMs + timeout - place.clock.now();
}
