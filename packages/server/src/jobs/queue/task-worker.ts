import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { isTold, toldOf } from "../../api/errors.ts";
import { type OwnPart, ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Clock } from "../../storage/clock/clock.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import {
  addedTopic,
  beginAlone,
  claimTasks,
  endAlone,
  insertTasks,
  isDueTaskWaiting,
  isSuspect,
  type TaskRow,
  nextDueMs,
  ownedTask,
  type Outcome,
  ownedTasks,
  type Settled,
  writeOutcomes,
} from "./task-rows.ts";
import type { TaskOwner } from "./task-owner.ts";
import type { Again, NewQueuedTask, Work } from "./task-queue.ts";
import { Outage, pauseMs } from "./outage.ts";
import { TaskShare } from "./task-share.ts";
import { RunningTask, usedAttempts } from "./running-task.ts";

export interface WorkerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly owner: TaskOwner;
  readonly onError: (failure: unknown) => void;
  /** Called with failures that are neither meant for the caller of the task nor temporary. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
  /** Resource that the whole machine lacks, checked before anything fails for lack of it. */
  readonly lacking?: (() => OwnPart | undefined) | undefined;
  /** Called when there may be nothing left to do. */
  readonly rests: () => void;
}

/** Pause after a failed write, or while the machine lacks a resource. */
const TROUBLE_PAUSE_MS = 1000;
/** New tasks of other processes wake a worker at most once in this time. */
const WAKE_INTERVAL_MS = 20;
/** Pause before tasks that are left to other processes are claimed after all. */
const SHARED_PAUSE_MS = 100;
/** How long the stop waits for aborted tasks. */
const STOPPING_MS = 5000;
const MAX_BACKOFF_MS = 60_000;
/** Tasks whose number of outages is remembered. */
const REMEMBERED_SETBACKS = 10_000;
const MAX_ERROR_LENGTH = 2000;
/** How long other tasks wait for a suspect, and a suspect for the tasks under way. */
const ALONE_MS = 5000;

interface ClaimedTask {
  readonly row: TaskRow;
  readonly owner: string;
}

/** Runs the tasks of one kind in this process. One transaction writes outcomes and claims the next tasks. */
export class TaskWorker {
  readonly #work: Work;
  readonly #parts: WorkerParts;
  readonly #running = new Map<number, RunningTask>();
  readonly #waitingForEnd = new Set<() => void>();
  readonly #outage: Outage;
  readonly #setbacks = new LRUCache<number, number>(atMost(REMEMBERED_SETBACKS));
  #settled: Settled[] = [];
  /** Claimed tasks that wait because one of them is a suspect, which begins alone. */
  #held: ClaimedTask[] = [];
  #alone: RunningTask | undefined;
  /** True: the wait for the suspect, or for the tasks before it, is over. */
  #isWaitOver = false;
  #cancelWait: (() => void) | undefined;
  /** Numbers and owners of new tasks that this worker owns as soon as their transaction commits. */
  readonly #taken = new Map<number, string>();
  #isStopping = false;
  #isWoken = false;
  /** True: the worker has to look for due tasks. */
  #mayBeDue = false;
  #turn: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;
  #cancelPause: () => void = () => undefined;
  readonly #share: TaskShare;
  readonly #endHearing: (() => void) | undefined;
  #cancelHeard: (() => void) | undefined;

