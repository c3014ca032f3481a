import { uuidV7 } from "../kit/uuid.ts";
import type { Database, Statements } from "../platform/database/database.ts";
import { periodOf } from "./periods.ts";
import type { Team } from "./teams.ts";

/**
 * Double entry: credits only ever move from one account to another, and each move is one entry. A team has the
 * accounts `allowance` (ends with its period) and `prepaid`; credits come from `issuer` and end in `used`.
 */
export type LedgerAccount = "issuer" | "allowance" | "prepaid" | "used";

/** Accounts that hold credits of a team, in the order in which work is paid from them. */
const HOLDING_ACCOUNTS = ["allowance", "prepaid"] as const;
type HoldingAccount = (typeof HOLDING_ACCOUNTS)[number];

export interface LedgerEntry {
  readonly id: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: number;
  readonly keyId: string | null;
  readonly createdAtMs: number;
}

/** An entry with what the team held after it and all entries listed before it; what never runs out is not counted. */
export interface ListedEntry extends LedgerEntry {
  readonly balance: number;
}

/** What work costs. The id is that of the work. */
export interface Charge {
  readonly id: string;
  readonly amount: number;
  readonly keyId: string | null;
}

interface AccountState {
  readonly credited: number;
  readonly debited: number;
  readonly granted: number;
  readonly periodStartMs: number;
}

/** The holding accounts of a team, as read at the start of a transaction and as they have become in it. */
export class LedgerAccounts {
  readonly #inside: Statements;
  readonly #teamId: string;
  readonly #read: ReadonlyMap<string, AccountState>;
  readonly #now: Map<string, AccountState>;

  private constructor(inside: Statements, teamId: string, read: ReadonlyMap<string, AccountState>) {
    this.#inside = inside;
    this.#teamId = teamId;
    this.#read = read;
    this.#now = new Map(read);
  }

  static async open(inside: Statements, teamId: string): Promise<LedgerAccounts> {
    const rows = await inside
      .prepared<AccountState & { account: string }>(
        `SELECT account, credited, debited, granted, period_start AS "periodStartMs"
         FROM ledger_accounts WHERE team_id = ?`,
      )
      .all(teamId);
    return new LedgerAccounts(inside, teamId, new Map(rows.map(({ account, ...state }) => [account, state])));
  }

