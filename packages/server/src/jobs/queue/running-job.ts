import type { Statements } from "../../storage/database/database.ts";
import { deleteOwned, isDeadly, type JobRow, SUSPECT_DEATHS } from "./job-rows.ts";
import { type Job, JobAborted } from "./jobs.ts";

/** Number of failed attempts. Two deaths of a process do not count against the jobs that it had. */
export function usedAttempts({ failures, deaths }: Pick<JobRow, "failures" | "deaths">): number {
  return failures + Math.max(0, deaths - SUSPECT_DEATHS);
}

export class RunningJob {
  readonly sequence: number;
  readonly owner: string;
  readonly row: JobRow;
  readonly job: Job;
  readonly #abort = new AbortController();
  #isOver = false;
  #hasEnded = false;

  constructor(row: JobRow, kind: string, owner: string) {
    this.sequence = row.sequence;
    this.owner = owner;
    this.row = row;
    this.job = {
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

  abort(why: JobAborted["why"]): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(new JobAborted(why));
  }

  async #end(tx: Statements): Promise<boolean> {
    if (this.#isOver) return false;
    this.#hasEnded = await deleteOwned(tx, this.sequence, this.owner);
    return this.#hasEnded;
  }
}
