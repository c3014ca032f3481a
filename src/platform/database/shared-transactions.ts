import type { Database, Statements } from "./database.ts";

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Writes many small things in few transactions: whatever comes while one is under way shares the next one. Items that
 * fail together are written again one by one, so that a bad one harms no other.
 */
export class SharedTransactions<Item> {
  readonly #database: Pick<Database, "transaction">;
  readonly #maxItems: number;
  readonly #write: (inside: Statements, item: Item) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #isWriting = false;

  /** @param maxItems of one transaction: others wait for its end. */
  constructor(
    database: Pick<Database, "transaction">,
    maxItems: number,
    write: (inside: Statements, item: Item) => Promise<void>,
  ) {
    this.#database = database;
    this.#maxItems = maxItems;
    this.#write = write;
  }

  /** Resolves once the item's transaction is kept. @throws what writing it threw. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Whoever adds several does it in one go.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const together = this.#waiting.slice(0, this.#maxItems);
      this.#waiting = this.#waiting.slice(this.#maxItems);
      if (await this.#isWritten(together)) for (const { resolve } of together) resolve();
      else for (const one of together) await this.#writeAlone(one);
    }
    this.#isWriting = false;
  }

  async #isWritten(together: readonly Waiting<Item>[]): Promise<boolean> {
    if (together.length === 1) return false;
    try {
      await this.#database.transaction(async (inside) => {
        for (const { item } of together) await this.#write(inside, item);
      });
      return true;
    } catch {
      // Each is written alone then, and tells its own failure.
      return false;
    }
  }

  async #writeAlone({ item, resolve, reject }: Waiting<Item>): Promise<void> {
    await this.#database.transaction((inside) => this.#write(inside, item)).then(resolve, reject);
  }
}
