import type { Caller } from "../accounts/callers.ts";
import type { Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { AgentOptions } from "./agent-request.ts";
import type { AgentRow, DoneStep } from "./agent-rows.ts";
import type { StepAccount } from "./step-account.ts";

/** A run, as a step finds it. */
export interface RunAtStep {
  readonly step: Task;
  readonly run: JobRun;
  readonly agent: AgentRow;
  readonly options: AgentOptions;
  readonly caller: Caller;
  /** Steps that are done. */
  readonly steps: readonly DoneStep[];
  readonly startedAtMs: number;
  readonly nowMs: number;
}

/** What a step is paid by, and its name. */
export interface PaidStep {
  readonly account: StepAccount;
  readonly id: string;
}
