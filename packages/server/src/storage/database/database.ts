/** A value that can be bound to a placeholder. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A statement that is parsed once and run often. Placeholders are `?`, in order. */
export interface Statement<Row> {
  get(...values: readonly SqlValue[]): Promise<Row | undefined>;
  all(...values: readonly SqlValue[]): Promise<Row[]>;
  /** @returns the number of rows that were inserted, changed or deleted. */
  run(...values: readonly SqlValue[]): Promise<number>;
}

export interface Statements {
  /**
   * The statement of this SQL text. The driver keeps it, so asking again costs a look-up. Write portable SQL.
   * `Row` is what the columns of the statement are: the migrations create them.
   */
  prepared<Row>(sql: string): Statement<Row>;
  /**
   * Ends a SELECT of rows that a transaction is going to change, so that transactions of other processes take others.
   * Missing where one transaction runs at a time.
   */
  readonly skipLocked?: string;
  /**
   * Ends a SELECT of rows that a transaction is going to change while others want to: it is known at once who comes
   * first. Missing where one transaction runs at a time.
   */
  readonly locked?: string;
  /**
   * Takes numbers that no other caller gets, in rising order, without waiting for other transactions. Missing where a
   * row that counts costs nothing.
   */
  numbers?(count: number): Promise<readonly number[]>;
  /** Whether columns can be of the type `tsvector`, which texts are searched by. Missing where they cannot. */
  readonly hasTextSearch?: true;
  /** Tells other processes, once the transaction is kept. May get lost. Missing where they notice by themselves. */
  notify?(topic: string): void;
}

export interface TransactionOptions {
  /**
   * It depends on nothing but rows which its own statements change or lock. Then it never has to be run again because of
   * what others do.
   */
  readonly locksItsRows?: boolean;
}

/** One opened database. */
export interface Database extends Statements {
  /**
   * Runs the work in one transaction: all of it is kept, or nothing when it throws.
   * NOTE: use only the statements handed in. The database's own wait for the transaction to end, forever. The work may
   * be run again when another process was faster.
   */
  transaction<Result>(
    work: (tx: Statements) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Looks for damage that would otherwise show itself late. To be called before anything else.
   * @returns what the operator has to know, in sentences. @throws Error when the data is damaged.
   */
  inspect?(): Promise<readonly string[]>;
  /**
   * Brings the tables to the newest version.
   * @returns the version that was found; 0 when there was nothing. @throws when the data is newer than this program.
   */
  migrate(): Promise<number>;
  /** @throws when the database does not answer, or is damaged. */
  ping(): Promise<void>;
  /** Cleans up after recent writes, without waiting for readers or writers. Call it every minute. */
  checkpoint?(): Promise<void>;
  /**
   * A number that changes once another process, such as the command line, has written. Missing where the
   * database cannot tell that cheaply.
   */
  foreignWrites?(): number;
  /** Hears what transactions of other processes notify. @returns what ends the hearing. */
  hear?(topic: string, listener: () => void): () => void;
  /**
   * Milliseconds by the clock that all processes over the database share: that of its server. Missing where they share
   * this machine. To be used after `migrate`.
   */
  nowMs?(): number;
  /** Reads everything, slowly. @returns what is damaged; empty when all is well. */
  integrityCheck?(): Promise<readonly string[]>;
  /** Erases deleted data from all files, unless other connections are reading. */
  wipe?(): Promise<void>;
  close(): Promise<void>;
}