  get balance(): number {
    return HOLDING_ACCOUNTS.reduce((sum, account) => sum + this.#left(account), 0);
  }

  /**
   * Moves credits of the team to `used`, once per id.
   * @returns false when the accounts hold less; nothing is moved then.
   */
  async charge(charge: Charge): Promise<boolean> {
    const { id, amount, keyId } = charge;
    const account = this.#left("allowance") > 0 ? "allowance" : "prepaid";
    if (this.#left(account) >= amount) {
      await this.#move({ id, from: account, to: "used", amount, keyId });
      return true;
    }
    if (await hasEntry(this.#inside, this.#teamId, id)) return true;
    if (amount > this.balance) return false;
    const first = this.#left("allowance");
    await this.#move({ id, from: "allowance", to: "used", amount: first, keyId });
    await this.#move({ id: `${id}/2`, from: "prepaid", to: "used", amount: amount - first, keyId });
    return true;
  }

  async topUp(amount: number): Promise<void> {
    await this.#move({ id: uuidV7(), from: "issuer", to: "prepaid", amount, keyId: null });
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
    const left = this.#left("allowance");
    if (isNew && left > 0)
      await this.#move({ id: uuidV7(), from: "allowance", to: "issuer", amount: left, keyId: null });
    const due = allowance.credits - (isNew ? 0 : before.granted);
    if (due > 0)
      await this.#move({ id: uuidV7(), from: "issuer", to: "allowance", amount: due, keyId: null });
    const granted = isNew ? allowance.credits : Math.max(before.granted, allowance.credits);
    const periodStartMs = Math.max(startMs, before.periodStartMs);
    this.#now.set("allowance", { ...this.#state("allowance"), granted, periodStartMs });
  }

  /** Writes the accounts. @throws LedgerConflict when another process has moved credits meanwhile. */
  async save(): Promise<void> {
    for (const [account, state] of this.#now) {
      const before = this.#read.get(account);
      if (state === before) continue;
      const isSaved = before
        ? await this.#update(account, before, state)
        : await this.#insert(account, state);
      if (!isSaved) throw new LedgerConflict();
    }
  }

  #state(account: HoldingAccount): AccountState {
    return this.#now.get(account) ?? { credited: 0, debited: 0, granted: 0, periodStartMs: 0 };
  }

  #left(account: HoldingAccount): number {
    const { credited, debited } = this.#state(account);
    return credited - debited;
  }

  /** Does nothing when there is an entry of this id: it has moved its credits. */
  async #move(entry: Omit<LedgerEntry, "createdAtMs">): Promise<void> {
    if (!(await insertEntry(this.#inside, this.#teamId, entry))) return;
    for (const account of HOLDING_ACCOUNTS) {
      const state = this.#state(account);
      if (entry.from === account) this.#now.set(account, { ...state, debited: state.debited + entry.amount });
      if (entry.to === account) this.#now.set(account, { ...state, credited: state.credited + entry.amount });
    }
  }

  async #update(account: string, before: AccountState, after: AccountState): Promise<boolean> {
    const changed = await this.#inside
      .prepared(
        `UPDATE ledger_accounts SET credited = ?, debited = ?, granted = ?, period_start = ?
         WHERE team_id = ? AND account = ? AND credited = ? AND debited = ?`,
      )
      .run(
        after.credited,
        after.debited,
        after.granted,
        after.periodStartMs,
        this.#teamId,
        account,
        before.credited,
        before.debited,
      );
    return changed === 1;
  }

  async #insert(account: string, state: AccountState): Promise<boolean> {
    const inserted = await this.#inside
      .prepared(
        `INSERT INTO ledger_accounts (team_id, account, credited, debited, granted, period_start)
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, account) DO NOTHING`,
      )
      .run(this.#teamId, account, state.credited, state.debited, state.granted, state.periodStartMs);
    return inserted === 1;
  }
}

/** Two transactions wanted the same credits. Run again, it works on what the other has left. */
export class LedgerConflict extends Error {
  override readonly name = "LedgerConflict";
}

/** Notes work of a team whose credits never run out, once per id. */
export async function chargeIssuer(
  inside: Statements,
  teamId: string,
  { id, amount, keyId }: Charge,
): Promise<void> {
  await insertEntry(inside, teamId, { id, amount, keyId, from: "issuer", to: "used" });
}

/** What an entry adds to the credits that a team holds. */
const HELD = `amount * ((CASE WHEN to_account IN ('allowance', 'prepaid') THEN 1 ELSE 0 END)
  - (CASE WHEN from_account IN ('allowance', 'prepaid') THEN 1 ELSE 0 END))`;

/** Entries of a team, newest first, from the one after `afterId` on. */
export async function entriesOf(
  database: Database,
  teamId: string,
  { afterId = "~", count }: { readonly afterId?: string | undefined; readonly count: number },
): Promise<readonly ListedEntry[]> {
  // What newer entries changed is taken off what the team holds now: entries of any age may be gone.
  return database
    .prepared<ListedEntry>(
      `SELECT id, from_account AS "from", to_account AS "to", amount, key_id AS "keyId", created_at AS "createdAtMs",
         (SELECT COALESCE(SUM(credited - debited), 0) FROM ledger_accounts WHERE team_id = ?)
           - (SELECT COALESCE(SUM(${HELD}), 0) FROM ledger_entries WHERE team_id = ? AND id >= ?)
           - COALESCE(SUM(${HELD}) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS balance
       FROM (SELECT * FROM ledger_entries WHERE team_id = ? AND id < ? ORDER BY id DESC LIMIT ?) AS page
       ORDER BY id DESC`,
    )
    .all(teamId, teamId, afterId, teamId, afterId, count);
}

async function hasEntry(inside: Statements, teamId: string, id: string): Promise<boolean> {
  const found = await inside
    .prepared("SELECT 1 AS found FROM ledger_entries WHERE team_id = ? AND id = ?")
    .get(teamId, id);
  return found !== undefined;
}

/** @returns false when there is an entry of this id. */
async function insertEntry(
  inside: Statements,
  teamId: string,
  { id, from, to, amount, keyId }: Omit<LedgerEntry, "createdAtMs">,
): Promise<boolean> {
  const inserted = await inside
    .prepared(
      `INSERT INTO ledger_entries (team_id, id, from_account, to_account, amount, key_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, id) DO NOTHING`,
    )
    .run(teamId, id, from, to, amount, keyId, Date.now());
  return inserted === 1;
}
