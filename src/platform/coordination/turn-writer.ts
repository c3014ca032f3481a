import type { Database, Statements } from "../database/database.ts";

type Write<Result> = (inside: Statements) => Promise<Result>;

interface Order {
  readonly write: Write<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Writes in one transaction what was ordered in one turn of the event loop, or while the last transaction ran. */
export class TurnWriter {
  readonly #database: Database;
  #waiting: Order[] = [];
  #isScheduled = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves once it is kept. @throws when the transaction could not be written; nothing of it is kept then. */
  order<Result>(write: Write<Result>): Promise<Result> {
    this.#schedule();
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as Order["resolve"], reject });
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    const orders = this.#waiting;
    this.#waiting = [];
    try {
      const results = await this.#database.transaction(async (inside) => {
        const written: unknown[] = [];
        for (const { write } of orders) written.push(await write(inside));
        return written;
      });
      for (const [index, { resolve }] of orders.entries()) resolve(results[index]);
    } catch (failure) {
      for (const { reject } of orders) reject(failure);
    } finally {
      this.#isScheduled = false;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}
