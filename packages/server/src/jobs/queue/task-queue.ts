import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../../storage/database/database.ts";

/** Orders the due tasks of one kind. */
export type Priority = "high" | "normal" | "low";

/** Work that is stored before it is done. */
export interface NewQueuedTask {
  /** Workers take tasks of one kind. */
  readonly kind: string;
  /** Tasks of one group are cancelled together. */
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

export interface QueuedTask {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly payload: string;
  /** Counts from 1. Two deaths of a process do not count. */
  readonly attempt: number;
  /** True: two processes died with this task under way, and a third after it had begun this task alone. */
  readonly isDeadly: boolean;
  /**
   * Ends the task in a transaction of the caller, with its results and follow-up tasks.
   * @returns false when this process does not have it any more (cancelled, or taken over). Then write
   *   nothing.
   */
  end(tx: Statements): Promise<boolean>;
  /**
   * Ends a part of the task in a transaction of the caller. When `run` resolves, it is called again with the
   * rest, which has all its attempts.
   * @param isParked true: the rest waits for `TaskQueue.resume` instead. @returns as `end`.
   */
  goOn(tx: Statements, rest: { readonly payload: string; readonly isParked: boolean }): Promise<boolean>;
}

/** Puts a task back until `againAtMs`. This does not count as an attempt. */
export interface Again {
  readonly againAtMs: number;
}

/** How a worker runs the tasks of one kind. */
export interface Work {
  readonly kind: string;
  /** Maximum number of tasks that run at once in this process. */
  readonly slots: number;
  /** Attempts before a task is given up. */
  readonly attempts: number;
  /** Pause after the first, second … failure. Default: 1, 4, 16 … seconds, at most a minute. */
  readonly backoffMs?: (failures: number) => number;
  /**
   * Runs a task. The task ends when this resolves, unless it has ended itself or returns `Again`. When this
   * rejects, the task is tried again. A failure that the service itself caused (`ownFailure`) uses up no
   * attempt: the task waits up to a minute, and after a few such failures in a row no further task of the kind
   * begins.
   * @param signal aborts with a `JobAborted` when the result is not wanted any more.
   */
  run(task: QueuedTask, signal: AbortSignal): Promise<Again | undefined>;
  /**
   * Called instead of `run` once all attempts are used, or for a deadly task. It must end the task; when it
   * rejects, it is called again.
   * @param reason message of the last failure, safe to show to clients.
   */
  giveUp(task: QueuedTask, reason: string): Promise<void>;
}

export interface Worker {
  /** Begins no further task, aborts those under way and leaves them to other processes. */
  stop(): Promise<void>;
}

/**
 * Persistent tasks. Callers add them in their own transaction, so that a task exists if, and only if, the data
 * that it follows from does. A task begins within milliseconds when a slot is free, in one process at a time:
 * first those of higher priority, then those due first, then those added first. A task that was under way when
 * two processes died begins alone. If it ends the next process too, it is given up at once.
 */
export interface TaskQueue {
  add(tx: Statements, tasks: readonly NewQueuedTask[]): Promise<void>;
  /** Makes a parked task of the group due. @returns false when there is none. */
  resume(tx: Statements, group: string): Promise<boolean>;
  /**
   * Removes the tasks of a group. Those under way are aborted in every process, and cannot end any more.
   * @returns how many there were.
   */
  cancel(tx: Statements, group: string): Promise<number>;
  /** Starts a worker. Each process has one worker per kind. */
  work(work: Work): Worker;
  /** Resource that the service lacks, so that tasks wait. Undefined while they begin as usual. */
  readonly lacking: OwnPart | undefined;
  close(): Promise<void>;
}

export class TaskAborted extends Error {
  readonly why: "cancelled" | "lost" | "stopping";

  constructor(why: TaskAborted["why"]) {
    super(MESSAGES[why]);
    this.name = "JobAborted";
    this.why = why;
  }
}

const MESSAGES: Readonly<Record<TaskAborted["why"], string>> = {
  cancelled: "The job was cancelled.",
  lost: "Another process may have taken over the job.",
  stopping: "The service is stopping; the job continues later.",
};
