import { chunksOf } from "../platform/database/chunks.ts";
import type { Database, Statements } from "../platform/database/database.ts";

/**
 * Double entry: credits only ever move from one account to another, and each move is one entry. A team has the
 * accounts `allowance` (ends with its period) and `prepaid`; credits come from `issuer` and end in `used`.
 */
export type LedgerAccount = "issuer" | "allowance" | "prepaid" | "used";

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

/** What is to be written, and what its move changed, should there be an entry of this id already. */
interface PendingEntry {
  readonly teamId: string;
  readonly entry: Omit<LedgerEntry, "createdAtMs">;
  readonly undo: () => void;
}

/** Collects the entries of a transaction and writes many with each statement, once per id. */
export class EntryWriter {
  readonly #inside: Statements;
  readonly #pending = new Map<string, PendingEntry>();

  constructor(inside: Statements) {
    this.#inside = inside;
  }

  /**
   * @param undo takes back what the move of the entry changed, when an older transaction has written it.
   * @returns false when an entry of this id waits already: it has moved its credits.
   */
  add(teamId: string, entry: Omit<LedgerEntry, "createdAtMs">, undo: () => void): boolean {
    const name = JSON.stringify([teamId, entry.id]);
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
    const rows = pending.map(() => "(?, ?, ?, ?, ?, ?, ?)").join(", ");
    const inserted = await this.#inside
      .prepared<{ teamId: string; id: string }>(
        `INSERT INTO ledger_entries (team_id, id, from_account, to_account, amount, key_id, created_at)
         VALUES ${rows} ON CONFLICT (team_id, id) DO NOTHING RETURNING team_id AS "teamId", id`,
      )
      .all(
        ...pending.flatMap(({ teamId, entry: { id, from, to, amount, keyId } }) => [
          teamId,
          id,
          from,
          to,
          amount,
          keyId,
          nowMs,
        ]),
      );
    if (inserted.length === pending.length) return;
    const written = new Set(inserted.map(({ teamId, id }) => JSON.stringify([teamId, id])));
    for (const { teamId, entry, undo } of pending) {
      if (!written.has(JSON.stringify([teamId, entry.id]))) undo();
    }
  }
}

export async function hasEntry(inside: Statements, teamId: string, id: string): Promise<boolean> {
  const found = await inside
    .prepared("SELECT 1 AS found FROM ledger_entries WHERE team_id = ? AND id = ?")
    .get(teamId, id);
  return found !== undefined;
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
           + (SELECT COALESCE(SUM(credits), 0) FROM ledger_allotments WHERE team_id = ?)
           - (SELECT COALESCE(SUM(${HELD}), 0) FROM ledger_entries WHERE team_id = ? AND id >= ?)
           - COALESCE(SUM(${HELD}) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS balance
       FROM (SELECT * FROM ledger_entries WHERE team_id = ? AND id < ? ORDER BY id DESC LIMIT ?) AS page
       ORDER BY id DESC`,
    )
    .all(teamId, teamId, teamId, afterId, teamId, afterId, count);
}
