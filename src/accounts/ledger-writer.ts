import { BatchWriter } from "../platform/database/batch-writer.ts";
import type { Database, Statements } from "../platform/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import { type Companion, CompanionGroup } from "./companion.ts";
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

const MAX_ATTEMPTS = 5;

/** Writes many postings in one transaction: an order of the same turn costs no transaction of its own. */
export class LedgerWriter {
  readonly #owner: HoldOwner;
  readonly #writer: BatchWriter<Batch>;

  constructor(database: Database, owner: HoldOwner) {
    this.#owner = owner;
    this.#writer = new BatchWriter((work) => transact(database, work, MAX_ATTEMPTS));
  }

  /** Written at once, with whatever was ordered in the same turn. @throws when the database cannot be written. */
  post(posting: Posting): Promise<Posted> {
    return this.#writer.order((batch) => batch.post(posting));
  }

  /** Written with the next other posting, or shortly after: for background writes. */
  postLater(posting: Posting): Promise<Posted> {
    return this.#writer.orderLater((batch) => batch.post(posting));
  }

  /** Writes a hold, or its new amount. @throws when the database cannot be written. */
  async secure(hold: WrittenHold): Promise<void> {
    const owner = await this.#owner.name();
    return this.#writer.order((batch) => batch.secure(hold, owner));
  }

  /** Waits until everything ordered so far is written, or has failed. */
  settle(): Promise<void> {
    return this.#writer.settle();
  }
}

/** Again when another process wrote the books meanwhile. */
async function transact<Result>(
  database: Database,
  work: (batch: Batch) => Promise<Result>,
  attemptsLeft: number,
): Promise<Result> {
  try {
    return await database.transaction(async (inside) => {
      const batch = new Batch(inside);
      const result = await work(batch);
      await batch.finish();
      return result;
    });
  } catch (failure) {
    if (!(failure instanceof LedgerConflict) || attemptsLeft <= 1) throw failure;
    return transact(database, work, attemptsLeft - 1);
  }
}

/** One transaction: reads the books of each team once, and writes them once. */
class Batch {
  readonly #inside: Statements;
  readonly #books = new Map<string, LedgerAccounts>();
  readonly #charged: Posting[] = [];

  constructor(inside: Statements) {
    this.#inside = inside;
  }

  async post(posting: Posting): Promise<Posted> {
    const { id, team, isSecured } = posting;
    const companions = new CompanionGroup(posting.companions, this.#inside);
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
