import { uuidV7 } from "../kit/uuid.ts";
import type { Statements } from "../platform/database/database.ts";
import { type AccountState, readAccounts, saveAccount } from "./account-rows.ts";
import { readAllotments, recallAllotments, saveAllotment } from "./allotments.ts";
import { EntryWriter, hasEntry, type LedgerEntry } from "./ledger-entries.ts";
import { periodOf } from "./periods.ts";
import type { Team } from "./teams.ts";

/** Accounts that hold credits of a team, in the order in which work is paid from them. */
const HOLDING_ACCOUNTS = ["allowance", "prepaid"] as const;
type HoldingAccount = (typeof HOLDING_ACCOUNTS)[number];

/** An allotment is for as many transactions like the one that takes it … */
const TRANSACTIONS_OF_AN_ALLOTMENT = 64;
/** … and this part of what its account has at most. */
const MAX_PART = 1 / 8;

/** What work costs. The id is that of the work. */
export interface Charge {
  readonly id: string;
  readonly amount: number;
  readonly keyId: string | null;
}

export interface LedgerOptions {
  /** Who takes allotments. Default: no process; each charge writes the account itself. */
  readonly owner?: string | undefined;
  /** Shared by the books of a transaction. Default: one of their own. */
  readonly entries?: EntryWriter;
}

/** The holding accounts of a team, as read at the start of a transaction and as they have become in it. */
export class LedgerAccounts {
  readonly #inside: Statements;
  readonly #teamId: string;
  readonly #owner: string;
  readonly #entries: EntryWriter;
  readonly #read: ReadonlyMap<string, AccountState>;
  readonly #now: Map<string, AccountState>;
  /** What the owner has taken in advance. */
  readonly #allottedBefore: ReadonlyMap<string, number>;
  readonly #allotted: Map<string, number>;
  /** Charged in this transaction. */
  readonly #charged = new Map<string, number>();
  #hasRecalled = false;

  private constructor(inside: Statements, teamId: string, books: ReadBooks) {
    this.#inside = inside;
    this.#teamId = teamId;
    this.#owner = books.owner ?? "";
    this.#entries = books.entries ?? new EntryWriter(inside);
    this.#read = books.read;
    this.#now = new Map(books.read);
    this.#allottedBefore = books.allotted;
    this.#allotted = new Map(books.allotted);
  }

  static async open(
    inside: Statements,
    teamId: string,
    options: LedgerOptions = {},
  ): Promise<LedgerAccounts> {
    const { owner } = options;
    const taken = owner === undefined ? [] : await readAllotments(inside, teamId, owner);
    const allotted = new Map(taken.map(({ account, credits }) => [account, credits]));
    // Without credits of its own the owner is going to write the accounts, as others are.
    const isContended = owner !== undefined && !taken.some(({ credits }) => credits > 0);
    const read = await readAccounts(inside, teamId, isContended);
    return new LedgerAccounts(inside, teamId, { ...options, read, allotted });
  }

  /** What can be charged without ending the allotments of others. */
  get balance(): number {
    return HOLDING_ACCOUNTS.reduce((sum, account) => sum + this.#left(account), 0);
  }

  /**
   * Moves credits of the team to `used`, once per id.
   * @returns false when the team has less; nothing is moved then.
   */
  async charge(charge: Charge): Promise<boolean> {
    const { id, amount, keyId } = charge;
    // A process that would empty an account first takes back what others have of it: no credit of it is left unseen.
    if (this.#left(this.#paying) <= amount) await this.#recall();
    const from = this.#paying;
    if (this.#left(from) >= amount) {
      this.#move({ id, from, to: "used", amount, keyId });
      return true;
    }
    await this.#entries.flush();
    if (await hasEntry(this.#inside, this.#teamId, id)) return true;
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
   * Ends the allowance of an earlier period and grants that of the present one; a raised allowance counts at once. A
   * clock that was set back grants nothing again.
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

  /** Writes entries and accounts. @throws LedgerConflict when another process has moved credits meanwhile. */
  async save(): Promise<void> {
    await this.#entries.flush();
    for (const account of HOLDING_ACCOUNTS) this.#allot(account);
    for (const [account, state] of this.#now) {
      const before = this.#read.get(account);
      if (state === before) continue;
      const change = { teamId: this.#teamId, account, before, state };
      if (!(await saveAccount(this.#inside, change))) throw new LedgerConflict();
    }
    for (const [account, credits] of this.#allotted) {
      const before = this.#allottedBefore.get(account);
      if (credits === before) continue;
      const change = { teamId: this.#teamId, owner: this.#owner, account, before, credits };
      if (!(await saveAllotment(this.#inside, change))) throw new LedgerConflict();
    }
  }

  /** Takes an allotment for the transactions to come, once the last is used up and the account is written anyway. */
  #allot(account: HoldingAccount): void {
    const charged = this.#charged.get(account) ?? 0;
    if (this.#owner === "" || charged === 0 || this.#allottedOf(account) > 0) return;
    const state = this.#state(account);
    const atMost = Math.floor((state.credited - state.debited) * MAX_PART);
    const credits = Math.min(atMost, charged * TRANSACTIONS_OF_AN_ALLOTMENT);
    // The last credits are charged directly.
    if (credits < charged) return;
    this.#now.set(account, { ...state, debited: state.debited + credits });
    this.#allotted.set(account, credits);
  }

  /** Ends the allotments of others: what is left of them is in the accounts again. */
  async #recall(): Promise<void> {
    if (this.#hasRecalled) return;
    this.#hasRecalled = true;
    for (const { account, credits } of await recallAllotments(this.#inside, this.#teamId, this.#owner)) {
      const state = this.#state(account);
      this.#now.set(account, { ...state, debited: state.debited - credits });
    }
  }

  /** The account that pays for work, as long as it has something. */
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

  /** Does nothing when there is an entry of this id: it has moved its credits. */
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
    if (isHolding(from) && direct !== 0) {
      const state = this.#state(from);
      this.#now.set(from, { ...state, debited: state.debited + direct });
    }
    if (isHolding(to)) {
      const state = this.#state(to);
      this.#now.set(to, { ...state, credited: state.credited + amount });
    }
  }
}

interface ReadBooks extends LedgerOptions {
  readonly read: ReadonlyMap<string, AccountState>;
  readonly allotted: ReadonlyMap<string, number>;
}

function isHolding(account: LedgerEntry["from"]): boolean {
  return account === "allowance" || account === "prepaid";
}

/** Two transactions wanted the same credits. Run again, it works on what the other has left. */
export class LedgerConflict extends Error {
  override readonly name = "LedgerConflict";
}
