import type { Again } from "./queue/task-queue.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Job } from "./job-rows.ts";

/** The next task of a job. Its kind gets the payload back. */
export interface NextTask {
  /** JSON of at most 32 KB. */
  readonly payload: string;
  /** Default: now. */
  readonly runAtMs?: number;
}

/** A page of a job that is not made yet. */
export interface PendingPage {
  readonly url: string;
  /** True: a task works on it. */
  readonly isUnderWay: boolean;
  /** Position in the list, from which the next page of the list continues. */
  readonly cursor: string;
}

/** @property after cursor of the last entry of the previous part. */
export interface ListPart {
  readonly after: string | undefined;
  readonly count: number;
}

export interface Task {
  /** State of the job when the task began. */
  readonly job: Job;
  readonly payload: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Aborts when the job was cancelled or has ended, and when this process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the task in the caller's transaction, which is that of its charge where there is one (`AlsoWrite`).
   * @returns the current job, or undefined when the task is too late: its job has ended or was cancelled, or
   *   another process has the task. Then write and charge nothing.
   */
  end(tx: Statements): Promise<Job | undefined>;
}

/**
 * A kind of job at work in one store, made by `defineJobKind`. Waiting tasks are in tables of the kind. The
 * dispatcher asks for the next ones, never more of a team than may run at once. The queue runs them, and
 * runs them again when a process dies.
 *
 * A task ends in one transaction: `task.end`, then its results (`Dispatcher.addDocument`, `addFailure`,
 * `admit`, rows of the kind), then `Dispatcher.proceed`, which hands out the next tasks or completes the job.
 */
export interface JobHandler {
  /** Name in webhooks: `crawl`, `batch_scrape`. */
  readonly name: string;
  /** Name for people: `Crawl`. */
  readonly title: string;
  /**
   * True: the webhooks carry only the kind's own events. Start, pages and end of its jobs are not reported.
   */
  readonly sendsOwnEvents?: boolean | undefined;
  /**
   * Maximum number of tasks that a process gets at once. It runs such a block one after the other, in one slot.
   * Default: 1.
   */
  readonly maxBlock?: number | undefined;
  /**
   * Takes up to `count` next tasks in order and records in the same transaction that they are taken. None
   * means that there are no more until `admit` is called.
   */
  next(tx: Statements, job: Job, count: number): Promise<readonly NextTask[]>;
  /**
   * Runs a task and ends it, unless it returns `Again`. When it rejects, it is tried again, at most three
   * times in all.
   */
  run(task: Task): Promise<Again | undefined>;
  /** Ends a task that failed three times. When it rejects, it is called again. */
  fail(task: Task, reason: string): Promise<void>;
  /** Up to `count` pages that were found but not made yet, in order. Without this method none are shown. */
  pending?(statements: Statements, job: Job, part: ListPart): Promise<readonly PendingPage[]>;
  /** Addresses that the job has seen, by what became of them. */
  outcomes?(statements: Statements, job: Job): Promise<Readonly<Record<string, number>> | undefined>;
  /** True: the job has no task under way but waits for something that will call `admit` and `proceed`. */
  isWaiting?(tx: Statements, job: Job): Promise<boolean>;
  /** Called in the transaction that ends a job, in every end state. */
  ended?(tx: Statements, job: Job): Promise<void>;
  /** Called in the transaction that ends a job of another kind. */
  otherEnded?(tx: Statements, job: Job): Promise<void>;
  /** JSON that webhooks receive with the end of a job. Without this method they receive only the end. */
  result?(tx: Statements, job: Job): Promise<string | undefined>;
  /** What was asked for, as far as it is stored: options of its pages, or of the job. It may hold secrets. */
  request?(statements: Statements, job: Job): Promise<unknown>;
  /** Prompt of the job, for the operator. Without this method the operator sees its first page. */
  question?(job: Job): string | undefined;
}