  constructor(work: Work, parts: WorkerParts) {
    this.#work = work;
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
    this.#share = new TaskShare({ ...parts, kind: work.kind });
    this.#endHearing = parts.database.hear?.(addedTopic(work.kind), () => {
      this.#cancelHeard ??= parts.clock.after(WAKE_INTERVAL_MS, () => {
        this.#cancelHeard = undefined;
        this.wake();
      });
    });
  }

  /** Resource that the service lacks, so that no task begins. */
  get lacking(): OwnPart | undefined {
    return this.#outage.part ?? this.#parts.lacking?.();
  }

  /** True: no task is claimed or about to be. */
  get isIdle(): boolean {
    const { size } = this.#running;
    return size + this.#settled.length + this.#taken.size + this.#held.length === 0 && !this.#turn;
  }

  /** Says that there may be work once the open transactions are over. */
  wake(): void {
    this.#mayBeDue = true;
    this.#takeTurns();
  }

  /**
   * Adds a due task as this worker's own, without a transaction to claim it, when a slot is free and no other
   * task waits for it. The task begins when the transaction commits.
   * @returns false when it has to be added like others.
   */
  async takeNew(tx: Statements, task: NewQueuedTask): Promise<boolean> {
    const nowMs = this.#parts.clock.now();
    const owner = this.#parts.owner.current;
    if (owner === undefined || this.#free <= 0 || (task.runAtMs ?? nowMs) > nowMs) return false;
    if (await this.#share.isReached(tx, this.#own)) return false;
    if (await isDueTaskWaiting(tx, task.kind, nowMs)) return false;
    for (const sequence of await insertTasks(tx, [task], { nowMs, owner })) this.#taken.set(sequence, owner);
    this.#takeTurns();
    return true;
  }

  get #free(): number {
    if (this.#isStopping || this.#alone || this.#held.length > 0) return 0;
    const slots = this.#parts.lacking?.() ? 0 : Math.min(this.#work.slots, this.#outage.most);
    return slots - this.#own;
  }

  get #own(): number {
    return this.#running.size + this.#taken.size;
  }

  #takeTurns(): void {
    this.#isWoken = true;
    this.#turn ??= this.#turns().finally(() => {
      this.#turn = undefined;
      if (this.isIdle) this.#parts.rests();
    });
  }

  /** Aborts tasks that any process cancelled or took over. */
  async abortVanished(): Promise<void> {
    const owners = new Set([...this.#running.values()].map(({ owner }) => owner));
    for (const owner of owners) {
      const before = [...this.#running.values()].filter((running) => running.owner === owner);
      const owned = await ownedTasks(this.#parts.database, owner);
      for (const running of before) {
        if (!owned.has(running.sequence) && !running.hasEnded) running.abort("cancelled");
      }
    }
  }

  abortOwned(owner: string): void {
    for (const running of this.#running.values()) if (running.owner === owner) running.abort("lost");
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#share.close();
    this.#endHearing?.();
    this.#cancelHeard?.();
    this.#cancelTimer();
    this.#cancelPause();
    this.#endWait();
    for (const running of this.#running.values()) running.abort("stopping");
    await this.#ended();
    const atMs = this.#parts.clock.now();
    for (const running of this.#running.values()) this.#settle(running, { end: "again", atMs });
    const held = this.#held.splice(0).map(({ row, owner }) => ({ sequence: row.sequence, owner }));
    this.#settled.push(...held.map((running) => ({ running, outcome: { end: "again", atMs } as const })));
    this.wake();
    await this.#turn;
  }

  async #turns(): Promise<void> {
    while (this.#isWoken) {
      // A caller that adds many tasks wakes the worker often, while its transaction is still open.
      await new Promise((resolve) => setImmediate(resolve));
      this.#isWoken = false;
      await this.#takeTurn().catch((failure: unknown) => this.#waitOutTrouble(failure));
    }
  }

  async #takeTurn(): Promise<void> {
    const { database, clock, owner } = this.#parts;
    if (this.#taken.size > 0) await this.#beginTaken();
    await this.#beginHeld();
    // Checked every time, because a timer may fire a little early.
    const heldMs = this.#parts.lacking?.() ? TROUBLE_PAUSE_MS : this.#outage.heldMs;
    if (heldMs > 0) this.#wakeIn(heldMs);
    const settled = this.#settled;
    const free = this.#mayBeDue && this.#free > 0 && (await this.#isSomethingDue()) ? await this.#room() : 0;
    const isDue = free > 0;
    if (settled.length === 0 && !isDue) return;
    const name = isDue ? await owner.name() : "";
    const claim = async (tx: Statements) => {
      await writeOutcomes(tx, settled);
      if (!isDue) return [];
      return claimTasks(tx, { kind: this.#work.kind, owner: name, nowMs: clock.now(), count: free });
    };
    const rows = await database.transaction(claim, { locksItsRows: true });
    this.#settled = this.#settled.filter((one) => !settled.includes(one));
    this.#held.push(...rows.map((row) => ({ row, owner: name })));
    await this.#beginHeld();
    if (settled.length > 0 || rows.length > 0) this.wake();
  }

  /** How many due tasks to claim. */
  async #room(): Promise<number> {
    const room = await this.#share.room(this.#parts.database, this.#own);
    if (room === 0) this.#wakeIn(SHARED_PAUSE_MS);
    return Math.min(this.#free, room);
  }

  /** Reads only after the transactions that added the tasks. */
  async #beginTaken(): Promise<void> {
    for (const [sequence, owner] of this.#taken) {
      const row = await ownedTask(this.#parts.database, { sequence, owner, kind: this.#work.kind });
      this.#taken.delete(sequence);
      if (row && !this.#running.has(sequence)) this.#held.push({ row, owner });
    }
  }

  /**
   * Begins all held tasks at once. A suspect among them begins alone for a while, after the tasks under way
   * have ended.
   */
  async #beginHeld(): Promise<void> {
    const { database } = this.#parts;
    if (this.#alone && !this.#isWaitOver) return;
    if (this.#alone) await endAlone(database, this.#alone);
    this.#alone = undefined;
    const suspect = this.#isStopping ? undefined : this.#held.find(({ row }) => isSuspect(row));
    if (suspect && this.#running.size > 0 && !this.#isWaitOver) return this.#wait();
    this.#endWait();
    if (suspect && this.#running.size === 0) {
      await beginAlone(database, { sequence: suspect.row.sequence, owner: suspect.owner });
      this.#held = this.#held.filter((one) => one !== suspect);
      this.#alone = this.#begin(suspect.row, suspect.owner);
      this.#wait();
    } else {
      for (const { row, owner } of this.#held.splice(0)) this.#begin(row, owner);
    }
  }

  #endWait(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#isWaitOver = false;
  }

  #wait(): void {
    this.#cancelWait ??= this.#parts.clock.after(ALONE_MS, () => {
      this.#cancelWait = undefined;
      this.#isWaitOver = true;
      this.#takeTurns();
    });
  }

  /** Also sets the timer for tasks that are due later. */
  async #isSomethingDue(): Promise<boolean> {
    const { database, clock } = this.#parts;
    this.#mayBeDue = false;
    this.#cancelTimer();
    const dueMs = await nextDueMs(database, this.#work.kind);
    if (dueMs === undefined) return false;
    const nowMs = clock.now();
    if (dueMs <= nowMs) return true;
    this.#cancelTimer = clock.after(dueMs - nowMs, () => this.wake());
    return false;
  }

  #waitOutTrouble(failure: unknown): void {
    if (this.#isStopping) return;
    this.#parts.onError(failure);
    this.#cancelTimer = this.#parts.clock.after(TROUBLE_PAUSE_MS, () => this.wake());
  }

  #begin(row: TaskRow, owner: string): RunningTask {
    const running = new RunningTask(row, this.#work.kind, owner);
    this.#running.set(row.sequence, running);
    void this.#attempt(running).then((outcome) => this.#settle(running, outcome));
    if (this.#isStopping) running.abort("stopping");
    else if (this.#parts.owner.current !== owner) running.abort("lost");
    return running;
  }

  /** @returns the outcome to write. Undefined when everything is written. */
  async #attempt(running: RunningTask): Promise<Outcome | undefined> {
    const { clock } = this.#parts;
    try {
      let again = await this.#runOrGiveUp(running);
      while (!again && running.moveOn()) {
        if (this.#alone === running) this.#endAlone();
        running.signal.throwIfAborted();
        again = (await this.#mustWait()) ?? (await this.#runOrGiveUp(running));
      }
      this.#setbacks.delete(running.sequence);
      if (!again) this.#outage.worked();
      if (again) return { end: "again", atMs: again.againAtMs };
      return running.hasEnded ? undefined : { end: "done" };
    } catch (failure) {
      // The task continues later or was cancelled. Neither is a failure.
      if (running.signal.aborted) return { end: "again", atMs: clock.now() };
      const part = ownFailure(failure);
      if (part) return this.#setBack(running, part);
      return this.#failed(running, failure);
    }
  }

  async #runOrGiveUp({ task, row, signal }: RunningTask): Promise<Again | undefined> {
    if (usedAttempts(row) < this.#work.attempts) return this.#work.run(task, signal);
    await this.#work.giveUp(task, row.error ?? "The process ended while this was under way.");
    return undefined;
  }

  /** The rest of a task waits behind others where slots are missing. */
  async #mustWait(): Promise<Again | undefined> {
    const { database, clock } = this.#parts;
    if (this.#running.size < this.#work.slots) return undefined;
    const nowMs = clock.now();
    return (await isDueTaskWaiting(database, this.#work.kind, nowMs)) ? { againAtMs: nowMs } : undefined;
  }

  /** The task waits without a lost attempt, because the service lacked something. */
  #setBack({ sequence }: RunningTask, part: OwnPart): Outcome {
    const { clock } = this.#parts;
    const setbacks = (this.#setbacks.get(sequence) ?? 0) + 1;
    this.#setbacks.set(sequence, setbacks);
    this.#outage.failed(part);
    return { end: "again", atMs: clock.now() + pauseMs(setbacks) };
  }

  #wakeIn(delayMs: number): void {
    this.#cancelPause();
    if (!this.#isStopping) this.#cancelPause = this.#parts.clock.after(delayMs, () => this.wake());
  }

  #failed({ row }: RunningTask, failure: unknown): Outcome {
    const failures = row.failures + 1;
    const isLast = usedAttempts({ ...row, failures }) === this.#work.attempts;
    const { backoffMs = fourTimesLonger } = this.#work;
    const error = toldOf(failure);
    if (!isTold(failure)) this.#parts.onFailure?.(failure);
    const atMs = this.#parts.clock.now() + (isLast ? 0 : backoffMs(failures));
    return { end: "failed", atMs, error: error.slice(0, MAX_ERROR_LENGTH) };
  }

  #settle(running: RunningTask, outcome: Outcome | undefined): void {
    running.close();
    if (!this.#running.delete(running.sequence)) return;
    if (this.#alone === running) this.#endAlone();
    if (outcome) this.#settled.push({ running, outcome });
    if (this.#running.size === 0) for (const resolve of this.#waitingForEnd) resolve();
    this.#takeTurns();
  }

  #endAlone(): void {
    this.#alone = undefined;
    this.#endWait();
    this.#takeTurns();
  }

  async #ended(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#waitingForEnd.add(resolve);
      this.#parts.clock.after(STOPPING_MS, resolve);
    });
  }
}

function fourTimesLonger(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, 1000 * 4 ** (failures - 1));
}
