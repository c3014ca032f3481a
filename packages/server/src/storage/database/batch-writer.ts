/**
 * Marks an order that failed for a reason of its own. The other orders of its transaction are written without
 * it.
 */
class OrderFailure extends Error {}

/** Wraps a failure of one order: `.catch(failAlone)`. */
export function failAlone(cause: unknown): never {
  throw new OrderFailure("An order could not be written.", { cause });
}

/** One pending write with its waiting caller. */
interface Order<Batch> {
  readonly write: (batch: Batch) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Runs its argument in one transaction, and again when the database asks for it. */
type Transact<Batch> = <Result>(work: (batch: Batch) => Promise<Result>) => Promise<Result>;

const LATER_MS = 50;

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

  /** @param maxOrders maximum per transaction. Default: no maximum. */
  constructor(transact: Transact<Batch>, maxOrders = Number.MAX_SAFE_INTEGER) {
    this.#transact = transact;
    this.#maxOrders = maxOrders;
  }

  /** Writes at the end of this turn. @throws when the write failed; nothing of it is kept then. */
  order<Result>(write: (batch: Batch) => Promise<Result>): Promise<Result> {
    const ordered = this.#add(write);
    this.#schedule();
    return ordered;
  }

  /** Writes with the next order, or 50 ms later. @throws as `order`. */
  orderLater<Result>(write: (batch: Batch) => Promise<Result>): Promise<Result> {
    const ordered = this.#add(write);
    this.#timer ??= setTimeout(() => this.#schedule(), LATER_MS).unref();
    return ordered;
  }

  /** Waits until everything ordered so far is written or has failed. */
  async settle(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) await (this.#writing ?? this.#write());
  }

  #add<Result>(write: (batch: Batch) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as Order<Batch>["resolve"], reject });
    });
  }

  /** Runs after the events of this turn, so that all orders of the turn share a transaction. */
  #schedule(): void {
    if (this.#isScheduled || this.#writing) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    this.#isScheduled = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
    let current: Order<Batch> | undefined;
    try {
      const results = await this.#transact(async (batch) => {
        const written: unknown[] = [];
        for (current of orders) written.push(await current.write(batch));
        return written;
      });
      for (const [index, { resolve }] of orders.entries()) resolve(results[index]);
    } catch (failure) {
      const isOwn = failure instanceof OrderFailure;
      const failed = orders.filter((order) => !isOwn || order === current);
      for (const { reject } of failed) reject(isOwn ? failure.cause : failure);
      if (isOwn) await this.#run(orders.filter((order) => order !== current));
    }
  }
}
