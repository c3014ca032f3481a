import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../../storage/database/database.ts";

/** Orders the due jobs of one kind. */
export type Priority = "high" | "normal" | "low";

/** Work that is stored before it is done. */
export interface NewJob {
  /** Workers take jobs of one kind. */
  readonly kind: string;
  /** Jobs of one group are cancelled together. */
  readonly group: string;
  /** JSON for the worker, of at most `MAX_PAYLOAD_BYTES`. */
  readonly payload: string;
  /** Default: normal. */
  readonly priority?: Priority;
  /** Default: now. */
  readonly runAtMs?: number;
}

/** Larger payloads belong in a table of their own. */
export const MAX_PAYLOAD_BYTES = 32 * 1024;

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly payload: string;
  /** Counts from 1. Two deaths of a process do not count. */
  readonly attempt: number;
  /** True: two processes died with this job under way, and a third after it had begun this job alone. */
  readonly isDeadly: boolean;
  /**
   * Ends the job in a transaction of the caller, with its results and follow-up jobs.
   * @returns false when this process does not have it any more (cancelled, or taken over). Then write
   *   nothing.
   */
  end(tx: Statements): Promise<boolean>;
}

/** Puts a job back until `againAtMs`. This does not count as an attempt. */
export interface Again {
  readonly againAtMs: number;
}

/** How a worker runs the jobs of one kind. */
export interface Work {
  readonly kind: string;
  /** Maximum number of jobs that run at once in this process. */
  readonly slots: number;
  /** Attempts before a job is given up. */
  readonly attempts: number;
  /** Pause after the first, second … failure. Default: 1, 4, 16 … seconds, at most a minute. */
  readonly backoffMs?: (failures: number) => number;
  /**
   * Runs a job. The job ends when this resolves, unless it has ended itself or returns `Again`. When this
   * rejects, the job is tried again. A failure that the service itself caused (`ownFailure`) uses up no
   * attempt: the job waits up to a minute, and after a few such failures in a row no further job of the kind
   * begins.
   * @param signal aborts with a `JobAborted` when the result is not wanted any more.
   */
  run(job: Job, signal: AbortSignal): Promise<Again | undefined>;
  /**
   * Called instead of `run` once all attempts are used, or for a deadly job. It must end the job; when it
   * rejects, it is called again.
   * @param reason message of the last failure, safe to show to clients.
   */
  giveUp(job: Job, reason: string): Promise<void>;
}

export interface Worker {
  /** Begins no further job, aborts those under way and leaves them to other processes. */
  stop(): Promise<void>;
}

/**
 * Persistent jobs. Callers add them in their own transaction, so that a job exists if, and only if, the data
 * that it follows from does. A job begins within milliseconds when a slot is free, in one process at a time:
 * first those of higher priority, then those due first, then those added first. A job that was under way when
 * two processes died begins alone. If it ends the next process too, it is given up at once.
 */
export interface Jobs {
  add(tx: Statements, jobs: readonly NewJob[]): Promise<void>;
  /**
   * Removes the jobs of a group. Those under way are aborted in every process, and cannot end any more.
   * @returns how many there were.
   */
  cancel(tx: Statements, group: string): Promise<number>;
  /** Starts a worker. Each process has one worker per kind. */
  work(work: Work): Worker;
  /** Resource that the service lacks, so that jobs wait. Undefined while they begin as usual. */
  readonly lacking: OwnPart | undefined;
  close(): Promise<void>;
}

export class JobAborted extends Error {
  readonly why: "cancelled" | "lost" | "stopping";

  constructor(why: JobAborted["why"]) {
    super(MESSAGES[why]);
    this.name = "JobAborted";
    this.why = why;
  }
}

const MESSAGES: Readonly<Record<JobAborted["why"], string>> = {
  cancelled: "The job was cancelled.",
  lost: "Another process may have taken over the job.",
  stopping: "The service is stopping; the job continues later.",
};
