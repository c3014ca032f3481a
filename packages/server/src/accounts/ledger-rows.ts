import { chunksOf } from "../storage/database/chunks.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { insertionOf } from "../storage/database/insert-rows.ts";

/**
 * Double entry: credits only move from one account to another, and each move is one entry. A team has the
 * accounts `allowance`, which ends with its period, and `prepaid`. Credits come from `issuer` and end in
 * `used`.
 */
type LedgerAccount = "issuer" | "allowance" | "prepaid" | "used";

export interface LedgerEntry {
  readonly id: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: number;
  readonly keyId: string | null;
  readonly createdAtMs: number;
}

/** An entry with the team's balance after it. Unlimited credits are not counted. */
export interface ListedEntry extends LedgerEntry {
  readonly balance: number;
}

/** An entry that waits to be written. `undo` reverts its move when an entry of this id exists already. */
interface PendingEntry {
  readonly teamId: string;
  readonly entry: Omit<LedgerEntry, "createdAtMs">;
  readonly undo: () => void;
}

const ENTRIES = {
  into: "ledger_entries (team_id, id, from_account, to_account, amount, key_id, created_at)",
  row: "(?, ?, ?, ?, ?, ?, ?)",
  // One column, because each value of each row takes as long as its comparison.
  ending: "ON CONFLICT (team_id, id) DO NOTHING RETURNING team_id || '\n' || id AS name",
  differing: [1],
};

/** Collects the entries of a transaction and writes many with each statement, once per id. */
export class EntryWriter {
  readonly #tx: Statements;
  readonly #pending = new Map<string, PendingEntry>();

  constructor(tx: Statements) {
    this.#tx = tx;
  }

  /**
   * @param undo reverts the move of the entry when an earlier transaction has written it already.
   * @returns false when an entry of this id waits already and has moved its credits.
   */
  add(teamId: string, entry: Omit<LedgerEntry, "createdAtMs">, undo: () => void): boolean {
    const name = nameOf(teamId, entry.id);
    if (this.#pending.has(name)) return false;
    this.#pending.set(name, { teamId, entry, undo });
    return true;
  }

  async flush(): Promise<void> {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of chunksOf(waiting)) await this.#insert(pending);
  }

  async #insert(pending: readonly PendingEntry[]): Promise<void> {
    const nowMs = Date.now();
    const rows = pending.map(({ teamId, entry: { id, from, to, amount, keyId } }) => [
      teamId,
      id,
      from,
      to,
      amount,
      keyId,
      nowMs,
    ]);
    const { sql, values } = insertionOf(ENTRIES, rows);
    const inserted = await this.#tx.prepared<{ name: string }>(sql).all(...values);
    if (inserted.length === pending.length) return;
    const written = new Set(inserted.map(({ name }) => name));
    for (const { teamId, entry, undo } of pending) {
      if (!written.has(nameOf(teamId, entry.id))) undo();
    }
  }
}

/** Ids of teams have no line breaks. */
function nameOf(teamId: string, entryId: string): string {
  return `${teamId}\n${entryId}`;
}

export async function hasEntry(tx: Statements, teamId: string, id: string): Promise<boolean> {
  const found = await tx
    .prepared("SELECT 1 AS found FROM ledger_entries WHERE team_id = ? AND id = ?")
    .get(teamId, id);
  return found !== undefined;
}

/** Change of a team's balance by an entry. */
const HELD = `amount * ((CASE WHEN to_account IN ('allowance', 'prepaid') THEN 1 ELSE 0 END)
  - (CASE WHEN from_account IN ('allowance', 'prepaid') THEN 1 ELSE 0 END))`;

