import { BatchWriter, failAlone } from "../storage/database/batch-writer.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { QueuedTask, TaskQueue, Work } from "../jobs/queue/task-queue.ts";
import { nextRun } from "../jobs/schedule/schedule.ts";
import { getMonitor, type MonitorRow, setNextRun } from "./rows.ts";

const TIMER = "monitor";
/** Due monitors that are claimed at once. */
const SLOTS = 500;
/**
 * Monitors per transaction. Each takes about half a millisecond, in which the transaction does nothing else.
 */
const MAX_TOGETHER = 50;
const ATTEMPTS = 5;

interface TimerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: TaskQueue;
  /**
   * Inserts a check in the transaction that ends its job. The transaction may be repeated. @param due its
   * monitor is read in the transaction.
   */
  begin(tx: Statements, due: DueCheck): Promise<void>;
}

interface DueCheck {
  readonly monitor: MonitorRow;
  readonly scheduledAtMs: number;
}

/**
 * Runs monitors at their times. Each active monitor has one job, which is due at its next run. The
 * transaction that ends the job begins the check and adds the job of the next run, so that no run is lost or
 * repeated when a process dies.
 */
export class MonitorTimer {
  readonly #parts: TimerParts;
  readonly #writer: BatchWriter<Statements>;

  constructor(parts: TimerParts) {
    this.#parts = parts;
    this.#writer = new BatchWriter((work) => parts.database.transaction(work), MAX_TOGETHER);
  }

  /** Schedules a monitor from now on. @returns the time of its first run. */
  async set(tx: Statements, monitor: Pick<MonitorRow, "id" | "cron" | "timezone">): Promise<number | null> {
    const { queue, clock } = this.#parts;
    await queue.cancel(tx, groupOf(monitor.id));
    return this.#addNext(tx, monitor, clock.now());
  }

  /** Removes a monitor from the schedule. */
  async clear(tx: Statements, monitorId: string): Promise<void> {
    await this.#parts.queue.cancel(tx, groupOf(monitorId));
    await setNextRun(tx, monitorId, null);
  }

  work(): Work {
    return {
      kind: TIMER,
      slots: SLOTS,
      attempts: ATTEMPTS,
      run: async (task) => {
        await this.#end(task);
        return undefined;
      },
      // The job can only be tried again.
      giveUp: (task) => this.#end(task),
    };
  }

  /** Shares a transaction with other due monitors. A failing one does not affect the others. */
  #end(task: QueuedTask): Promise<void> {
    return this.#writer.order((tx) => this.#begin(tx, task).catch(failAlone));
  }

  async #begin(tx: Statements, task: QueuedTask): Promise<void> {
    if (!(await task.end(tx))) return;
    const monitor = await getMonitor(tx, task.payload);
    if (!monitor || monitor.nextRunAtMs === null) return;
    await this.#parts.begin(tx, { monitor, scheduledAtMs: monitor.nextRunAtMs });
    // Missed runs are not made up for.
    await this.#addNext(tx, monitor, Math.max(this.#parts.clock.now(), monitor.nextRunAtMs));
  }

  async #addNext(
    tx: Statements,
    { id, cron, timezone }: Pick<MonitorRow, "id" | "cron" | "timezone">,
    afterMs: number,
  ): Promise<number | null> {
    const runAtMs = nextRun({ cron, timezone }, afterMs);
    await setNextRun(tx, id, runAtMs ?? null);
    if (runAtMs === undefined) return null;
    await this.#parts.queue.add(tx, [{ kind: TIMER, group: groupOf(id), payload: id, runAtMs }]);
    return runAtMs;
  }
}

function groupOf(monitorId: string): string {
  return `monitor-timer ${monitorId}`;
}
