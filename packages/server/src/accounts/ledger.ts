import { within } from "@pergamon-dev/kit/deadline";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { BatchWriter, failAlone } from "../storage/database/batch-writer.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import {
  type AccountState,
  EntryWriter,
  hasEntry,
  HoldWriter,
  LedgerConflict,
  type LedgerEntry,
  readAccounts,
  readAllotments,
  recallAllotments,
  saveAccount,
  saveAllotment,
  type WrittenHold,
} from "./ledger-rows.ts";
import { periodOf } from "./periods.ts";
import type { Team } from "./teams.ts";
import { addUsage } from "./usage.ts";

/**
 * Writes rows in the transaction of a charge: either both are kept or neither.
 * @param pay charges the work, at most once. It returns false when the team has too little: then nothing is
 * charged, but the rows are kept. Work is not due when `pay` is not called.
 */
export type AlsoWrite = (tx: Statements, pay: () => Promise<boolean>) => Promise<void>;

export interface Charge {
  /** Id of the work. */
  readonly id: string;
  readonly amount: number;
  readonly keyId: string | null;
  readonly team: Team;
  /** Unix time at which the work began. */
  readonly startedAtMs: number;
  /** False: the charge only counts in the usage of the month and gets no ledger entry. */
  readonly hasEntry: boolean;
  /** Whether the hold was written, and must be deleted. */
  readonly isSecured: boolean;
  /** Nothing is charged after this time. */
  readonly untilMs?: number | undefined;
}

function tooLate(): Error {
  return new Error("The charge could not be written in time.");
}

interface Charged {
  readonly outcome: "charged" | "unpaid" | "not due";
  /** Of the team after the charge; undefined when its credits are unlimited. */
  readonly balance: number | undefined;
}

const MAX_ATTEMPTS = 5;
/** After a conflict with another process, this one takes allotments for this long. */
const SHARING_MS = 60_000;
/** While processes share the books, the usage of a key is spread over this many rows. */
const USAGE_PARTS = 64;

/** How a process writes while other processes write the books of the same teams. */
interface Sharing {
  /** Owner of its allotments. */
  readonly owner: string;
  /** Row that counts its usage. Row 0 belongs to processes without conflicts. */
  readonly usagePart: number;
}

/**
 * The ledger of all teams. It writes many charges in one transaction: charges of the same turn of the event
 * loop share it. After a conflict with another process it charges allotments, which only this process uses.
 */
export class LedgerStore {
  readonly #database: Database;
  readonly #owner: HoldOwner;
  readonly #writer: BatchWriter<Batch>;
  #sharesUntilMs = 0;
  #usagePart = 0;
  /** Charges that the next transaction counts. */
  #counted: Charge[] | undefined;

  constructor(database: Database, owner: HoldOwner) {
    this.#database = database;
    this.#owner = owner;
    this.#writer = new BatchWriter((work, turns) => this.#transact(work, turns, MAX_ATTEMPTS));
  }

  /**
   * Writes at once, together with all charges of the same turn.
   * @throws when the database or the rows beside the charge cannot be written.
   */
  charge(charge: Charge, alsoWrite?: AlsoWrite): Promise<Charged> {
    const { untilMs, team } = charge;
    const write = (batch: Batch) => batch.charge(charge, alsoWrite);
    // Pages of jobs have no deadline.
    if (untilMs === undefined && alsoWrite) return this.#writer.orderInGroup(write, { turn: team.id });
    if (untilMs === undefined) return this.#writer.order(write);
    const charged = this.#writer.order(async (batch) =>
      Date.now() < untilMs ? batch.charge(charge, alsoWrite) : failAlone(tooLate()),
    );
    return within(untilMs - Date.now(), charged, tooLate);
  }

  /** Writes with the next charge, or shortly after. Meant for background writes. */
  chargeLater(charge: Charge): Promise<Charged> {
    return this.#writer.orderLater((batch) => batch.charge(charge));
  }

  /**
   * Counts work without a ledger entry, together with all such work of the next 50 ms.
   * @returns a promise that resolves when it is written; undefined when another caller waits for that
   * already.
   */
  count(charge: Charge): Promise<void> | undefined {
    if (this.#counted) return void this.#counted.push(charge);
    const counted = [charge];
    this.#counted = counted;
    return this.#writer.orderLater(async (batch) => {
      this.#counted = undefined;
      batch.count(counted);
    });
  }

  /** Writes a hold, or its new amount. @throws when the database cannot be written. */
  async secure(hold: Omit<WrittenHold, "owner">): Promise<void> {
    const owner = await this.#owner.name();
    return this.#writer.order(async (batch) => batch.secure({ ...hold, owner }));
  }

  /** Waits until all earlier writes have succeeded or failed. */
  flush(): Promise<void> {
    return this.#writer.settle();
  }

  /** Retries when another process has changed the books meanwhile. */
  async #transact<Result>(
    work: (batch: Batch) => Promise<Result>,
    turns: readonly string[],
    attemptsLeft: number,
  ): Promise<Result> {
    const sharing = await this.#sharing();
    let runs = 0;
    try {
      return await this.#database.transaction(
        async (tx) => {
          runs += 1;
          if (runs > 1) this.#meetOthers();
          if (runs > 1 && !sharing) throw new LedgerConflict();
          const batch = new Batch(tx, sharing);
          const result = await work(batch);
          await batch.finish();
          return result;
        },
        { turns },
      );
    } catch (failure) {
      if (!(failure instanceof LedgerConflict) || attemptsLeft <= 1) throw failure;
      return this.#transact(work, turns, attemptsLeft - 1);
    }
  }

  #meetOthers(): void {
    this.#sharesUntilMs = performance.now() + SHARING_MS;
    this.#usagePart = 1 + Math.floor(Math.random() * USAGE_PARTS);
  }

  /** Undefined without a recent conflict, or while the owner of this process is unknown. */
  async #sharing(): Promise<Sharing | undefined> {
    if (performance.now() >= this.#sharesUntilMs) return undefined;
    const owner = await this.#owner.name().catch(() => undefined);
    return owner === undefined ? undefined : { owner, usagePart: this.#usagePart };
  }
}

