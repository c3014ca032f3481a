import type { Clock } from "../../storage/clock/clock.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import { countTasks } from "./task-rows.ts";

interface TaskShareParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly kind: string;
}

/** How often a process says that it works on tasks of a kind, and when the others stop counting on it. */
const TELL_MS = 4000;
const SILENT_MS = 10_000;
/** Time that due tasks are left to processes that have fewer. */
const PATIENCE_MS = 1000;
/** How long a count of the tasks is used. */
const COUNT_MS = 1000;

/** Divides the tasks of a kind evenly among the processes that work on it, where these can hear of each other. */
export class TaskShare {
  readonly #parts: TaskShareParts;
  readonly #topic: string;
  readonly #heardAtMs = new Map<string, number>();
  readonly #endHearing: (() => void) | undefined;
  #cancelTelling: (() => void) | undefined;
  #most = Infinity;
  #countedAtMs = -Infinity;
  #leftSinceMs: number | undefined;

  constructor(parts: TaskShareParts) {
    const { database, clock, kind } = parts;
    this.#parts = parts;
    this.#topic = `workers:${encodeURIComponent(kind)}`;
    this.#endHearing = database.hear?.(this.#topic, (sender) => this.#heardAtMs.set(sender, clock.now()));
    if (this.#endHearing) this.#tell();
  }

  /** Whether the process has its share of the tasks, by a recent count. */
  async isReached(statements: Statements, own: number): Promise<boolean> {
    if (this.#parts.clock.now() - this.#countedAtMs >= COUNT_MS) await this.#count(statements);
    return own >= this.#most;
  }

  /**
   * How many more tasks the process may claim.
   * @returns 0 when it has to look again after `PATIENCE_MS`: if nobody else has claimed them by then, it may.
   */
  async room(statements: Statements, own: number): Promise<number> {
    await this.#count(statements);
    const nowMs = this.#parts.clock.now();
    const room = Math.max(0, this.#most - own);
    this.#leftSinceMs = room > 0 ? undefined : (this.#leftSinceMs ?? nowMs);
    if (this.#leftSinceMs === undefined || nowMs - this.#leftSinceMs < PATIENCE_MS) return room;
    this.#leftSinceMs = undefined;
    return Infinity;
  }

  close(): void {
    this.#endHearing?.();
    this.#cancelTelling?.();
  }

  async #count(statements: Statements): Promise<void> {
    const nowMs = this.#parts.clock.now();
    this.#countedAtMs = nowMs;
    for (const [name, atMs] of this.#heardAtMs) if (nowMs - atMs > SILENT_MS) this.#heardAtMs.delete(name);
    const others = this.#heardAtMs.size;
    this.#most =
      others === 0
        ? Infinity
        : Math.ceil((await countTasks(statements, this.#parts.kind, nowMs)) / (others + 1));
  }

  #tell(): void {
    this.#parts.database.notify?.(this.#topic);
    this.#cancelTelling = this.#parts.clock.after(TELL_MS, () => this.#tell());
  }
}
