import { addUsage, type Usage } from "../accounts/usage.ts";
import type { Database } from "../platform/database/database.ts";
import { insertScrapes, type ScrapeRecord } from "./scrape-rows.ts";

/** How long a record waits for company. */
const WAIT_MS = 50;
/** So many are written without waiting, and at most so many in one transaction. */
const BATCH = 200;
const RETRY_MS = 1_000;
/** When writing keeps failing, what came first is given up beyond this. */
const MOST_WAITING = 20_000;

/** Records and costs on their way to the database, written many at a time. */
export class RecordQueue {
  readonly #database: Database;
  readonly #onError: (failure: unknown) => void;
  readonly #records = new Map<string, ScrapeRecord>();
  readonly #usage: Usage[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(database: Database, onError: (failure: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Adds a record, and its cost to the usage of team and key. */
  add(record: ScrapeRecord): void {
    this.#records.set(record.id, record);
    this.addUsage(record);
  }

  addUsage({ teamId, keyId, creditsUsed, createdAtMs }: Usage): void {
    this.#usage.push({ teamId, keyId, creditsUsed, createdAtMs });
    this.#dropOldest();
    if (this.#isClosed) return;
    if (this.#usage.length >= BATCH && !this.#isFailing) this.#flushSoon(0);
    else this.#timer ??= this.#startTimer(this.#isFailing ? RETRY_MS : WAIT_MS);
  }

  /** A record that is not written yet. */
  find(id: string): ScrapeRecord | undefined {
    return this.#records.get(id);
  }

  /** Writes everything that waits now. @throws when that fails; it then goes on waiting. */
  async flush(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    while (this.#usage.length > 0) {
      this.#flushing ??= this.#writeBatch().finally(() => {
        this.#flushing = undefined;
      });
      await this.#flushing;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.flush();
  }
}
