import { BatchWriter } from "../platform/database/batch-writer.ts";
import type { Database, Statements } from "../platform/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import { type Companion, CompanionGroup } from "./companion.ts";
import { HoldWriter, type WrittenHold } from "./hold-rows.ts";
import { LedgerAccounts, type Charge, LedgerConflict } from "./ledger.ts";
import { EntryWriter } from "./ledger-entries.ts";
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
/** How long allotments are taken after another process was in the way. */
const SHARING_MS = 60_000;
/** Into how many rows the usage of a key is counted then. */
const USAGE_PARTS = 64;

/** How a process writes while others write the books of the same teams. */
interface Sharing {
  /** Of its allotments. */
  readonly owner: string;
  /** Where it counts usage: 0 is the row of those who are not in each other's way. */
  readonly usagePart: number;
}

/**
 * Writes many postings in one transaction: an order of the same turn costs no transaction of its own. Once other
 * processes were in the way it charges allotments, which are its own.
 */
export class LedgerWriter {
  readonly #database: Database;
  readonly #owner: HoldOwner;
  readonly #writer: BatchWriter<Batch>;
  #sharesUntilMs = 0;
  #usagePart = 0;
  /** What is counted with the next transaction. */
  #counted: Posting[] | undefined;

  constructor(database: Database, owner: HoldOwner) {
    this.#database = database;
    this.#owner = owner;
    this.#writer = new BatchWriter((work) => this.#transact(work, MAX_ATTEMPTS));
  }

  /** Written at once, with everything that was ordered in the same turn. @throws when the database cannot be written. */
  post(posting: Posting): Promise<Posted> {
    return this.#writer.order((batch) => batch.post(posting));
  }

  /** Written with the next other posting, or shortly after: for background writes. */
  postLater(posting: Posting): Promise<Posted> {
    return this.#writer.orderLater((batch) => batch.post(posting));
  }

  /**
   * Counts work without an entry of its own, together with all other such work of the next 50 ms.
   * @returns when it is written; undefined when another caller waits for that already.
   */
  count(posting: Posting): Promise<void> | undefined {
    if (this.#counted) return void this.#counted.push(posting);
    const counted = [posting];
    this.#counted = counted;
    return this.#writer.orderLater(async (batch) => {
      this.#counted = undefined;
      batch.count(counted);
    });
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

  /** Again when another process wrote the books meanwhile. */
  async #transact<Result>(work: (batch: Batch) => Promise<Result>, attemptsLeft: number): Promise<Result> {
    const sharing = await this.#sharing();
    let runs = 0;
    try {
      return await this.#database.transaction(async (inside) => {
        runs += 1;
        if (runs > 1) this.#meetOthers();
        if (runs > 1 && !sharing) throw new LedgerConflict();
        const batch = new Batch(inside, sharing);
        const result = await work(batch);
        await batch.finish();
        return result;
      });
    } catch (failure) {
      if (!(failure instanceof LedgerConflict) || attemptsLeft <= 1) throw failure;
      return this.#transact(work, attemptsLeft - 1);
    }
  }

  #meetOthers(): void {
    this.#sharesUntilMs = performance.now() + SHARING_MS;
    this.#usagePart = 1 + Math.floor(Math.random() * USAGE_PARTS);
  }

  /** Undefined while no other process holds it, or while its owner is unknown. */
  async #sharing(): Promise<Sharing | undefined> {
    if (performance.now() >= this.#sharesUntilMs) return undefined;
    const owner = await this.#owner.name().catch(() => undefined);
    return owner === undefined ? undefined : { owner, usagePart: this.#usagePart };
  }
}

/** One transaction: reads the books of each team once, and writes them once. */
class Batch {
  readonly #inside: Statements;
  readonly #sharing: Sharing | undefined;
  readonly #entries: EntryWriter;
  readonly #holds: HoldWriter;
  readonly #books = new Map<string, LedgerAccounts>();
  readonly #charged: Posting[] = [];

  constructor(inside: Statements, sharing: Sharing | undefined) {
    this.#inside = inside;
    this.#sharing = sharing;
    this.#entries = new EntryWriter(inside);
    this.#holds = new HoldWriter(inside);
  }

  async post(posting: Posting): Promise<Posted> {
    const { id, team, isSecured } = posting;
    const companions = new CompanionGroup(posting.companions, this.#inside);
    if (isSecured) this.#holds.end(id);
    const books = team.isLimited ? await this.#booksOf(team.id) : undefined;
    if (!(await companions.areDue())) {
      return { isDue: false, isCharged: false, balance: books?.balance };
    }
    const isCharged = await this.#charge(posting, books);
    if (isCharged) this.#charged.push(posting);
    await companions.write(isCharged);
    return { isDue: true, isCharged, balance: books?.balance };
  }

  count(postings: readonly Posting[]): void {
    this.#charged.push(...postings);
  }

  async secure(hold: WrittenHold, owner: string): Promise<void> {
    this.#holds.begin({ ...hold, owner });
  }

  async finish(): Promise<void> {
    await this.#holds.flush();
    await this.#entries.flush();
    for (const books of this.#books.values()) await books.save();
    const usages = this.#charged.map(({ team, keyId, amount, startedAtMs }) => ({
      teamId: team.id,
      keyId: keyId ?? undefined,
      creditsUsed: amount,
      createdAtMs: startedAtMs,
    }));
    await addUsage(this.#inside, usages, this.#sharing?.usagePart);
  }

  async #charge(posting: Posting, books: LedgerAccounts | undefined): Promise<boolean> {
    if (posting.amount === 0) return true;
    if (books) return books.charge(posting);
    const { id, amount, keyId, team, hasEntry } = posting;
    // Nothing is taken from an account that never runs out.
    const entry = { id, amount, keyId, from: "issuer", to: "used" } as const;
    if (hasEntry) this.#entries.add(team.id, entry, () => undefined);
    return true;
  }

  async #booksOf(teamId: string): Promise<LedgerAccounts> {
    const known = this.#books.get(teamId);
    if (known) return known;
    const opened = await LedgerAccounts.open(this.#inside, teamId, {
      owner: this.#sharing?.owner,
      entries: this.#entries,
    });
    this.#books.set(teamId, opened);
    return opened;
  }
}
