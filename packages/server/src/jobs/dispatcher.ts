import type { RunsOwner } from "../accounts/administration.ts";
import type { Address } from "@pergamon-dev/kit/address";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Job, Jobs, NewJob, Worker } from "./queue/jobs.ts";
import { insertDocument, type NewDocument } from "./documents.ts";
import { insertError, insertRobotsBlocked, type NewError } from "./errors.ts";
import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "./job-handler.ts";
import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import { noEvents, type OwnEvent, type RunEvents } from "./run-events.ts";
import {
  addWarning,
  type Appended,
  endRun,
  getRun,
  handSteps,
  insertRun,
  type JobRun,
  type NewRun,
  nextRun,
  placesOfTeam,
  reopenRun,
  type RunGroup,
  type RunState,
  runsUnderWay,
  runWithNothingLeft,
  SERVICE_LANE,
  takeStepBack,
} from "./run-rows.ts";
import { WaitingSteps } from "./waiting-steps.ts";

interface DispatcherParts {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Called in the transaction that makes the change. */
  readonly events: RunEvents;
  /** Maximum number of steps that run at once in this process. */
  readonly slots: number;
}

const CANCELLED_AT_ONCE = 20;
const NEVER = new AbortController().signal;
/** Attempts per step. */
const ATTEMPTS = 3;
const DEADLY =
  "The service ended unexpectedly each of the three times when it worked on one of the pages, so the job was ended. The pages that were made are kept.";

