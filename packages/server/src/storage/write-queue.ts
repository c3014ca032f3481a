import type { Database, Statements } from "./database/database.ts";

/** Time that a row waits for others. */
const WAIT_MS = 50;
/** This many rows are written without waiting, and at most this many in one transaction. */
const BATCH = 200;
const RETRY_MS = 1_000;
/** Maximum of waiting rows. While writing keeps failing, the oldest are dropped beyond it. */
const MAX_WAITING = 20_000;

interface Named {
  readonly id: string;
}

interface WriteQueueOptions<Row> {
  readonly database: Database;
  /** Writes rows within a transaction, and leaves existing ones unchanged. */
  readonly insert: (tx: Statements, rows: readonly Row[]) => Promise<void>;
  /** Called when waiting rows could not be written. They are tried again. */
  readonly onError: (failure: unknown) => void;
}

/** Queues rows for the database and writes many at a time. */
export class WriteQueue<Row extends Named> {
  readonly #database: Database;
  readonly #insert: WriteQueueOptions<Row>["insert"];
  readonly #onError: (failure: unknown) => void;
  /** Oldest first, without those that are being written. */
  #waiting: Row[] = [];
  /** By id, with those that are being written. */
  readonly #unwritten = new Map<string, Row>();
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor({ database, insert, onError }: WriteQueueOptions<Row>) {
    this.#database = database;
    this.#insert = insert;
    this.#onError = onError;
  }

  add(row: Row): void {
    this.#unwritten.set(row.id, row);
    this.#waiting.push(row);
    if (this.#waiting.length > MAX_WAITING) this.#giveUp(this.#waiting.shift());
    const isFull = this.#waiting.length >= BATCH;
    if (isFull && !this.#isFailing) this.#writeInBackground();
    else this.#writeLater();
  }

  /** Returns a row that is not written yet. */
  find(id: string): Row | undefined {
    return this.#unwritten.get(id);
  }

  /** Writes all waiting rows. @throws when that fails; the rows then keep waiting. */
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
      await this.#database.transaction((tx) => this.#insert(tx, batch));
      this.#isFailing = false;
      for (const row of batch) this.#forget(row);
    } catch (failure) {
      this.#waiting = [...batch, ...this.#waiting];
      this.#isFailing = true;
      this.#writeLater();
      throw failure;
    } finally {
      this.#writing = undefined;
    }
  }

  #giveUp(row: Row | undefined): void {
    if (row) this.#forget(row);
  }

  #forget(row: Row): void {
    if (this.#unwritten.get(row.id) === row) this.#unwritten.delete(row.id);
  }
}
