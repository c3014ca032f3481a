import type { Database } from "../../platform/database/database.ts";
import { insertScrapes, type ScrapeRecord } from "./scrape-rows.ts";

/** How long a record waits for company. */
const WAIT_MS = 50;
/** So many are written without waiting, and at most so many in one transaction. */
const BATCH = 200;
const RETRY_MS = 1_000;
/** When writing keeps failing, what came first is given up beyond this. */
const MOST_WAITING = 20_000;

/** Records on their way to the database, written many at a time. */
export class RecordQueue {
  readonly #database: Database;
  readonly #onError: (failure: unknown) => void;
  /** Oldest first, without those that are being written. */
  #waiting: ScrapeRecord[] = [];
  /** By id, with those that are being written. */
  readonly #unwritten = new Map<string, ScrapeRecord>();
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(database: Database, onError: (failure: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  add(record: ScrapeRecord): void {
    this.#unwritten.set(record.id, record);
    this.#waiting.push(record);
    if (this.#waiting.length > MOST_WAITING) this.#giveUp(this.#waiting.shift());
    const isFull = this.#waiting.length >= BATCH;
    if (isFull && !this.#isFailing) this.#writeInBackground();
    else this.#writeLater();
  }

  /** A record that is not written yet. */
  find(id: string): ScrapeRecord | undefined {
    return this.#unwritten.get(id);
  }

  /** Writes everything that waits. @throws when that fails; it then goes on waiting. */
  async flush(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) {
      this.#writing ??= this.#writeBatch();
      await this.#writing;
    }
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #writeLater(): void {
    const afterMs = this.#isFailing ? RETRY_MS : WAIT_MS;
    this.#timer ??= setTimeout(() => this.#writeInBackground(), afterMs).unref();
  }

  #writeInBackground(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#writing) this.flush().catch(this.#onError);
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH);
    this.#waiting = this.#waiting.slice(BATCH);
    try {
      await this.#database.transaction((inside) => insertScrapes(inside, batch));
      this.#isFailing = false;
      for (const record of batch) this.#forget(record);
    } catch (failure) {
      this.#waiting = [...batch, ...this.#waiting];
      this.#isFailing = true;
      this.#writeLater();
      throw failure;
    } finally {
      this.#writing = undefined;
    }
  }

  #giveUp(record: ScrapeRecord | undefined): void {
    if (record) this.#forget(record);
  }

  #forget(record: ScrapeRecord): void {
    if (this.#unwritten.get(record.id) === record) this.#unwritten.delete(record.id);
  }
}
