import type { Database, Statements } from "../platform/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import { type Companion, CompanionFailure, CompanionGroup } from "./companion.ts";
import { LedgerAccounts, type Charge, chargeIssuer, LedgerConflict } from "./ledger.ts";
import type { Team } from "./teams.ts";
import { addUsage } from "./usage.ts";

/** A charge, and what else is noted with it. */
export interface Posting extends Charge {
  readonly team: Team;
  /** When the work began. */
  readonly startedAtMs: number;
  /** False: only counted in the usage of the month, without an entry of its own. */
  readonly hasEntry: boolean;
  /** Whether the hold was written and has to go. */
  readonly isSecured: boolean;
  readonly companions: readonly Companion[];
}

/** Credits set aside before anything leaves the service on their account. */
interface WrittenHold extends Charge {
  readonly teamId: string;
}

/** What became of a posting. */
export interface Posted {
  /** False when one of its companions said so. */
  readonly isDue: boolean;
  /** False when the team had not enough left, or it was not due. */
  readonly isCharged: boolean;
  /** Of the team afterwards; undefined when its credits never run out. */
  readonly balance: number | undefined;
}

/** One thing to write, and who waits for it. */
interface Order {
  readonly write: (batch: Batch) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

const MAX_ATTEMPTS = 5;
const LATER_MS = 50;

/**
 * Writes many postings in one transaction. Whoever waits for a posting goes on when that transaction is kept, so
 * nothing is answered that a crash could undo.
 */
export class LedgerWriter {
  readonly #database: Database;
  readonly #owner: HoldOwner;
  #waiting: Order[] = [];
  #isScheduled = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, owner: HoldOwner) {
    this.#database = database;
    this.#owner = owner;
  }

  /** Written at once, with whatever was ordered in the same turn. @throws when the database cannot be written. */
  post(posting: Posting): Promise<Posted> {
    const posted = this.#order((batch) => batch.post(posting));
    this.#schedule();
    return posted;
  }

  /** Written with the next other posting, or shortly after: for background writes. */
  postLater(posting: Posting): Promise<Posted> {
    const posted = this.#order((batch) => batch.post(posting));
    this.#timer ??= setTimeout(() => this.#schedule(), LATER_MS).unref();
    return posted;
  }

  /** Writes a hold, or its new amount. @throws when the database cannot be written. */
  async secure(hold: WrittenHold): Promise<void> {
    const owner = await this.#owner.name();
    const secured = this.#order((batch) => batch.secure(hold, owner));
    this.#schedule();
    return secured;
  }

  /** Waits until everything ordered so far is written, or has failed. */
  async settle(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) {
      await (this.#writing ?? this.#write());
    }
  }

  #order<Result>(write: (batch: Batch) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as Order["resolve"], reject });
    });
  }

  /** After the events of this turn: all requests that arrived together share a transaction. */
  #schedule(): void {
    if (this.#isScheduled || this.#writing) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    this.#isScheduled = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting.length === 0) return this.#writing;
    const orders = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#run(orders).finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
    return this.#writing;
  }

  async #run(orders: readonly Order[]): Promise<void> {
    if (orders.length === 0) return;
    try {
      const results = await this.#attempt(orders, MAX_ATTEMPTS);
      for (const [index, order] of orders.entries()) order.resolve(results[index]);
    } catch (failure) {
      const faulty = failure instanceof CompanionFailure ? failure : undefined;
      const failed = orders.filter((_order, index) => !faulty || index === faulty.index);
      for (const order of failed) order.reject(faulty?.cause ?? failure);
      // What one companion could not write is no reason not to charge for the work of others.
      if (faulty) await this.#run(orders.filter((order) => !failed.includes(order)));
    }
  }

  async #attempt(orders: readonly Order[], attemptsLeft: number): Promise<readonly unknown[]> {
    try {
      return await this.#database.transaction(async (inside) => {
        const batch = new Batch(inside);
        const results: unknown[] = [];
        for (const [index, order] of orders.entries()) {
          batch.index = index;
          results.push(await order.write(batch));
        }
        await batch.finish();
        return results;
      });
    } catch (failure) {
      if (!(failure instanceof LedgerConflict) || attemptsLeft <= 1) throw failure;
      return this.#attempt(orders, attemptsLeft - 1);
    }
  }
}

/** One transaction: reads the books of each team once, and writes them once. */
class Batch {
  /** Of the order that is being written. */
  index = 0;
  readonly #inside: Statements;
  readonly #books = new Map<string, LedgerAccounts>();
  readonly #charged: Posting[] = [];

  constructor(inside: Statements) {
    this.#inside = inside;
  }

  async post(posting: Posting): Promise<Posted> {
    const { id, team, isSecured } = posting;
    const companions = new CompanionGroup(posting.companions, this.#inside, this.index);
    if (isSecured) await this.#inside.prepared("DELETE FROM ledger_holds WHERE id = ?").run(id);
    const books = team.isLimited ? await this.#booksOf(team.id) : undefined;
    if (!(await companions.areDue())) {
      return { isDue: false, isCharged: false, balance: books?.balance };
    }
    const isCharged = await this.#charge(posting, books);
    if (isCharged) this.#charged.push(posting);
    await companions.write(isCharged);
    return { isDue: true, isCharged, balance: books?.balance };
  }

  async secure({ id, teamId, keyId, amount }: WrittenHold, owner: string): Promise<void> {
    await this.#inside
      .prepared(
        `INSERT INTO ledger_holds (id, team_id, key_id, amount, created_at, owner) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, owner = excluded.owner`,
      )
      .run(id, teamId, keyId, amount, Date.now(), owner);
  }

  async finish(): Promise<void> {
    for (const books of this.#books.values()) await books.save();
    const usages = this.#charged.map(({ team, keyId, amount, startedAtMs }) => ({
      teamId: team.id,
      keyId: keyId ?? undefined,
      creditsUsed: amount,
      createdAtMs: startedAtMs,
    }));
    await addUsage(this.#inside, usages);
  }

  async #charge(posting: Posting, books: LedgerAccounts | undefined): Promise<boolean> {
    if (posting.amount === 0) return true;
    if (books) return books.charge(posting);
    if (posting.hasEntry) await chargeIssuer(this.#inside, posting.team.id, posting);
    return true;
  }

  async #booksOf(teamId: string): Promise<LedgerAccounts> {
    const known = this.#books.get(teamId);
    if (known) return known;
    const opened = await LedgerAccounts.open(this.#inside, teamId);
    this.#books.set(teamId, opened);
    return opened;
  }
}
