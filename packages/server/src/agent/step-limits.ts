import type { Caller } from "../accounts/callers.ts";
import type { Task } from "../jobs/job-handler.ts";
import type { Job } from "../jobs/job-rows.ts";
import { type AgentOptions, maxSteps } from "./request.ts";
import type { AgentRow, DoneStep } from "./rows.ts";
import { CREDITS_PER_QUESTION, type StepAccount } from "./step-account.ts";

export interface RunAtStep {
  readonly task: Task;
  readonly job: Job;
  readonly agent: AgentRow;
  readonly options: AgentOptions;
  readonly caller: Caller;
  readonly steps: readonly DoneStep[];
  readonly startedAtMs: number;
  readonly nowMs: number;
}

export interface PaidStep {
  readonly account: StepAccount;
  readonly id: string;
}

/** Time limit of a run from its first step on (contract of the families, section 11). */
const MAX_RUN_MS = 15 * 60_000;
/** Remaining time at which the model must answer. */
const LAST_MS = 60_000;

export const MAX_CREDITS = "Max credits exceeded";
export const OUT_OF_TIME = "The agent had no answer within 15 minutes.";

function outOfSteps(steps: number): string {
  return `The agent had no answer within ${steps} steps.`;
}

/** Remaining steps, credits and time of a run. */
export interface StepLimits {
  readonly stepsLeft: number;
  readonly creditsLeft: number;
  readonly timeLeftMs: number;
}

export function limitsOf({ job, options, startedAtMs, nowMs }: RunAtStep): StepLimits {
  return {
    stepsLeft: maxSteps(options) - job.completed,
    creditsLeft: options.maxCredits - job.creditsUsed,
    timeLeftMs: startedAtMs + MAX_RUN_MS - nowMs,
  };
}

/** Reason why a run ends without another step. Undefined while it may continue. */
export function exhausted(
  { stepsLeft, creditsLeft, timeLeftMs }: StepLimits,
  steps: number,
): string | undefined {
  if (creditsLeft < CREDITS_PER_QUESTION) return MAX_CREDITS;
  if (timeLeftMs <= 0) return OUT_OF_TIME;
  return stepsLeft < 1 ? outOfSteps(steps) : undefined;
}

/** Error of a run without an answer after its last step, and the warning to the model before it. */
interface LastStep {
  readonly error: string;
  readonly words: string;
}

/** Set when this step must give the answer. Undefined for every other step. */
export function lastStepOf(
  { stepsLeft, creditsLeft, timeLeftMs }: StepLimits,
  steps: number,
): LastStep | undefined {
  const last = (error: string, what: string) => ({
    error,
    words: `${what} Use done now, with what you know.`,
  });
  if (creditsLeft < 2 * CREDITS_PER_QUESTION) return last(MAX_CREDITS, "The credits are used up.");
  if (stepsLeft === 1) return last(outOfSteps(steps), "This is the last step.");
  return timeLeftMs < LAST_MS ? last(OUT_OF_TIME, "The time is nearly over.") : undefined;
}
