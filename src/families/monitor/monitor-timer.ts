import type { Statements } from "../../platform/database/database.ts";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Job, Jobs, Work } from "../../platform/jobs/jobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { nextRun } from "../schedule/schedule.ts";
import { getMonitor, type MonitorRow, setNextRun } from "./monitor-rows.ts";

const TIMER = "monitor";
/** Checks that are begun at once: each waits for the database most of the time. */
const SLOTS = 16;
const ATTEMPTS = 5;

export interface TimerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  /** Writes a check down in the transaction that ends its job. @param monitor as it is in it. */
  begin(inside: Statements, due: DueCheck): Promise<void>;
}

export interface DueCheck {
  readonly monitor: MonitorRow;
  readonly scheduledAtMs: number;
}

/**
 * When monitors run. Each active one has one job that is due at its next run. The transaction that ends the job begins
 * the check and adds the job of the run after it, so that no run is lost and none is there twice, whatever dies.
 */
export class MonitorTimer {
  readonly #parts: TimerParts;

  constructor(parts: TimerParts) {
    this.#parts = parts;
  }

  /** Has a monitor run at the times of its schedule from now on. @returns the first one. */
  async set(
    inside: Statements,
    monitor: Pick<MonitorRow, "id" | "cron" | "timezone">,
  ): Promise<number | null> {
    const { jobs, clock } = this.#parts;
    await jobs.cancel(inside, groupOf(monitor.id));
    return this.#addNext(inside, monitor, clock.now());
  }

  /** Has a monitor not run any more. */
  async clear(inside: Statements, monitorId: string): Promise<void> {
    await this.#parts.jobs.cancel(inside, groupOf(monitorId));
    await setNextRun(inside, monitorId, null);
  }

  work(): Work {
    return {
      kind: TIMER,
      slots: SLOTS,
      attempts: ATTEMPTS,
      run: async (job) => {
        await this.#finish(job);
        return undefined;
      },
      // There is nothing but to try again.
      giveUp: (job) => this.#finish(job),
    };
  }

  async #finish(job: Job): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transaction(async (inside) => {
      if (!(await job.end(inside))) return;
      const monitor = await getMonitor(inside, job.payload);
      if (!monitor || monitor.nextRunAtMs === null) return;
      await this.#parts.begin(inside, { monitor, scheduledAtMs: monitor.nextRunAtMs });
      // Runs that were missed meanwhile are not caught up with.
      await this.#addNext(inside, monitor, Math.max(clock.now(), monitor.nextRunAtMs));
    });
  }

  async #addNext(
    inside: Statements,
    { id, cron, timezone }: Pick<MonitorRow, "id" | "cron" | "timezone">,
    afterMs: number,
  ): Promise<number | null> {
    const runAtMs = nextRun({ cron, timezone }, afterMs);
    await setNextRun(inside, id, runAtMs ?? null);
    if (runAtMs === undefined) return null;
    await this.#parts.jobs.add(inside, [{ kind: TIMER, group: groupOf(id), payload: id, runAtMs }]);
    return runAtMs;
  }
}

function groupOf(monitorId: string): string {
  return `monitor-timer ${monitorId}`;
}
