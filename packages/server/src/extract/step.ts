import type { Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { JobStore } from "../jobs/run-place.ts";
import type { ExtractPlan } from "./plan.ts";

/** A step of an extraction under way. */
export interface ExtractStep {
  readonly step: Task;
  readonly place: JobStore;
  readonly run: JobRun;
  readonly plan: ExtractPlan;
  /** Aborts when the step is not to be made any more. */
  readonly stop: AbortSignal;
  /** Aborts then, and when the time of the request is over. */
  readonly signal: AbortSignal;
}

/** How long pages may yet be read; infinite where the request says nothing of it. */
export function timeLeftMs({ run, plan, place }: Pick<ExtractStep, "run" | "plan" | "place">): number {
  const { timeout } = plan.options;
  return timeout === undefined ? Number.POSITIVE_INFINITY : run.createdAtMs + timeout - place.clock.now();
}
