import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../../storage/database/database.ts";

/** What comes first among jobs of one kind that are due. */
export type Priority = "high" | "normal" | "low";

/** Work that is written down before it is done. */
export interface NewJob {
  /** Who does it: workers take jobs of one kind. */
  readonly kind: string;
  /** What is cancelled together. */
  readonly group: string;
  /** JSON that the worker understands, of at most `MAX_PAYLOAD_BYTES`. */
  readonly payload: string;
  /** Default: normal. */
  readonly priority?: Priority;
  /** Default: at once. */
  readonly runAtMs?: number;
}

/** A larger payload belongs into a table of its own. */
export const MAX_PAYLOAD_BYTES = 32 * 1024;

/** A job that this process has begun. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly payload: string;
  /** 1 for the first. Two deaths of a process under way do not count. */
  readonly attempt: number;
  /** Whether a process died soon after it had begun this alone, as two before it had with this under way. */
  readonly isDeadly: boolean;
  /**
   * Ends the job in a transaction of the caller, with its results and the jobs that follow from it.
   * @returns false when it is not this process's any more (cancelled, or taken over): write nothing then.
   */
  end(tx: Statements): Promise<boolean>;
}

/** Puts a job back until then. It does not count as an attempt. */
export interface Again {
  readonly againAtMs: number;
}

/** How jobs of one kind are done. */
export interface Work {
  readonly kind: string;
  /** How many are done at the same time in this process. */
  readonly slots: number;
  /** How often a job is begun before it is given up. */
  readonly attempts: number;
  /** How long it waits after its first, second … failure. Default: 1, 4, 16 … seconds, at most a minute. */
  readonly backoffMs?: (failures: number) => number;
  /**
   * Does a job. It is ended when this resolves, unless it has ended itself or is to be done again; when it rejects it is
   * tried again. Where the service itself lacked something (`ownFailure`), that uses up no attempt: the job waits, up to a
   * minute, and after a few such failures in a row nothing more of the kind is begun meanwhile.
   * @param signal aborts with a `JobAborted` when nothing is to come of it any more.
   */
  run(job: Job, signal: AbortSignal): Promise<Again | undefined>;
  /**
   * Called instead of `run` once all attempts are used, or where the job is deadly. Ends the job, too; when it rejects it
   * is called again.
   * @param reason what the last attempt threw, in words that may be told.
   */
  giveUp(job: Job, reason: string): Promise<void>;
}

export interface Worker {
  /** Begins nothing more, aborts what is under way, and leaves it to others. */
  stop(): Promise<void>;
}

/**
 * Jobs that survive the end of the process. Callers add them in their own transaction, so that they are there
 * if, and only if, what they follow from is. A job is begun within milliseconds when a slot is free, by one process at a
 * time: first those of higher priority, then those that were due first, then those that were added first. One that was
 * under way when two processes died is begun alone: if it ends the next one, too, it is given up at once.
 */
export interface Jobs {
  add(tx: Statements, jobs: readonly NewJob[]): Promise<void>;
  /**
   * Removes the jobs of a group. Those under way are aborted, in every process, and cannot be ended any more.
   * @returns how many there were.
   */
  cancel(tx: Statements, group: string): Promise<number>;
  /** Begins to work. One worker per kind and process. */
  work(work: Work): Worker;
  /** What the service lacks, so that jobs wait; undefined while they are begun as usual. */
  readonly lacking: OwnPart | undefined;
  /** Stops all workers. */
  close(): Promise<void>;
}

/** Why a job under way was aborted. */
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
