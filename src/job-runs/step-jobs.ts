import type { Job, NewJob } from "../platform/jobs/jobs.ts";
import type { NextStep } from "./family.ts";
import { type JobRun, SERVICE_LANE } from "./job-run.ts";

const STEP = "step";

type StepPayload = readonly [runId: string, family: string, payload: string];

/** Kind of the jobs that are steps of runs in a lane. */
export function kindOf(lane: string): string {
  return lane === SERVICE_LANE ? STEP : `${STEP} ${lane}`;
}

/** A step of a run, as the engine gets it. */
export function jobOf(run: JobRun, step: NextStep): NewJob {
  const payload: StepPayload = [run.id, run.family, step.payload];
  const time = step.runAtMs === undefined ? {} : { runAtMs: step.runAtMs };
  return { kind: kindOf(run.lane), group: run.id, payload: JSON.stringify(payload), ...time };
}

/** What `jobOf` has put into a job. */
export function partsOfJob(job: Job) {
  const [runId, family, payload] = JSON.parse(job.payload) as StepPayload;
  return { runId, family, payload };
}