/** One transaction, which reads and writes the books of each team once. */
class Batch {
  readonly #tx: Statements;
  readonly #sharing: Sharing | undefined;
  readonly #entries: EntryWriter;
  readonly #holds: HoldWriter;
  readonly #books = new Map<string, LedgerAccounts>();
  readonly #charged: Charge[] = [];
  readonly #last: (() => Promise<void>)[] = [];

  constructor(tx: Statements, sharing: Sharing | undefined) {
    this.#tx = { ...tx, last: (write) => void this.#last.push(write) };
    this.#sharing = sharing;
    this.#entries = new EntryWriter(tx);
    this.#holds = new HoldWriter(tx);
  }

  charge(charge: Charge, alsoWrite?: AlsoWrite): Charged | Promise<Charged> {
    const { id, team, isSecured } = charge;
    if (isSecured) this.#holds.end(id);
    const books = team.isLimited ? this.#books.get(team.id) : undefined;
    // Answers from memory are charged many at a time, and wait for nothing.
    if (alsoWrite || (team.isLimited && !books)) return this.#chargeWith(charge, alsoWrite);
    const paying = this.#pay(charge, books);
    if (paying instanceof Promise) return paying.then((isPaid) => this.#charge(charge, isPaid, books));
    return this.#charge(charge, paying, books);
  }

  async #chargeWith(charge: Charge, alsoWrite: AlsoWrite | undefined): Promise<Charged> {
    const { team } = charge;
    const books = team.isLimited ? (this.#books.get(team.id) ?? (await this.#open(team.id))) : undefined;
    let charged: Charged = { outcome: "not due", balance: undefined };
    const pay = async () => {
      charged = this.#charge(charge, await this.#pay(charge, books), books);
      return charged.outcome === "charged";
    };
    // When the rows beside a charge cannot be written, only that charge fails.
    await (alsoWrite ? alsoWrite(this.#tx, pay).catch(failAlone) : pay());
    return { ...charged, balance: books?.balance };
  }

  #charge(charge: Charge, isPaid: boolean, books: LedgerAccounts | undefined): Charged {
    if (isPaid) this.#charged.push(charge);
    return { outcome: isPaid ? "charged" : "unpaid", balance: books?.balance };
  }

  count(charges: readonly Charge[]): void {
    this.#charged.push(...charges);
  }

  secure(hold: WrittenHold): void {
    this.#holds.begin(hold);
  }

  async finish(): Promise<void> {
    for (const write of this.#last) await write();
    await this.#holds.flush();
    await this.#entries.flush();
    for (const books of this.#books.values()) await books.save();
    const usages = this.#charged.map(({ team, keyId, amount, startedAtMs }) => ({
      teamId: team.id,
      keyId: keyId ?? "",
      creditsUsed: amount,
      createdAtMs: startedAtMs,
    }));
    await addUsage(this.#tx, usages, this.#sharing?.usagePart);
  }

  #pay(charge: Charge, books: LedgerAccounts | undefined): boolean | Promise<boolean> {
    if (charge.amount === 0) return true;
    if (books) return books.charge(charge);
    const { id, amount, keyId, team, hasEntry: isEntered } = charge;
    // Unlimited credits are not taken from an account.
    const entry = { id, amount, keyId, from: "issuer", to: "used" } as const;
    if (isEntered) this.#entries.add(team.id, entry, () => undefined);
    return true;
  }

  async #open(teamId: string): Promise<LedgerAccounts> {
    const options = { owner: this.#sharing?.owner, entries: this.#entries };
    const opened = await LedgerAccounts.open(this.#tx, teamId, options);
    this.#books.set(teamId, opened);
    return opened;
  }
}

/** Accounts that hold a team's credits, in the order in which they pay. */
const HOLDING_ACCOUNTS = ["allowance", "prepaid"] as const;
type HoldingAccount = (typeof HOLDING_ACCOUNTS)[number];

/** An allotment covers this many transactions of the size of the one that takes it. */
const TRANSACTIONS_OF_AN_ALLOTMENT = 64;
/** An allotment takes at most this share of its account. */
const MAX_PART = 1 / 8;

interface LedgerOptions {
  /** Owner of the allotments. Default: none, and each charge writes the account itself. */
  readonly owner?: string | undefined;
  /** Shared by all teams of a transaction. Default: a new one. */
  readonly entries?: EntryWriter;
}

/** The accounts of a team that hold credits: as read at the start of a transaction, and as changed in it. */
export class LedgerAccounts {
  readonly #tx: Statements;
  readonly #teamId: string;
  readonly #owner: string;
  readonly #entries: EntryWriter;
  readonly #read: ReadonlyMap<string, AccountState>;
  readonly #now: Map<string, AccountState>;
  /** Allotments of the owner when the transaction began. */
  readonly #allottedBefore: ReadonlyMap<string, number>;
  readonly #allotted: Map<string, number>;
  /** Credits charged in this transaction, by account. */
  readonly #charged = new Map<string, number>();
  #hasRecalled = false;

  private constructor(tx: Statements, teamId: string, books: ReadBooks) {
    this.#tx = tx;
    this.#teamId = teamId;
    this.#owner = books.owner ?? "";
    this.#entries = books.entries ?? new EntryWriter(tx);
    this.#read = books.read;
    this.#now = new Map(books.read);
    this.#allottedBefore = books.allotted;
    this.#allotted = new Map(books.allotted);
  }

  static async open(tx: Statements, teamId: string, options: LedgerOptions = {}): Promise<LedgerAccounts> {
    const { owner } = options;
    const taken = owner === undefined ? [] : await readAllotments(tx, teamId, owner);
    const allotted = new Map(taken.map(({ account, credits }) => [account, credits]));
    // An owner without allotments is going to write the accounts itself, like the others.
    const isContended = owner !== undefined && !taken.some(({ credits }) => credits > 0);
    const read = await readAccounts(tx, teamId, isContended);
    return new LedgerAccounts(tx, teamId, { ...options, read, allotted });
  }

  /** Credits that can be charged without ending the allotments of others. */
  get balance(): number {
    return this.#left("allowance") + this.#left("prepaid");
  }

  /**
   * Moves credits of the team to `used`, once per id.
   * @returns false when the team has less; then nothing is moved.
   */
  charge(charge: Pick<Charge, "id" | "amount" | "keyId">): boolean | Promise<boolean> {
    const { id, amount, keyId } = charge;
    const from = this.#paying;
    if (this.#left(from) <= amount) return this.#chargeLast(charge);
    this.#move({ id, from, to: "used", amount, keyId });
    return true;
  }

  /** Before a charge would empty an account, the process recalls the allotments of others, so that no credit is missed. */
  async #chargeLast({ id, amount, keyId }: Pick<Charge, "id" | "amount" | "keyId">): Promise<boolean> {
    await this.#recall();
    const from = this.#paying;
    if (this.#left(from) >= amount) {
      this.#move({ id, from, to: "used", amount, keyId });
      return true;
    }
    await this.#entries.flush();
    if (await hasEntry(this.#tx, this.#teamId, id)) return true;
    if (amount > this.balance) return false;
    const first = this.#left("allowance");
    if (first > 0) this.#move({ id, from: "allowance", to: "used", amount: first, keyId });
    const secondId = first > 0 ? `${id}/2` : id;
    this.#move({ id: secondId, from: "prepaid", to: "used", amount: amount - first, keyId });
    return true;
  }

  async topUp(amount: number): Promise<void> {
    this.#move({ id: uuidV7(), from: "issuer", to: "prepaid", amount, keyId: null });
  }

  /**
   * Ends the allowance of the previous period and grants that of the current one. A raised allowance takes
   * effect at once. A clock that was set back grants nothing twice.
   */
  async renewAllowance({ allowance }: Team, nowMs: number): Promise<void> {
    if (!allowance) return;
    const { startMs } = periodOf(allowance.period, nowMs);
    const before = this.#state("allowance");
    const isNew = startMs > before.periodStartMs;
    if (isNew) await this.#recall();
    const left = this.#left("allowance");
    if (isNew && left > 0)
      this.#move({ id: uuidV7(), from: "allowance", to: "issuer", amount: left, keyId: null });
    const due = allowance.credits - (isNew ? 0 : before.granted);
    if (due > 0) this.#move({ id: uuidV7(), from: "issuer", to: "allowance", amount: due, keyId: null });
    const granted = isNew ? allowance.credits : Math.max(before.granted, allowance.credits);
    const periodStartMs = Math.max(startMs, before.periodStartMs);
    this.#now.set("allowance", { ...this.#state("allowance"), granted, periodStartMs });
  }

  /** Writes entries and accounts. @throws LedgerConflict when another process has changed them meanwhile. */
  async save(): Promise<void> {
    await this.#entries.flush();
    for (const account of HOLDING_ACCOUNTS) this.#allot(account);
    for (const [account, state] of this.#now) {
      const before = this.#read.get(account);
      if (state === before) continue;
      const change = { teamId: this.#teamId, account, before, state };
      await saveAccount(this.#tx, change);
    }
    for (const [account, credits] of this.#allotted) {
      const before = this.#allottedBefore.get(account);
      if (credits === before) continue;
      const change = { teamId: this.#teamId, owner: this.#owner, account, before, credits };
      await saveAllotment(this.#tx, change);
    }
  }

  /**
   * Takes an allotment for later transactions, once the previous one is used up and the account is written
   * anyway.
   */
  #allot(account: HoldingAccount): void {
    const charged = this.#charged.get(account) ?? 0;
    if (this.#owner === "" || charged === 0 || this.#allottedOf(account) > 0) return;
    const state = this.#state(account);
    const atMost = Math.floor((state.credited - state.debited) * MAX_PART);
    const credits = Math.min(atMost, charged * TRANSACTIONS_OF_AN_ALLOTMENT);
    // The last credits of an account are charged directly.
    if (credits < charged) return;
    this.#now.set(account, { ...state, debited: state.debited + credits });
    this.#allotted.set(account, credits);
  }

  /** Ends the allotments of others and returns the rest to the accounts. */
  async #recall(): Promise<void> {
    if (this.#hasRecalled) return;
    this.#hasRecalled = true;
    for (const { account, credits } of await recallAllotments(this.#tx, this.#teamId, this.#owner)) {
      const state = this.#state(account);
      this.#now.set(account, { ...state, debited: state.debited - credits });
    }
  }

  /** The first account with credits pays. */
  get #paying(): HoldingAccount {
    return this.#left("allowance") > 0 ? "allowance" : "prepaid";
  }

  #state(account: string): AccountState {
    return this.#now.get(account) ?? { credited: 0, debited: 0, granted: 0, periodStartMs: 0 };
  }

  #allottedOf(account: string): number {
    return this.#allotted.get(account) ?? 0;
  }

  #left(account: HoldingAccount): number {
    const { credited, debited } = this.#state(account);
    return credited - debited + this.#allottedOf(account);
  }

  /** Does nothing when an entry of this id exists, because it has moved its credits already. */
  #move(entry: Omit<LedgerEntry, "createdAtMs">): void {
    const { from, to, amount } = entry;
    const fromAllotment = Math.min(amount, this.#allottedOf(from));
    const isNew = this.#entries.add(this.#teamId, entry, () => this.#shift(entry, -fromAllotment, -amount));
    if (!isNew) return;
    this.#shift(entry, fromAllotment, amount);
    if (to === "used") this.#charged.set(from, (this.#charged.get(from) ?? 0) + amount);
  }

  #shift({ from, to }: Pick<LedgerEntry, "from" | "to">, fromAllotment: number, amount: number): void {
    if (fromAllotment !== 0) this.#allotted.set(from, this.#allottedOf(from) - fromAllotment);
    const direct = amount - fromAllotment;
    if (isHolding(from) && direct !== 0) this.#change(from, { debited: direct });
    if (isHolding(to)) this.#change(to, { credited: amount });
  }

  #change(account: string, { credited = 0, debited = 0 }: Partial<AccountState>): void {
    const before = this.#state(account);
    // Spreading the state takes as long as the rest of a charge.
    this.#now.set(account, {
      credited: before.credited + credited,
      debited: before.debited + debited,
      granted: before.granted,
      periodStartMs: before.periodStartMs,
    });
  }
}

interface ReadBooks extends LedgerOptions {
  readonly read: ReadonlyMap<string, AccountState>;
  readonly allotted: ReadonlyMap<string, number>;
}

function isHolding(account: LedgerEntry["from"]): boolean {
  return account === "allowance" || account === "prepaid";
}
