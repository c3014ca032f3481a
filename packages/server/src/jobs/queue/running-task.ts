import type { Statements } from "../../storage/database/database.ts";
import { deleteOwned, isDeadly, renewOwned, type TaskRow, SUSPECT_DEATHS } from "./task-rows.ts";
import { type QueuedTask, TaskAborted } from "./task-queue.ts";

/** Number of failed attempts. Two deaths of a process do not count against the tasks that it had. */
export function usedAttempts({ failures, deaths }: Pick<TaskRow, "failures" | "deaths">): number {
  return failures + Math.max(0, deaths - SUSPECT_DEATHS);
}

export class RunningTask {
  readonly sequence: number;
  readonly owner: string;
  readonly #kind: string;
  readonly #abort = new AbortController();
  #row: TaskRow;
  #rest: string | undefined;
  #isOver = false;
  #hasEnded = false;

  constructor(row: TaskRow, kind: string, owner: string) {
    this.sequence = row.sequence;
    this.owner = owner;
    this.#row = row;
    this.#kind = kind;
  }

  get row(): TaskRow {
    return this.#row;
  }

  get task(): QueuedTask {
    const row = this.#row;
    return {
      id: String(row.sequence),
      kind: this.#kind,
      group: row.group,
      payload: row.payload,
      attempt: usedAttempts(row) + 1,
      isDeadly: isDeadly(row),
      end: (tx) => this.#end(tx),
      goOn: (tx, rest) => this.#goOn(tx, rest),
    };
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True: a transaction of its worker deleted it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Moves on to the rest of the task, once the transaction of its first part is over. @returns false without a rest. */
  moveOn(): boolean {
    if (this.#rest === undefined) return false;
    this.#row = { ...this.#row, payload: this.#rest, failures: 0, deaths: 0, error: null };
    this.#rest = undefined;
    return true;
  }

  /** Makes later writes of this attempt void. */
  close(): void {
    this.#isOver = true;
  }

  abort(why: TaskAborted["why"]): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(new TaskAborted(why));
  }

  async #goOn(tx: Statements, rest: Parameters<QueuedTask["goOn"]>[1]): Promise<boolean> {
    if (this.#isOver) return false;
    // A part that has ended before, ends only once.
    const isOwned = await renewOwned(tx, this, { ...rest, from: this.#row.payload });
    if (!isOwned) return false;
    this.#rest = rest.isParked ? undefined : rest.payload;
    this.#hasEnded = rest.isParked;
    return true;
  }

  async #end(tx: Statements): Promise<boolean> {
    if (this.#isOver) return false;
    this.#hasEnded = await deleteOwned(tx, this.sequence, this.owner);
    return this.#hasEnded;
  }
}