/**
 * Hands steps of runs to the engine: at most as many of a team as may run at once, in turns between its runs.
 * Steps that are not handed out wait in the tables of their family, however many there are.
 *
 * Every method works in a transaction of the caller.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #handlers = new Map<string, JobHandler>();
  readonly #waiting: WaitingSteps;
  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#waiting = new WaitingSteps(parts.clock, (group) => this.#offer(group));
  }

  /** Registers a kind of job. Register all kinds before calling `work`. */
  register(handler: JobHandler): void {
    this.#handlers.set(handler.name, handler);
  }

  /** Begins to run the steps of the runs in a lane. */
  work(lane = SERVICE_LANE): Worker {
    return this.#parts.jobs.work({
      kind: kindOf(lane),
      slots: this.#parts.slots,
      attempts: ATTEMPTS,
      run: async (job, signal) => {
        const task = await this.#taskOf(job, signal);
        return task && this.#handlerOf(job).run(task);
      },
      giveUp: async (job, reason) => {
        if (job.isDeadly) return this.#failJobOf(job);
        const task = await this.#taskOf(job, NEVER);
        if (task) await this.#handlerOf(job).fail(task, reason);
      },
    });
  }

  /** Fails the whole run, because its other steps may end the process as well. */
  async #failJobOf(job: Job): Promise<void> {
    const { runId } = partsOfJob(job);
    await this.#parts.database.transaction((tx) => this.fail(tx, runId, DEADLY));
  }

  /** Starts a run and asks its family for the first steps. The family has written its rows before. */
  async start(tx: Statements, run: NewRun): Promise<void> {
    await insertRun(tx, run, this.#parts.clock.now());
    await this.#eventsOf(run).started(tx, run);
    await this.proceed(tx, { ...run, lane: run.lane ?? SERVICE_LANE });
  }

  /** Appends to a run; a completed run continues. @returns false when it was cancelled or has failed. */
  async append(tx: Statements, runId: string, more: Appended): Promise<boolean> {
    const run = await reopenRun(tx, runId, more.maxConcurrency);
    if (!run) return false;
    await this.admit(tx, runId, more.pages);
    const { id, teamId, family } = run;
    await this.#eventsOf(run).started(tx, { id, teamId, family, webhook: more.webhook });
    await this.proceed(tx, run);
    return true;
  }

  /**
   * Adds to the number of pages of a run and asks its family for steps again. A negative number takes pages
   * back.
   */
  async admit(tx: Statements, runId: string, pages: number): Promise<void> {
    await tx
      .prepared("UPDATE job_runs SET total = total + ?, has_more = 1 WHERE id = ? AND state = 'scraping'")
      .run(pages, runId);
  }

  /** Records that a page of the run became a document. */
  async addDocument(tx: Statements, run: JobRun, document: NewDocument): Promise<void> {
    await insertDocument(tx, run.id, document);
    await this.#eventsOf(run).pageMade(tx, run, document);
  }

  /** Records that a page of the run became no document. */
  async addFailure(tx: Statements, run: JobRun, error: NewError, creditsUsed = 0): Promise<void> {
    await insertError(tx, run.id, error, this.#parts.clock.now());
    await tx
      .prepared("UPDATE job_runs SET failed = failed + 1, credits_used = credits_used + ? WHERE id = ?")
      .run(creditsUsed, run.id);
    await this.#eventsOf(run).pageFailed(tx, run, error);
  }

  /** Adds credits that the run used besides those of its pages. */
  async addCredits(tx: Statements, runId: string, credits: number): Promise<void> {
    await tx.prepared("UPDATE job_runs SET credits_used = credits_used + ? WHERE id = ?").run(credits, runId);
  }

  /** Records an error of a URL that is not a page of the run. */
  async recordError(tx: Statements, run: JobRun, error: NewError): Promise<void> {
    await insertError(tx, run.id, error, this.#parts.clock.now());
  }

  /** Sends an event of the family's own to the webhooks of the run. */
  async tell(tx: Statements, run: JobRun, event: OwnEvent): Promise<void> {
    await this.#parts.events.happened(tx, run, event);
  }

  async noteRobotsBlocked(tx: Statements, run: JobRun, url: Address): Promise<void> {
    await insertRobotsBlocked(tx, run.id, url, this.#parts.clock.now());
  }

  /** Adds a sentence to the warnings of a run. A sentence that is already there is not repeated. */
  async warn(tx: Statements, runId: string, warning: string): Promise<void> {
    await addWarning(tx, runId, warning);
  }

  /** The prompt of a job, if its kind has prompts. */
  questionOf(run: JobRun): string | undefined {
    return this.#handlers.get(run.family)?.question?.(run);
  }

  /** Pages of a job that were found but not made yet. Empty when its kind does not list them. */
  async pending(statements: Statements, run: JobRun, part: ListPart): Promise<readonly PendingPage[]> {
    const family = this.#handlers.get(run.family);
    return (await family?.pending?.(statements, run, part)) ?? [];
  }

  /**
   * Hands out the steps of the run's team that may run now. Completes a run that has no step under way and
   * none left.
   */
  async proceed(tx: Statements, run: RunGroup & Pick<JobRun, "id">): Promise<void> {
    const handed = await this.#dispatch(tx, run);
    const finished = handed.has(run.id) ? undefined : await runWithNothingLeft(tx, run.id);
    if (finished) await this.#endUnlessWaiting(tx, finished);
    this.#parts.events.changed(run.id);
  }

  /** Waits for a host. Meanwhile the step does not count towards the concurrency of its team. */
  withoutPlace<Result>(group: RunGroup, wait: Promise<Result>): Promise<Result> {
    return this.#waiting.during(group, wait);
  }

  async #offer(group: RunGroup): Promise<void> {
    const { database } = this.#parts;
    if (!(await nextRun(database, group))) return;
    await database.transaction((tx) => this.#dispatch(tx, group));
  }

  /**
   * Completes a run although steps are left, for example at its limit. Aborts the steps that are under way.
   */
  async complete(tx: Statements, runId: string): Promise<void> {
    await this.#endNow(tx, runId, "completed");
  }

  /** Ends a run that could not do its work, as failed. */
  async fail(tx: Statements, runId: string, error: string): Promise<void> {
    await this.#endNow(tx, runId, "failed", error);
  }

  /** Cancels a run. No step of it begins after the transaction, and those under way are aborted. */
  async cancel(tx: Statements, runId: string): Promise<void> {
    await this.#endNow(tx, runId, "cancelled");
  }

  /**
   * Cancels all runs of a team or of a key. Later writes of their steps are void once the transaction
   * commits. Many runs are cancelled in turns.
   */
  async cancelAllOf(tx: Statements, owner: RunsOwner): Promise<void> {
    await inSteps(CANCELLED_AT_ONCE, async (count) => {
      const ids = await runsUnderWay(tx, owner, count);
      for (const id of ids) await this.cancel(tx, id);
      return ids.length;
    });
  }

  async #endNow(tx: Statements, runId: string, state: RunState, error?: string): Promise<void> {
    const run = await getRun(tx, runId);
    if (run?.state !== "scraping") return;
    await this.#parts.jobs.cancel(tx, runId);
    await this.#end(tx, run, state, error);
    await this.#dispatch(tx, run);
    this.#parts.events.changed(runId);
  }

  async #end(tx: Statements, run: JobRun, state: RunState, error?: string): Promise<void> {
    if (!(await endRun(tx, run.id, { state, error, nowMs: this.#parts.clock.now() }))) return;
    const ended = await getRun(tx, run.id);
    if (!ended) return;
    const family = this.#handlers.get(run.family);
    await family?.ended?.(tx, ended);
    const reason = state === "cancelled" ? `${family?.title ?? "Job"} was cancelled` : error;
    const result = await family?.result?.(tx, ended);
    await this.#eventsOf(run).ended(tx, ended, { error: reason, result });
    for (const other of this.#handlers.values()) if (other !== family) await other.otherEnded?.(tx, ended);
  }

  /** @returns the runs that got a step. */
  async #dispatch(tx: Statements, group: RunGroup): Promise<ReadonlySet<string>> {
    const handed = new Set<string>();
    for (let free = await this.#freeOf(tx, group); free > 0; free -= 1) {
      const run = await nextRun(tx, group);
      if (!run) break;
      const [step] = (await this.#handlers.get(run.family)?.next(tx, run, 1)) ?? [];
      await handSteps(tx, run, step ? 1 : 0);
      if (step) await this.#parts.jobs.add(tx, [jobOf(run, step)]);
      if (step) handed.add(run.id);
      else if (run.handed === 0) await this.#endUnlessWaiting(tx, run);
    }
    return handed;
  }

  async #freeOf(tx: Statements, group: RunGroup): Promise<number> {
    const { places, handed } = await placesOfTeam(tx, group);
    return places - handed + this.#waiting.among(places, group);
  }

  async #endUnlessWaiting(tx: Statements, run: JobRun): Promise<void> {
    if (await this.#handlers.get(run.family)?.isWaiting?.(tx, run)) return;
    await this.#end(tx, run, "completed");
  }

  #eventsOf({ family }: Pick<JobRun, "family">): RunEvents {
    return this.#handlers.get(family)?.sendsOwnEvents ? noEvents : this.#parts.events;
  }

  /** @returns undefined when the job was deleted, which makes its task void. */
  async #taskOf(job: Job, signal: AbortSignal): Promise<Task | undefined> {
    const { runId, payload } = partsOfJob(job);
    const run = await getRun(this.#parts.database, runId);
    if (!run || run.isPurged) return undefined;
    return {
      job: run,
      payload,
      attempt: job.attempt,
      signal,
      async end(tx) {
        if (!(await job.end(tx))) return undefined;
        return takeStepBack(tx, runId);
      },
    };
  }

  #handlerOf(job: Job): JobHandler {
    const { family: name } = partsOfJob(job);
    const handler = this.#handlers.get(name);
    if (!handler) throw new Error(`There is no kind of job ${name}.`);
    return handler;
  }
}

const STEP = "step";

type StepPayload = readonly [runId: string, family: string, payload: string];

/** Kind under which the engine knows the steps of a lane. */
function kindOf(lane: string): string {
  return lane === SERVICE_LANE ? STEP : `${STEP} ${lane}`;
}

/** Converts a step of a run to a job of the engine. */
function jobOf(run: JobRun, step: NextTask): NewJob {
  const payload: StepPayload = [run.id, run.family, step.payload];
  const time = step.runAtMs === undefined ? {} : { runAtMs: step.runAtMs };
  return { kind: kindOf(run.lane), group: run.id, payload: JSON.stringify(payload), ...time };
}

/** Reverses `jobOf`. */
function partsOfJob(job: Job) {
  const [runId, family, payload] = JSON.parse(job.payload) as StepPayload;
  return { runId, family, payload };
}
