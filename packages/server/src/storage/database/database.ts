/** A value that can be bound to a placeholder. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A statement that is parsed once and run often. Its placeholders are `?`, in order, or all are numbered: `?1`. */
export interface Statement<Row> {
  get(...values: readonly SqlValue[]): Promise<Row | undefined>;
  all(...values: readonly SqlValue[]): Promise<Row[]>;
  /** @returns the number of rows that were inserted, changed or deleted. */
  run(...values: readonly SqlValue[]): Promise<number>;
}

export interface Statements {
  /**
   * Returns the statement of this SQL text. The driver caches it, so asking again costs a look-up. Write
   * portable SQL. The migrations define the columns that `Row` describes.
   */
  prepared<Row>(sql: string): Statement<Row>;
  /**
   * Suffix for a SELECT of rows that a transaction will change, so that transactions of other processes pick
   * other rows. Missing where only one transaction runs at a time.
   */
  readonly skipLocked?: string;
  /**
   * Suffix for a SELECT of rows that several transactions want to change. It decides at once which one comes
   * first. Missing where only one transaction runs at a time.
   */
  readonly locked?: string;
  /**
   * Takes rising numbers that no other caller gets, without waiting for other transactions. Missing where a
   * counter row costs nothing.
   */
  numbers?(count: number): Promise<readonly number[]>;
  /**
   * Postpones a write until the others of the transaction are done. Missing where a transaction has the writes
   * of one caller only.
   */
  last?(write: () => Promise<void>): void;
  /** True when columns can have the type `tsvector` for text search. */
  readonly hasTextSearch?: true;
  /**
   * Notifies other processes: of a transaction, after the commit. The message may get lost. Missing where
   * processes notice writes by themselves.
   */
  notify?(topic: string): void;
}

export interface TransactionOptions {
  /**
   * True when the work depends only on rows that its own statements change or lock. Such a transaction never
   * has to run again because of other processes.
   */
  readonly locksItsRows?: boolean;
  /**
   * Names of what transactions of several processes change all the time. Those with a name in common run one
   * after the other, instead of again and again.
   */
  readonly turns?: readonly string[];
}

export interface Database extends Statements {
  /**
   * Ends the leases of processes that died, if no other process has the database open: nobody has to wait until they
   * are over. Missing where a database is never one process's.
   */
  endLeasesOfDead?(): Promise<void>;
  /**
   * Runs the work in one transaction. It commits everything, or nothing when the work throws.
   * NOTE: use only the statements handed in. The database's own statements wait for the transaction to end,
   * which would be forever. The work may run again when another process was faster.
   */
  transaction<Result>(
    work: (tx: Statements) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Looks for damage that would otherwise show late. Call it before anything else.
   * @returns sentences for the operator. @throws Error when the data is damaged.
   */
  inspect?(): Promise<readonly string[]>;
  /**
   * Migrates the tables to the newest version.
   * @returns the version found; 0 for an empty database. @throws when the data is newer than this program.
   */
  migrate(): Promise<number>;
  /** @throws when the database does not answer, or is damaged. */
  ping(): Promise<void>;
  /** Gives up the memory that only makes the next statements faster. Missing where there is hardly any. */
  letGo?(): Promise<void>;
  /** Moves recent writes into the main file, without waiting for readers or writers. Call it every minute. */
  checkpoint?(): Promise<void>;
  /**
   * Changes once another process, such as the command line, has written. Missing where the database cannot
   * tell that cheaply.
   */
  foreignWrites?(): number;
  /**
   * Listens to notifications by other processes. @param listener gets a name of the sender. @returns a function
   * that ends the subscription.
   */
  hear?(topic: string, listener: (sender: string) => void): () => void;
  /**
   * Milliseconds by the clock that all processes over the database share, the server's. Missing where they
   * share this machine. Call it only after `migrate`.
   */
  nowMs?(): number;
  /** SQL for that time when the statement runs, which may be long after it was sent. */
  readonly serverTime?: string;
  /** Reads everything, slowly. @returns descriptions of the damage; empty when there is none. */
  integrityCheck?(): Promise<readonly string[]>;
  /** Erases deleted data from all files, unless other connections are reading. */
  wipe?(): Promise<void>;
  close(): Promise<void>;
}
