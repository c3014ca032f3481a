import { ownFailure } from "@pergamon-dev/kit/process/own-failure";

/**
 * Marks an order that failed for a reason of its own. The other orders of its transaction are written without
 * it.
 */
class OrderFailure extends Error {}

/** Wraps a failure of one order: `.catch(failAlone)`. */
export function failAlone(cause: unknown): never {
  throw new OrderFailure("An order could not be written.", { cause });
}

/** @property turn see `TransactionOptions.turns`. */
interface OrderOptions {
  readonly turn?: string;
}

/** Writes at once where it waits for nothing. */
type Write<Batch, Result> = (batch: Batch) => Result | Promise<Result>;

/** One pending write with its waiting caller. */
interface Order<Batch> extends OrderOptions {
  readonly write: Write<Batch, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Runs its argument in one transaction, and again when the database asks for it. */
type Transact<Batch> = <Result>(
  work: (batch: Batch) => Promise<Result>,
  turns: readonly string[],
) => Promise<Result>;

const LATER_MS = 50;
/** This many orders do not wait for others. Those of a group wait this long. */
const GROUP = 16;
const GROUP_MS = 15;

/**
 * Reads what is asked for in one turn of the event loop, or during a read, at once.
 * @param read returns what it finds for each key, in their order.
 */
export function readTogether<Key, Found>(
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  interface Asked {
    readonly key: Key;
    found: Found | undefined;
  }
  const reader = new BatchWriter<Asked[]>(async (collect) => {
    const asked: Asked[] = [];
    const result = await collect(asked);
    const found = await read(asked.map(({ key }) => key));
    for (const [index, one] of asked.entries()) one.found = found[index];
    return result;
  }, GROUP);
  return async (key) => {
    const one: Asked = { key, found: undefined };
    await reader.order(async (asked) => asked.push(one));
    return one.found as Found;
  };
}

/**
 * Groups the orders of one turn of the event loop, or those that arrive during a transaction, into one
 * transaction. An order resolves after the commit, so a crash cannot undo anything that was answered.
 */
export class BatchWriter<Batch> {
  readonly #transact: Transact<Batch>;
  readonly #maxOrders: number;
  #waiting: Order<Batch>[] = [];
  #isScheduled = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #groupTimer: NodeJS.Timeout | undefined;

  /** @param maxOrders maximum per transaction. Default: no maximum. */
  constructor(transact: Transact<Batch>, maxOrders = Number.MAX_SAFE_INTEGER) {
    this.#transact = transact;
    this.#maxOrders = maxOrders;
  }

  /** Writes at the end of this turn, or of the next ones while orders come. @throws when the write failed; nothing of it is kept then. */
  order<Result>(write: Write<Batch, Result>): Promise<Result> {
    const ordered = this.#add(write);
    this.#schedule();
    return ordered;
  }

  /** Writes with the next order, or 50 ms later; a process lives until then. @throws as `order`. */
  orderLater<Result>(write: Write<Batch, Result>): Promise<Result> {
    const ordered = this.#add(write);
    this.#timer ??= setTimeout(() => this.#schedule(), LATER_MS);
    return ordered;
  }

  /** Writes with up to 15 others, or 15 ms later. @throws as `order`. */
  orderInGroup<Result>(write: Write<Batch, Result>, options: OrderOptions): Promise<Result> {
    const ordered = this.#add(write, options);
    if (this.#waiting.length >= GROUP) this.#schedule();
    else this.#groupTimer ??= setTimeout(() => this.#schedule(), GROUP_MS);
    return ordered;
  }

  /** Waits until everything ordered so far is written or has failed. */
  async settle(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) await (this.#writing ?? this.#write());
  }

  #add<Result>(write: Write<Batch, Result>, options?: OrderOptions): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as Order<Batch>["resolve"], reject, ...options });
    });
  }

  /** Runs after a turn in which no order came, or once a group waits: a busy process has many in one transaction. */
  #schedule(): void {
    if (this.#isScheduled || this.#writing) return;
    this.#isScheduled = true;
    const look = (before: number) => {
      const { length } = this.#waiting;
      if (length > before && length < GROUP) setImmediate(look, length);
      else void this.#write();
    };
    setImmediate(look, 0);
  }

  async #write(): Promise<void> {
    this.#isScheduled = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#groupTimer);
    this.#timer = undefined;
    this.#groupTimer = undefined;
    if (this.#writing || this.#waiting.length === 0) return this.#writing;
    const orders = this.#waiting.splice(0, this.#maxOrders);
    this.#writing = this.#run(orders).finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
    return this.#writing;
  }

  async #run(orders: readonly Order<Batch>[]): Promise<void> {
    if (orders.length === 0) return;
    const turns = orders.flatMap(({ turn }) => turn ?? []);
    let current: Order<Batch> | undefined;
    try {
      const results = await this.#transact(async (batch) => {
        const written: unknown[] = [];
        for (current of orders) {
          const writing = current.write(batch);
          written.push(writing instanceof Promise ? await writing : writing);
        }
        return written;
      }, turns);
      for (const [index, { resolve }] of orders.entries()) resolve(results[index]);
    } catch (failure) {
      if (failure instanceof OrderFailure) {
        current?.reject(failure.cause);
        await this.#run(orders.filter((order) => order !== current));
      } else if (orders.length === 1 || ownFailure(failure)) {
        for (const { reject } of orders) reject(failure);
      } else {
        // One of them may be the cause.
        const half = Math.ceil(orders.length / 2);
        await this.#run(orders.slice(0, half));
        await this.#run(orders.slice(half));
      }
    }
  }
}
