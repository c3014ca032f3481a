import type { Task } from "../jobs/job-handler.ts";
import type { Job } from "../jobs/job-rows.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { ExtractPlan } from "./plan.ts";

export interface ExtractStep {
  readonly task: Task;
  readonly store: JobStore;
  readonly job: Job;
  readonly plan: ExtractPlan;
  /** Aborts when the step is not wanted any more. */
  readonly stop: AbortSignal;
  /** Aborts with `stop`, and when the time of the request is over. */
  readonly signal: AbortSignal;
}

/** Time that is left for reading pages. Infinity without a timeout in the request. */
export function timeLeftMs({ job, plan, store }: Pick<ExtractStep, "job" | "plan" | "store">): number {
  const { timeout } = plan.options;
  return timeout === undefined ? Number.POSITIVE_INFINITY : job.createdAtMs + timeout - store.clock.now();
}
