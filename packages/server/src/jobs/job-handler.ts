import type { Again } from "./queue/jobs.ts";
import type { Statements } from "../storage/database/database.ts";
import type { JobRun } from "./run-rows.ts";

/** The next thing to do for a job, as its kind wants it back. */
export interface NextTask {
  /** JSON of at most 32 KB. */
  readonly payload: string;
  /** Default: as soon as possible. */
  readonly runAtMs?: number;
}

/** A page that a job has yet to make. */
export interface PendingPage {
  readonly url: string;
  /** Whether a task has it. */
  readonly isUnderWay: boolean;
  /** Names its place among them, for the next page of the list. */
  readonly cursor: string;
}

/** @property after the cursor of the last page of the list before. */
export interface ListPart {
  readonly after: string | undefined;
  readonly count: number;
}

/** A task under way. */
export interface Task {
  /** As it was when the task began. */
  readonly job: JobRun;
  readonly payload: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts when the job was cancelled or has ended, and when this process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the task in a transaction of the caller: the one of its charge, where there is one (`AlsoWrite`).
   * @returns the job as it is then, or undefined when the task is too late: its job has ended or was cancelled, or
   * another process has the task. Write and charge nothing then.
   */
  end(tx: Statements): Promise<JobRun | undefined>;
}

/**
 * A kind of job at work in one store (`defineJobKind` makes it). Waiting tasks are in tables of the kind; the dispatcher
 * asks for the next ones, never more of a team than may run at once, and the engine has them run, again where a process
 * dies.
 *
 * A task ends in one transaction: `task.end`, then what it brought (`Dispatcher.addDocument`, `addFailure`, `admit`, rows of
 * the kind), then `Dispatcher.proceed`, which hands out the next tasks, or completes the job.
 */
export interface JobHandler {
  /** As webhooks name it: `crawl`, `batch_scrape`. */
  readonly name: string;
  /** As people read it: `Crawl`. */
  readonly title: string;
  /** True: its webhooks are events of its own. Start, pages and end of its jobs are not reported. */
  readonly sendsOwnEvents?: boolean | undefined;
  /**
   * Takes up to `count` next tasks, in order, and notes in the same transaction that they are taken. Fewer than `count`:
   * there are no more until `admit` is called.
   */
  next(tx: Statements, job: JobRun, count: number): Promise<readonly NextTask[]>;
  /** Runs a task. It has to end it, unless it is to be run again; when it rejects it is tried again, at most three times. */
  run(task: Task): Promise<Again | undefined>;
  /** Ends a task that failed thrice. When it rejects it is called again. */
  fail(task: Task, reason: string): Promise<void>;
  /** Pages that are found and not made, in order: at most `count`. Without it, none are shown. */
  pending?(statements: Statements, job: JobRun, part: ListPart): Promise<readonly PendingPage[]>;
  /** Whether a job that has nothing under way waits for something that will call `admit` and `proceed`. */
  isWaiting?(tx: Statements, job: JobRun): Promise<boolean>;
  /** Called in the transaction that ends a job, for every kind of end. */
  ended?(tx: Statements, job: JobRun): Promise<void>;
  /** What webhooks receive with the end of a job, as JSON. Without it, nothing but that. */
  result?(tx: Statements, job: JobRun): Promise<string | undefined>;
  /** What the job was asked in words, for the operator. Without it, the job is recognised by its first page. */
  question?(job: JobRun): string | undefined;
}
