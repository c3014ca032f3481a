import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import type { JobsOwner } from "../accounts/administration.ts";
import type { Address } from "@pergamon-dev/kit/address";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { QueuedTask, TaskQueue, NewQueuedTask, Worker } from "./queue/task-queue.ts";
import type { NewDocument } from "./documents.ts";
import { insertError, insertRobotsBlocked, type NewError } from "./errors.ts";
import { JobChanges } from "./job-changes.ts";
import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "./job-handler.ts";
import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import { noEvents, type OwnEvent, type JobEvents } from "./job-events.ts";
import {
  addWarning,
  type Appended,
  endJob,
  getJob,
  dispatchTasks,
  insertJob,
  type Job,
  type JobInsert,
  nextJob,
  slotsOfTeam,
  reopenJob,
  type JobGroup,
  type JobState,
  jobsUnderWay,
  jobWithNothingLeft,
  SERVICE_GROUP,
  takeBackTask,
} from "./job-rows.ts";
import { WaitingTasks } from "./waiting-tasks.ts";

interface DispatcherParts {
  readonly database: Database;
  readonly queue: TaskQueue;
  readonly clock: Clock;
  /** Called in the transaction that makes the change. */
  readonly events: JobEvents;
  /** Maximum number of tasks that run at once in this process. */
  readonly slots: number;
}

const CANCELLED_AT_ONCE = 20;
const REMEMBERED_JOBS = 10_000;
const NEVER = new AbortController().signal;
/** Attempts per task. */
const ATTEMPTS = 3;
const DEADLY =
  "The service ended unexpectedly each of the three times when it worked on one of the pages, so the job was ended. The pages that were made are kept.";