/** Entries of a team, newest first, starting after `afterId`. */
export async function entriesOf(
  database: Database,
  teamId: string,
  { afterId = "~", count }: { readonly afterId?: string | undefined; readonly count: number },
): Promise<readonly ListedEntry[]> {
  // Balances are computed back from the current one, because old entries may have been deleted.
  return database
    .prepared<ListedEntry>(
      `SELECT id, from_account AS "from", to_account AS "to", amount, key_id AS "keyId", created_at AS "createdAtMs",
         (SELECT COALESCE(SUM(credited - debited), 0) FROM ledger_accounts WHERE team_id = ?)
           + (SELECT COALESCE(SUM(credits), 0) FROM ledger_allotments WHERE team_id = ?)
           - (SELECT COALESCE(SUM(${HELD}), 0) FROM ledger_entries WHERE team_id = ? AND id >= ?)
           - COALESCE(SUM(${HELD}) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS balance
       FROM (SELECT * FROM ledger_entries WHERE team_id = ? AND id < ? ORDER BY id DESC LIMIT ?) AS page
       ORDER BY id DESC`,
    )
    .all(teamId, teamId, teamId, afterId, teamId, afterId, count);
}

/** The state of an account that holds a team's credits. */
export interface AccountState {
  readonly credited: number;
  /** Credits that were spent or moved to an allotment. */
  readonly debited: number;
  readonly granted: number;
  readonly periodStartMs: number;
}

/** @param isContended whether other processes are going to write the accounts too. */
export async function readAccounts(
  tx: Statements,
  teamId: string,
  isContended: boolean,
): Promise<ReadonlyMap<string, AccountState>> {
  const rows = await tx
    .prepared<AccountState & { account: string }>(
      `SELECT account, credited, debited, granted, period_start AS "periodStartMs"
       FROM ledger_accounts WHERE team_id = ? ${isContended ? (tx.locked ?? "") : ""}`,
    )
    .all(teamId);
  return new Map(rows.map(({ account, ...state }) => [account, state]));
}

interface AccountChange {
  readonly teamId: string;
  readonly account: string;
  /** Undefined for a new account. */
  readonly before: AccountState | undefined;
  readonly state: AccountState;
}

/** Two transactions wanted the same credits. A retry works on what the other one left. */
export class LedgerConflict extends Error {
  override readonly name = "LedgerConflict";
}

/** @throws LedgerConflict when another process has changed the account since it was read. */
export async function saveAccount(tx: Statements, change: AccountChange): Promise<void> {
  const { teamId, account, before, state } = change;
  const { credited, debited, granted, periodStartMs } = state;
  const changed = before
    ? await tx
        .prepared(
          `UPDATE ledger_accounts SET credited = ?, debited = ?, granted = ?, period_start = ?
           WHERE team_id = ? AND account = ? AND credited = ? AND debited = ?`,
        )
        .run(credited, debited, granted, periodStartMs, teamId, account, before.credited, before.debited)
    : await tx
        .prepared(
          `INSERT INTO ledger_accounts (team_id, account, credited, debited, granted, period_start)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, account) DO NOTHING`,
        )
        .run(teamId, account, credited, debited, granted, periodStartMs);
  if (changed !== 1) throw new LedgerConflict();
}

/**
 * Credits that one process took from an account in advance. Only that process charges them, and only others
 * end them.
 */
interface Allotment {
  readonly account: string;
  readonly credits: number;
}

/** Allotments of one owner from one team. */
export async function readAllotments(
  tx: Statements,
  teamId: string,
  owner: string,
): Promise<readonly Allotment[]> {
  return tx
    .prepared<Allotment>("SELECT account, credits FROM ledger_allotments WHERE team_id = ? AND owner = ?")
    .all(teamId, owner);
}

/** Sum of one team's allotments, of all owners. */
export async function allottedOf(tx: Statements, teamId: string): Promise<number> {
  const row = await tx
    .prepared<{ credits: number }>(
      "SELECT COALESCE(SUM(credits), 0) AS credits FROM ledger_allotments WHERE team_id = ?",
    )
    .get(teamId);
  return row?.credits ?? 0;
}

interface AllotmentChange extends Allotment {
  readonly teamId: string;
  readonly owner: string;
  /** Undefined for a new allotment. */
  readonly before: number | undefined;
}

