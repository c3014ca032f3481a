import { LRUCache } from "lru-cache";

import type { Database } from "../storage/database/database.ts";

const MAX_REMEMBERED = 10_000;
/** Where the database cannot tell, a revocation by another process counts after this time at the latest. */
const REMEMBERED_MS = 50;

type Find<Found> = (nowMs: number) => Promise<Found | undefined>;

/** What was found in the database a moment ago, until another process writes to it. */
export class Remembered<Found extends object> {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #remembered = new LRUCache<string, { readonly found: Found; readonly untilMs: number }>({
    max: MAX_REMEMBERED,
  });
  /** Looks that have not ended: those who come meanwhile wait for them. */
  #looking = new Map<string, Promise<Found | undefined>>();
  #seenWrites: number | undefined;
  #isFresh = false;

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.#seenWrites = database.foreignWrites?.();
  }

  async of(name: string, find: Find<Found>): Promise<Found | undefined> {
    this.#forgetAfterForeignWrites();
    const nowMs = this.#clock();
    const known = this.#remembered.get(name);
    if (known && nowMs < known.untilMs) return known.found;
    const looking = this.#looking.get(name) ?? this.#look(name, nowMs, find);
    this.#looking.set(name, looking);
    return looking;
  }

  forget(): void {
    this.#remembered.clear();
    this.#looking = new Map();
  }

  async #look(name: string, nowMs: number, find: Find<Found>): Promise<Found | undefined> {
    const looking = this.#looking;
    try {
      const found = await find(nowMs);
      // What had to be forgotten meanwhile is not remembered.
      if (found && looking === this.#looking)
        this.#remembered.set(name, { found, untilMs: nowMs + REMEMBERED_MS });
      return found;
    } finally {
      looking.delete(name);
    }
  }

  /** Once for all requests that arrived together: asking the database costs more than the rest. */
  #forgetAfterForeignWrites(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    const writes = this.#database.foreignWrites?.();
    if (writes === this.#seenWrites) return;
    this.#seenWrites = writes;
    this.forget();
  }
}
