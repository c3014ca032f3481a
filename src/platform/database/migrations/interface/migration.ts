/** One step forward of the tables. There is no way back. */
export interface Migration {
  /** Counts up from 1 without gaps. */
  readonly version: number;
  readonly name: string;
  /** Portable SQL, one statement each, run in order in one transaction. */
  readonly statements: readonly string[];
  /** Run behind them where the database has text search; in no portable SQL. */
  readonly ofTextSearch?: readonly string[];
}