/** @throws LedgerConflict when another process has ended the allotment. */
export async function saveAllotment(
  tx: Statements,
  { teamId, account, owner, before, credits }: AllotmentChange,
): Promise<void> {
  const changed =
    before === undefined
      ? await tx
          .prepared(
            `INSERT INTO ledger_allotments (team_id, account, owner, credits) VALUES (?, ?, ?, ?)
             ON CONFLICT (team_id, account, owner) DO NOTHING`,
          )
          .run(teamId, account, owner, credits)
      : await tx
          .prepared(
            `UPDATE ledger_allotments SET credits = ?
             WHERE team_id = ? AND account = ? AND owner = ? AND credits = ?`,
          )
          .run(credits, teamId, account, owner, before);
  if (changed !== 1) throw new LedgerConflict();
}

/** Ends the allotments of all other owners. @returns the rest of each, which goes back to its account. */
export async function recallAllotments(
  tx: Statements,
  teamId: string,
  owner: string,
): Promise<readonly Allotment[]> {
  const found = await tx
    .prepared<Allotment>("SELECT account, credits FROM ledger_allotments WHERE team_id = ? AND owner <> ?")
    .all(teamId, owner);
  if (found.length === 0) return found;
  await tx.prepared("DELETE FROM ledger_allotments WHERE team_id = ? AND owner <> ?").run(teamId, owner);
  return found;
}

/** Returns the rest of a dead process's allotments to their accounts. */
export async function returnAllotments(database: Database, owner: string): Promise<void> {
  await database.transaction(async (tx) => {
    const left = await tx
      .prepared<Allotment & { readonly teamId: string }>(
        `SELECT team_id AS "teamId", account, credits FROM ledger_allotments WHERE owner = ?`,
      )
      .all(owner);
    for (const { teamId, account, credits } of left) {
      await tx
        .prepared("UPDATE ledger_accounts SET debited = debited - ? WHERE team_id = ? AND account = ?")
        .run(credits, teamId, account);
    }
    await tx.prepared("DELETE FROM ledger_allotments WHERE owner = ?").run(owner);
  });
}

export interface AllottedCredits {
  readonly teams: number;
  readonly credits: number;
}

/** Allotments of all processes, by owner. */
export async function sumAllotments(database: Database): Promise<ReadonlyMap<string, AllottedCredits>> {
  const rows = await database
    .prepared<AllottedCredits & { owner: string }>(
      `SELECT owner, COUNT(DISTINCT team_id) AS teams, SUM(credits) AS credits
       FROM ledger_allotments WHERE credits > 0 GROUP BY owner`,
    )
    .all();
  return new Map(rows.map(({ owner, ...allotted }) => [owner, allotted]));
}

/** A hold that is stored before its work sends anything out of the service. */
export interface WrittenHold {
  /** Id of the work. */
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly amount: number;
  readonly owner: string;
}

/** Collects the holds that begin and end in a transaction, and writes many with each statement. */
export class HoldWriter {
  readonly #tx: Statements;
  readonly #begun = new Map<string, WrittenHold>();
  readonly #ended = new Set<string>();

  constructor(tx: Statements) {
    this.#tx = tx;
  }

  /** Writes a new hold, or the new amount of an earlier one. */
  begin(hold: WrittenHold): void {
    this.#begun.set(hold.id, hold);
    this.#ended.delete(hold.id);
  }

  end(id: string): void {
    this.#begun.delete(id);
    this.#ended.add(id);
  }

  async flush(): Promise<void> {
    const nowMs = Date.now();
    for (const holds of chunksOf([...this.#begun.values()])) {
      const rows = holds.map(() => "(?, ?, ?, ?, ?, ?)").join(", ");
      await this.#tx
        .prepared(
          `INSERT INTO ledger_holds (id, team_id, key_id, amount, created_at, owner) VALUES ${rows}
           ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, owner = excluded.owner`,
        )
        .run(
          ...holds.flatMap(({ id, teamId, keyId, amount, owner }) => [
            id,
            teamId,
            keyId,
            amount,
            nowMs,
            owner,
          ]),
        );
    }
    for (const ids of chunksOf([...this.#ended])) {
      const list = ids.map(() => "?").join(", ");
      await this.#tx.prepared(`DELETE FROM ledger_holds WHERE id IN (${list})`).run(...ids);
    }
    this.#begun.clear();
    this.#ended.clear();
  }
}
