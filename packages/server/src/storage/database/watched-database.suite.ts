import { waitForOthers } from "../clock/manual-clock.suite.ts";
import type { Database, Statement, Statements } from "./database.ts";

/** What one database has to do. */
class Load {
  /** Statements, beginnings and ends of transactions that the server works on. */
  underWay = 0;
  /** Statements that wait for the transaction which their process has begun. */
  outside = 0;
  /** Transactions that have begun and not ended. */
  inHands = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isBusy(): boolean {
    return this.underWay > 0 || (this.outside > 0 && this.inHands === 0);
  }

  async count<Result>(what: "underWay" | "outside", run: () => Promise<Result>): Promise<Result> {
    this[what] += 1;
    try {
      return await run();
    } finally {
      this[what] -= 1;
      this.#onChange();
    }
  }

  async inHand<Result>(run: () => Promise<Result>): Promise<Result> {
    this.underWay -= 1;
    this.inHands += 1;
    this.#onChange();
    try {
      return await run();
    } finally {
      this.inHands -= 1;
      this.underWay += 1;
    }
  }
}

/** Databases whose server answers when it likes, for tests by a clock that is moved by hand. */
export class WatchedDatabases {
  readonly #loads: Load[] = [];
  /** Who has written, once for each time. */
  readonly #writers: Database[] = [];

  #changed = Promise.resolve();
  #change = (): void => undefined;

  /** Code that yields to others waits for the server, too, from now on until this is called. */
  readonly close = waitForOthers(() =>
    this.#loads.some(({ isBusy }) => isBusy) ? this.#changed : undefined,
  );

  constructor() {
    this.#awaitChange();
  }

  #awaitChange(): void {
    this.#change();
    this.#changed = new Promise((resolve) => {
      this.#change = resolve;
    });
  }

  watch(inner: Database): Database {
    const load = new Load(() => this.#awaitChange());
    this.#loads.push(load);
    const { hear: _hear, ...rest } = inner;
    const watched: Database = {
      ...rest,
      prepared: <Row>(sql: string) => {
        const statement = watchedStatement(inner.prepared<Row>(sql), load, "outside");
        const run: Statement<Row>["run"] = async (...values) => {
          const changed = await statement.run(...values);
          this.#writers.push(watched);
          return changed;
        };
        return { ...statement, run };
      },
      transaction: (work, options) =>
        load.count("underWay", async () => {
          const inHand = (tx: Statements) => load.inHand(() => work(watchedStatements(tx, load)));
          const result = await inner.transaction(inHand, options);
          this.#writers.push(watched);
          return result;
        }),
      // At once, and not when the server gets round to it.
      foreignWrites: () => this.#writers.filter((writer) => writer !== watched).length,
    };
    return watched;
  }
}

function watchedStatements(tx: Statements, load: Load): Statements {
  return {
    ...tx,
    prepared: (sql) => watchedStatement(tx.prepared(sql), load, "underWay"),
    ...(tx.numbers && {
      numbers: (count) => load.count("underWay", async () => tx.numbers?.(count) ?? []),
    }),
  };
}

function watchedStatement<Row>(
  inner: Statement<Row>,
  load: Load,
  where: "outside" | "underWay",
): Statement<Row> {
  return {
    get: (...values) => load.count(where, () => inner.get(...values)),
    all: (...values) => load.count(where, () => inner.all(...values)),
    run: (...values) => load.count(where, () => inner.run(...values)),
  };
}
