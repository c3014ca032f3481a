import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import { type Clock, systemClock } from "../../storage/clock/clock.ts";
import type { Coordinator } from "../../storage/coordination/coordinator.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import { TaskOwner, OWNER_TTL_MS } from "./task-owner.ts";
import { deleteGroup, insertTasks, ownersOfTasks, resumeParked, takeOver } from "./task-rows.ts";
import { TaskWorker } from "./task-worker.ts";
import type { TaskQueue, NewQueuedTask, Work, Worker } from "./task-queue.ts";

export interface DatabaseQueueOptions {
  readonly database: Database;
  /** Shows which processes died: the lease of a living process cannot be taken. */
  readonly coordinator: Pick<Coordinator, "lease">;
  /** Called when the database could not be read or written. The work is tried again. */
  readonly onError: (failure: unknown) => void;
  /** Called with unexpected failures of tasks. Default: they are not reported. */
  readonly onFailure?: (failure: unknown) => void;
  /** Resource that the whole machine lacks. No task begins meanwhile. */
  readonly lacking?: () => OwnPart | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** How often an idle process checks for tasks of others, and a busy one for cancellations by others. */
const IDLE_LOOK_MS = 1000;
const BUSY_LOOK_MS = 100;
/** Least time between two looks for tasks of others, where processes hear of each other. */
const HEARD_LOOK_MS = 900;
/** How long an idle process keeps its lease. */
const LINGER_MS = 30_000;

/** Tasks in the table `tasks`. */
export function openDatabaseQueue(options: DatabaseQueueOptions): TaskQueue {
  return new DatabaseQueue(options);
}

class DatabaseQueue implements TaskQueue {
  readonly #options: DatabaseQueueOptions;
  readonly #clock: Clock;
  readonly #owner: TaskOwner;
  readonly #workers = new Map<string, TaskWorker>();
  #lastMs = 0;
  #isLooking = false;
  #cancelLook: (() => void) | undefined;
  #cancelLeave: (() => void) | undefined;
  #seenWrites: number | undefined;
  #lookedAtMs = -Infinity;
  /** Whether other processes have tasks, so that one of them may die. */
  #hasOthers = true;
  #isClosed = false;

  constructor(options: DatabaseQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#owner = new TaskOwner(options.coordinator, (name) => {
      for (const worker of this.#workers.values()) worker.abortOwned(name);
    });
  }

  async add(tx: Statements, tasks: readonly NewQueuedTask[]): Promise<void> {
    const [only] = tasks;
    const isAlone = only && tasks.length === 1;
    if (isAlone && (await this.#workers.get(only.kind)?.takeNew(tx, only))) return;
    await insertTasks(tx, tasks, { nowMs: this.#now() });
    for (const kind of new Set(tasks.map((task) => task.kind))) this.#workers.get(kind)?.wake();
  }

  async resume(tx: Statements, group: string): Promise<boolean> {
    const kind = await resumeParked(tx, group, this.#now());
    if (kind !== undefined) this.#workers.get(kind)?.wake();
    return kind !== undefined;
  }

  async cancel(tx: Statements, group: string): Promise<number> {
    const cancelled = await deleteGroup(tx, group);
    // The abort reads the database, so it waits until the transaction is over.
    if (cancelled > 0) setImmediate(() => this.#abortVanished());
    return cancelled;
  }

  work(work: Work): Worker {
    if (this.#workers.has(work.kind))
      throw new Error(`There is a worker for jobs of kind ${work.kind} already.`);
    const { database, onError, onFailure, lacking } = this.#options;
    const clock = { ...this.#clock, now: () => this.#now(), after: this.#clock.after.bind(this.#clock) };
    const rests = () => this.#leaveSoon();
    const worker = new TaskWorker(work, {
      database,
      clock,
      owner: this.#owner,
      onError,
      onFailure,
      lacking,
      rests,
    });
    this.#workers.set(work.kind, worker);
    worker.wake();
    if (!this.#isLooking) this.#look();
    return {
      stop: async () => {
        await worker.stop();
        this.#workers.delete(work.kind);
      },
    };
  }

  get lacking(): OwnPart | undefined {
    return [...this.#workers.values()].find(({ lacking }) => lacking !== undefined)?.lacking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook?.();
    this.#cancelLeave?.();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    await this.#owner.leave();
  }

  /** Never goes back, so that a clock that is set back does not delay due tasks. */
  #now(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#clock.now());
    return this.#lastMs;
  }

  /**
   * Checks for changes by other processes and for tasks of dead ones. Costs almost nothing while they do not
   * write.
   */
  #look(): void {
    this.#isLooking = true;
    void this.#lookOnce()
      .catch(this.#options.onError)
      .finally(() => {
        if (this.#isClosed) return;
        const isIdle = [...this.#workers.values()].every((worker) => worker.isIdle);
        this.#cancelLook = this.#clock.after(isIdle ? IDLE_LOOK_MS : BUSY_LOOK_MS, () => this.#look());
      });
  }

  async #lookOnce(): Promise<void> {
    const writes = this.#options.database.foreignWrites?.();
    const isSeen = writes !== undefined && writes === this.#seenWrites;
    this.#seenWrites = writes;
    if (!isSeen || this.#hasOthers) await this.#lookAtOthers(isSeen);
  }

  async #lookAtOthers(isSeen: boolean): Promise<void> {
    // Where processes hear of each other, this look makes up for messages that are lost.
    const nowMs = this.#now();
    if (!this.#options.database.hear || nowMs - this.#lookedAtMs >= HEARD_LOOK_MS) {
      this.#lookedAtMs = nowMs;
      const taken = await this.#takeOverFromDead();
      if (taken === 0 && isSeen) return;
      this.#wakeAll();
    }
    if (!isSeen) await this.#abortAllVanished();
  }

  /** @returns how many tasks wait again. */
  async #takeOverFromDead(): Promise<number> {
    const { database, coordinator } = this.#options;
    const owners = (await ownersOfTasks(database)).filter((owner) => owner !== this.#owner.current);
    this.#hasOthers = owners.length > 0;
    let taken = 0;
    for (const owner of owners) {
      const lease = await coordinator.lease(owner, OWNER_TTL_MS);
      if (!lease) continue;
      taken += await takeOver(database, owner);
      await lease.release();
    }
    return taken;
  }

  #wakeAll(): void {
    for (const worker of this.#workers.values()) worker.wake();
  }

  #abortVanished(): void {
    this.#abortAllVanished().catch(this.#options.onError);
  }

  async #abortAllVanished(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.abortVanished()));
  }

  #leaveSoon(): void {
    this.#cancelLeave?.();
    this.#cancelLeave = this.#clock.after(LINGER_MS, () => {
      const isIdle = [...this.#workers.values()].every((worker) => worker.isIdle);
      if (isIdle) void this.#owner.leave().catch(this.#options.onError);
    });
  }
}
