import type { Clock } from "../../storage/clock/clock.ts";
import type { Lease } from "../../storage/coordination/coordinator.ts";
import type { Database, Statement, Statements } from "../../storage/database/database.ts";
import type { DatabaseQueueOptions } from "./database-queue.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { QueueProcess } from "./task-queue.suite.ts";

interface HeldLease {
  readonly process: MortalProcess;
  readonly ttlMs: number;
  readonly lost: AbortController;
  untilMs: number;
}

/** Leases of processes by a clock that is moved by hand. Processes that live renew theirs, the others do not. */
export class ProcessLeases {
  readonly #clock: Clock;
  readonly #held = new Map<string, HeldLease>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(process: MortalProcess, name: string, ttlMs: number): Lease | undefined {
    this.renew();
    const known = this.#held.get(name);
    if (known && known.untilMs > this.#clock.now()) return undefined;
    const held: HeldLease = {
      process,
      ttlMs,
      lost: new AbortController(),
      untilMs: this.#clock.now() + ttlMs,
    };
    this.#held.set(name, held);
    return {
      signal: held.lost.signal,
      release: async () => {
        if (this.#held.get(name) === held) this.#held.delete(name);
      },
    };
  }

  /** What became of leases since the last look. To be called before a process stalls and after it. */
  renew(): void {
    const nowMs = this.#clock.now();
    for (const [name, held] of this.#held) {
      if (held.process.isAwake && held.untilMs > nowMs) held.untilMs = nowMs + held.ttlMs;
      if (!held.process.isAwake || held.untilMs > nowMs) continue;
      this.#held.delete(name);
      held.lost.abort(new Error("lost"));
    }
  }

  releaseDead(): void {
    for (const [name, { process }] of this.#held) if (process.isKilled) this.#held.delete(name);
  }
}

const RENEWAL_MS = 3000;

/** A process that can be killed between any two statements, stalled, and kept from writing. */
export class MortalProcess implements QueueProcess {
  readonly queue: TaskQueue;
  readonly database: Database;
  readonly #inner: Database;
  readonly #leases: ProcessLeases;
  #steps = 0;
  #isKilled = false;
  #killAtStep = Infinity;
  #isBroken = false;
  #awake: Promise<void> = Promise.resolve();
  #isStalled = false;

  constructor(
    inner: Database,
    leases: ProcessLeases,
    clock: Clock,
    openJobs: (options: DatabaseQueueOptions) => TaskQueue,
  ) {
    this.#inner = inner;
    this.#leases = leases;
    this.database = this.#mortal(inner);
    const coordinator = { lease: async (name: string, ttlMs: number) => this.#take(name, ttlMs) };
    const ownClock = { now: () => clock.now(), after: this.#afterWhileAlive(clock) };
    const onError = (): void => undefined;
    this.queue = openJobs({ database: this.database, coordinator, onError, clock: ownClock });
    const renew = (): void => {
      if (this.#isKilled) return;
      leases.renew();
      clock.after(RENEWAL_MS, renew);
    };
    renew();
  }

  get steps(): number {
    return this.#steps;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  get isAwake(): boolean {
    return !this.#isKilled && !this.#isStalled;
  }

  kill(): void {
    this.#isKilled = true;
  }

  killAfter(steps: number): void {
    this.#killAtStep = this.#steps + steps;
  }

  stall(): () => void {
    let wake = (): void => undefined;
    this.#leases.renew();
    this.#isStalled = true;
    this.#awake = new Promise((resolve) => {
      wake = resolve;
    });
    return () => {
      this.#isStalled = false;
      this.#leases.renew();
      wake();
    };
  }

  breakWrites(isBroken: boolean): void {
    this.#isBroken = isBroken;
  }

  /** The file is closed; all work has ended. */
  async end(): Promise<void> {
    this.kill();
    await this.#inner.close();
  }

  async #take(name: string, ttlMs: number): Promise<Lease | undefined> {
    await this.#step();
    return this.#leases.take(this, name, ttlMs);
  }

  async #step(): Promise<void> {
    await this.#awake;
    if (this.#steps >= this.#killAtStep) this.#isKilled = true;
    if (this.#isKilled) throw new Error("This process was killed.");
    this.#steps += 1;
  }

  #mortal(inner: Database): Database {
    return {
      ...inner,
      prepared: <Row>(sql: string) => this.#mortalStatement(inner.prepared<Row>(sql)),
      transaction: async (work, options) => {
        await this.#step();
        if (this.#isBroken) throw new Error("disk full");
        const result = await inner.transaction(async (tx) => {
          const done = await work(this.#mortalStatements(tx));
          await this.#step();
          return done;
        }, options);
        // The transaction was committed; its caller may not learn it.
        await this.#step();
        return result;
      },
    };
  }

  #mortalStatements(tx: Statements): Statements {
    return {
      ...tx,
      prepared: <Row>(sql: string) => this.#mortalStatement(tx.prepared<Row>(sql)),
      ...(tx.numbers && {
        numbers: async (count: number) => {
          await this.#step();
          return tx.numbers?.(count) ?? [];
        },
      }),
    };
  }

  #mortalStatement<Row>(inner: Statement<Row>): Statement<Row> {
    return {
      get: async (...values) => {
        await this.#step();
        return inner.get(...values);
      },
      all: async (...values) => {
        await this.#step();
        return inner.all(...values);
      },
      run: async (...values) => {
        await this.#step();
        if (this.#isBroken) throw new Error("disk full");
        return inner.run(...values);
      },
    };
  }

  #afterWhileAlive(clock: Clock): Clock["after"] {
    return (delayMs, action) =>
      clock.after(delayMs, () => {
        if (!this.#isKilled) action();
      });
  }
}