/**
 * Hands tasks of jobs to the queue: at most as many of a team as may run at once, in turns between its jobs.
 * Tasks that are not handed out wait in the tables of their family, however many there are.
 *
 * Every method works in a transaction of the caller.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #handlers = new Map<string, JobHandler>();
  readonly #waiting: WaitingTasks;
  readonly #changes = new JobChanges();
  /** Slots that jobs may have besides those of their blocks, one of which goes on. */
  readonly #freeOfKept = new WeakMap<object, number>();
  /** Jobs of blocks that go on, as the last task has left them. */
  readonly #known = new LRUCache<string, Job>(atMost(REMEMBERED_JOBS));

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#waiting = new WaitingTasks(parts.clock, (group) => this.#offer(group));
  }

  /** Registers a kind of job. Register all kinds before calling `work`. */
  register(handler: JobHandler): void {
    this.#handlers.set(handler.name, handler);
  }

  /** Begins to run the tasks of the runs in a worker group. */
  work(workerGroup = SERVICE_GROUP): Worker {
    return this.#parts.queue.work({
      kind: kindOf(workerGroup),
      slots: this.#parts.slots,
      attempts: ATTEMPTS,
      run: async (queued, signal) => {
        const task = await this.#taskOf(queued, signal);
        return task && this.#handlerOf(queued).run(task);
      },
      giveUp: async (queued, reason) => {
        if (queued.isDeadly) return this.#failJobOf(queued);
        const task = await this.#taskOf(queued, NEVER);
        if (task) await this.#handlerOf(queued).fail(task, reason);
      },
    });
  }

  /** Fails the whole job, because its other tasks may end the process as well. */
  async #failJobOf(task: QueuedTask): Promise<void> {
    const { jobId } = partsOf(task);
    await this.#parts.database.transaction((tx) => this.fail(tx, jobId, DEADLY));
  }

  /** Starts a job and asks its family for the first tasks. The family has written its rows before. */
  async start(tx: Statements, job: JobInsert): Promise<void> {
    await insertJob(tx, job, this.#parts.clock.now());
    await this.#eventsOf(job).started(tx, job);
    await this.dispatchNext(tx, { ...job, workerGroup: job.workerGroup ?? SERVICE_GROUP });
  }

  /** Appends to a job; a completed job continues. @returns false when it was cancelled or has failed. */
  async append(tx: Statements, jobId: string, more: Appended): Promise<boolean> {
    const job = await reopenJob(tx, jobId, more.maxConcurrency);
    if (!job) return false;
    await this.admit(tx, jobId, more.pages);
    const { id, teamId, family } = job;
    await this.#eventsOf(job).started(tx, { id, teamId, family, webhook: more.webhook });
    await this.dispatchNext(tx, job);
    return true;
  }

  /**
   * Adds to the number of pages of a job and asks its family for tasks again. A negative number takes pages
   * back.
   */
  async admit(tx: Statements, jobId: string, pages: number): Promise<void> {
    await this.#changes.admit(tx, jobId, pages);
  }

  /** Records that a page of the job became a document. */
  async addDocument(tx: Statements, job: Job, document: NewDocument): Promise<void> {
    await this.#changes.addDocument(tx, job.id, document);
    await this.#eventsOf(job).pageMade(tx, job, document);
  }

  /** Records that a page of the job became no document. */
  async addFailure(tx: Statements, job: Job, error: NewError, creditsUsed = 0): Promise<void> {
    await insertError(tx, job.id, error, this.#parts.clock.now());
    await tx
      .prepared("UPDATE job_runs SET failed = failed + 1, credits_used = credits_used + ? WHERE id = ?")
      .run(creditsUsed, job.id);
    await this.#eventsOf(job).pageFailed(tx, job, error);
  }

  /** Adds credits that the job used besides those of its pages. */
  async addCredits(tx: Statements, jobId: string, credits: number): Promise<void> {
    await tx.prepared("UPDATE job_runs SET credits_used = credits_used + ? WHERE id = ?").run(credits, jobId);
  }

  /** Records an error of a URL that is not a page of the job. */
  async recordError(tx: Statements, job: Job, error: NewError): Promise<void> {
    await insertError(tx, job.id, error, this.#parts.clock.now());
  }

  /** Sends an event of the family's own to the webhooks of the job. */
  async tell(tx: Statements, job: Job, event: OwnEvent): Promise<void> {
    await this.#parts.events.happened(tx, job, event);
  }

  async recordRobotsBlocked(tx: Statements, job: Job, url: Address): Promise<void> {
    await insertRobotsBlocked(tx, job.id, url, this.#parts.clock.now());
  }

  /** Adds a sentence to the warnings of a job. A sentence that is already there is not repeated. */
  async warn(tx: Statements, jobId: string, warning: string): Promise<void> {
    await addWarning(tx, jobId, warning);
  }

  /** The prompt of a job, if its kind has prompts. */
  questionOf(job: Job): string | undefined {
    return this.#handlers.get(job.family)?.question?.(job);
  }

  /** What a job was asked for. It may hold secrets. */
  async requestOf(statements: Statements, job: Job): Promise<unknown> {
    return this.#handlers.get(job.family)?.request?.(statements, job);
  }

  /** Addresses that a job has seen, by what became of them. Empty when its kind does not list them. */
  async outcomes(statements: Statements, job: Job): Promise<Readonly<Record<string, number>>> {
    return (await this.#handlers.get(job.family)?.outcomes?.(statements, job)) ?? {};
  }

  /** Pages of a job that were found but not made yet. Empty when its kind does not list them. */
  async pending(statements: Statements, job: Job, part: ListPart): Promise<readonly PendingPage[]> {
    const family = this.#handlers.get(job.family);
    return (await family?.pending?.(statements, job, part)) ?? [];
  }

  /**
   * Hands out the tasks of the job's team that may run now. Completes a job that has no task under way and
   * none left.
   */
  async dispatchNext(tx: Statements, job: JobGroup & Pick<Job, "id">): Promise<void> {
    await this.#changes.atEnd(tx, job.id, () => this.#dispatchNext(tx, job));
  }

  async #dispatchNext(tx: Statements, job: JobGroup & Pick<Job, "id">): Promise<void> {
    const free = this.#freeOfKept.get(job);
    const handed = free === undefined || free > 0 ? await this.#dispatch(tx, job) : new Set<string>();
    const mayBeFinished = free === undefined && !handed.has(job.id);
    const finished = mayBeFinished ? await jobWithNothingLeft(tx, job.id) : undefined;
    if (finished) await this.#endUnlessWaiting(tx, finished);
    this.#parts.events.changed(job.id);
  }

  /** Waits for a host. Meanwhile the task does not count towards the concurrency of its team. */
  withoutSlot<Result>(group: JobGroup, wait: Promise<Result>): Promise<Result> {
    return this.#waiting.during(group, wait);
  }

  async #offer(group: JobGroup): Promise<void> {
    const { database } = this.#parts;
    if (!(await nextJob(database, group))) return;
    await database.transaction((tx) => this.#dispatch(tx, group));
  }

  /**
   * Completes a job although tasks are left, for example at its limit. Aborts the tasks that are under way.
   */
  async complete(tx: Statements, jobId: string): Promise<void> {
    await this.#endNow(tx, jobId, "completed");
  }

  /** Ends a job that could not do its work, as failed. */
  async fail(tx: Statements, jobId: string, error: string): Promise<void> {
    await this.#endNow(tx, jobId, "failed", error);
  }

  /** Cancels a job. No task of it begins after the transaction, and those under way are aborted. */
  async cancel(tx: Statements, jobId: string): Promise<void> {
    await this.#endNow(tx, jobId, "cancelled");
  }

  /**
   * Cancels all jobs of a team or of a key. Later writes of their tasks are void once the transaction
   * commits. Many jobs are cancelled in turns.
   */
  async cancelAllOf(tx: Statements, owner: JobsOwner): Promise<void> {
    await inSteps(CANCELLED_AT_ONCE, async (count) => {
      const ids = await jobsUnderWay(tx, owner, count);
      for (const id of ids) await this.cancel(tx, id);
      return ids.length;
    });
  }

  async #endNow(tx: Statements, jobId: string, state: JobState, error?: string): Promise<void> {
    const job = await getJob(tx, jobId);
    if (job?.state !== "scraping") return;
    await this.#changes.flush(tx);
    this.#changes.forget(tx, jobId);
    await this.#parts.queue.cancel(tx, jobId);
    await this.#end(tx, job, state, error);
    await this.#dispatch(tx, job);
    this.#parts.events.changed(jobId);
  }

  async #end(tx: Statements, job: Job, state: JobState, error?: string): Promise<void> {
    if (!(await endJob(tx, job.id, { state, error, nowMs: this.#parts.clock.now() }))) return;
    const ended = await getJob(tx, job.id);
    if (!ended) return;
    const family = this.#handlers.get(job.family);
    await family?.ended?.(tx, ended);
    const reason = state === "cancelled" ? `${family?.title ?? "Job"} was cancelled` : error;
    const result = await family?.result?.(tx, ended);
    await this.#eventsOf(job).ended(tx, ended, { error: reason, result });
    for (const other of this.#handlers.values()) if (other !== family) await other.otherEnded?.(tx, ended);
  }

  /** @returns the jobs that got a task. */
  async #dispatch(tx: Statements, group: JobGroup): Promise<ReadonlySet<string>> {
    const handed = new Set<string>();
    for (let free = await this.#freeOf(tx, group); free > 0; free -= 1) {
      const job = await nextJob(tx, group);
      if (!job) break;
      const isHanded = (await this.#parts.queue.resume(tx, job.id)) || (await this.#addBlock(tx, job));
      await dispatchTasks(tx, job, isHanded ? 1 : 0);
      if (isHanded) handed.add(job.id);
      else if (job.inFlight === 0) await this.#endUnlessWaiting(tx, job);
    }
    return handed;
  }

  /** @returns false when the job has no more tasks. */
  async #addBlock(tx: Statements, job: Job): Promise<boolean> {
    const handler = this.#handlers.get(job.family);
    const tasks = (await handler?.next(tx, job, sizeOfBlock(job, handler.maxBlock))) ?? [];
    if (tasks.length > 0) await this.#parts.queue.add(tx, [queuedTaskOf(job, tasks)]);
    return tasks.length > 0;
  }

  async #freeOf(tx: Statements, group: JobGroup): Promise<number> {
    const { slots, inFlight } = await slotsOfTeam(tx, group);
    return slots - inFlight + this.#waiting.among(slots, group);
  }

  async #endUnlessWaiting(tx: Statements, job: Job): Promise<void> {
    if (await this.#handlers.get(job.family)?.isWaiting?.(tx, job)) return;
    await this.#end(tx, job, "completed");
  }

  #eventsOf({ family }: Pick<Job, "family">): JobEvents {
    return this.#handlers.get(family)?.sendsOwnEvents ? noEvents : this.#parts.events;
  }

  /** The first task of a block. @returns undefined when the job was deleted, which makes its tasks void. */
  async #taskOf(queued: QueuedTask, signal: AbortSignal): Promise<Task | undefined> {
    const { jobId, payloads } = partsOf(queued);
    const [payload, ...rest] = payloads;
    const job = this.#known.get(queued.id) ?? (await getJob(this.#parts.database, jobId));
    this.#known.delete(queued.id);
    if (!job || job.isPurged || payload === undefined) return undefined;
    return {
      job,
      payload,
      attempt: queued.attempt,
      // What a page leaves at its signal goes with the page.
      signal: AbortSignal.any([signal]),
      end: async (tx) => {
        const isLast = rest.length === 0;
        const ended = await (isLast ? this.#endBlock(tx, queued, jobId) : this.#goOnWith(tx, queued, rest));
        if (!ended) return undefined;
        const now = this.#changes.applied(tx, ended.job);
        if (!isLast) this.#known.set(queued.id, now);
        if (ended.isKept) this.#freeOfKept.set(now, now.maxInFlight - now.inFlight);
        return now;
      },
    };
  }

  async #endBlock(tx: Statements, queued: QueuedTask, jobId: string): Promise<EndedTask | undefined> {
    this.#changes.forget(tx, jobId);
    const job = (await queued.end(tx)) ? await takeBackTask(tx, jobId) : undefined;
    return job && { job, isKept: false };
  }

  /**
   * Ends the first task of a block. The slot of the rest goes to a job of the team that has too few, if there is
   * one.
   */
  async #goOnWith(
    tx: Statements,
    queued: QueuedTask,
    rest: readonly string[],
  ): Promise<EndedTask | undefined> {
    const { jobId, family } = partsOf(queued);
    const found = await this.#changes.jobOfTask(tx, jobId);
    if (!found) return undefined;
    const payload = JSON.stringify([jobId, family, ...rest] satisfies BlockPayload);
    if (!(await queued.goOn(tx, { payload, isParked: found.isAhead }))) return undefined;
    if (!found.isAhead) return { job: found.job, isKept: true };
    this.#changes.forget(tx, jobId);
    const job = await takeBackTask(tx, jobId, 1);
    return job && { job, isKept: false };
  }

  #handlerOf(task: QueuedTask): JobHandler {
    const { family: name } = partsOf(task);
    const handler = this.#handlers.get(name);
    if (!handler) throw new Error(`There is no kind of job ${name}.`);
    return handler;
  }
}

