import type { Statements } from "../../storage/database/database.ts";
import { deleteOwned, isDeadly, type TaskRow, SUSPECT_DEATHS } from "./task-rows.ts";
import { type QueuedTask, TaskAborted } from "./task-queue.ts";

/** Number of failed attempts. Two deaths of a process do not count against the tasks that it had. */
export function usedAttempts({ failures, deaths }: Pick<TaskRow, "failures" | "deaths">): number {
  return failures + Math.max(0, deaths - SUSPECT_DEATHS);
}

export class RunningTask {
  readonly sequence: number;
  readonly owner: string;
  readonly row: TaskRow;
  readonly task: QueuedTask;
  readonly #abort = new AbortController();
  #isOver = false;
  #hasEnded = false;

  constructor(row: TaskRow, kind: string, owner: string) {
    this.sequence = row.sequence;
    this.owner = owner;
    this.row = row;
    this.task = {
      id: String(row.sequence),
      kind,
      group: row.group,
      payload: row.payload,
      attempt: usedAttempts(row) + 1,
      isDeadly: isDeadly(row),
      end: (tx) => this.#end(tx),
    };
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True: a transaction of its worker deleted it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Makes later writes of this attempt void. */
  close(): void {
    this.#isOver = true;
  }

  abort(why: TaskAborted["why"]): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(new TaskAborted(why));
  }

  async #end(tx: Statements): Promise<boolean> {
    if (this.#isOver) return false;
    this.#hasEnded = await deleteOwned(tx, this.sequence, this.owner);
    return this.#hasEnded;
  }
}
