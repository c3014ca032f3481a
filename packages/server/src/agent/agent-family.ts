import { lazy } from "@pergamon-dev/kit/lazy";
import type { JobHandler, NextTask, Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "../jobs/queue/jobs.ts";
import { AGENT } from "./agent-request.ts";
import { getAgent, resultOf } from "./agent-rows.ts";
import type { AgentStepParts } from "./agent-services.ts";

/** Questions that find their own pages: one step after the other, each chosen by a model. */
export class AgentFamily implements JobHandler {
  readonly name = AGENT;
  readonly title = "Agent";
  readonly #parts: AgentStepParts;
  /** Loaded with the first step. */
  readonly #steps = lazy(() => import("./make-step.ts"));

  constructor(parts: AgentStepParts) {
    this.#parts = parts;
  }

  /** Which step is next is known when the one before has ended: a run has one at a time. */
  async next(_inside: Statements, { completed }: JobRun): Promise<readonly NextTask[]> {
    return [{ payload: String(completed + 1) }];
  }

  async run(step: Task): Promise<Again | undefined> {
    const { makeAgentStep } = await this.#steps();
    await makeAgentStep(step, this.#parts, step.signal);
    return undefined;
  }

  async fail(step: Task, reason: string): Promise<void> {
    const { dispatcher, database } = this.#parts.place;
    await database.transaction(async (inside) => {
      const run = await step.end(inside);
      if (run)
        await dispatcher.fail(inside, run.id, `A step failed in three attempts. The last one: ${reason}`);
    });
  }

  question(run: JobRun): string {
    return this.#parts.options.open(run).prompt;
  }

  async result(inside: Statements, { id, state, creditsUsed }: JobRun): Promise<string> {
    const agent = state === "completed" ? await getAgent(inside, id) : undefined;
    const { data, message } = agent ? resultOf(agent) : {};
    return JSON.stringify({ creditsUsed, data, message });
  }
}