/** @property isKept true: the slot of the task is that of the rest of its block. */
interface EndedTask {
  readonly job: Job;
  readonly isKept: boolean;
}

const STEP = "step";

type BlockPayload = readonly [jobId: string, family: string, ...payloads: string[]];

/** Slots among which the pages of a job are shared, when it has no smaller limit. */
const MAX_SHARES = 64;

/** Blocks become smaller toward the end of a job, so that all its slots are used until then. */
function sizeOfBlock({ total, completed, failed, maxInFlight }: Job, max = 1): number {
  const left = total - completed - failed;
  return Math.max(1, Math.min(max, Math.floor(left / (2 * Math.min(maxInFlight, MAX_SHARES)))));
}

/** Kind under which the queue knows the tasks of a worker group. */
function kindOf(workerGroup: string): string {
  return workerGroup === SERVICE_GROUP ? STEP : `${STEP} ${workerGroup}`;
}

/** Converts tasks of a job to one entry of the queue. */
function queuedTaskOf(job: Job, tasks: readonly NextTask[]): NewQueuedTask {
  const payload: BlockPayload = [job.id, job.family, ...tasks.map((task) => task.payload)];
  const [{ runAtMs } = {}] = tasks;
  const time = runAtMs === undefined ? {} : { runAtMs };
  return { kind: kindOf(job.workerGroup), group: job.id, payload: JSON.stringify(payload), ...time };
}

/** Reverses `queuedTaskOf`. */
function partsOf(task: QueuedTask) {
  const [jobId, family, ...payloads] = JSON.parse(task.payload) as BlockPayload;
  return { jobId, family, payloads };
}
