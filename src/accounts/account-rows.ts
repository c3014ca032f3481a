import type { Statements } from "../platform/database/database.ts";

/** What the books say of an account of a team that holds credits. */
export interface AccountState {
  readonly credited: number;
  /** Spent, or in an allotment. */
  readonly debited: number;
  readonly granted: number;
  readonly periodStartMs: number;
}

/** @param isContended whether others are going to write them, too. */
export async function readAccounts(
  inside: Statements,
  teamId: string,
  isContended: boolean,
): Promise<ReadonlyMap<string, AccountState>> {
  const rows = await inside
    .prepared<AccountState & { account: string }>(
      `SELECT account, credited, debited, granted, period_start AS "periodStartMs"
       FROM ledger_accounts WHERE team_id = ? ${isContended ? (inside.locked ?? "") : ""}`,
    )
    .all(teamId);
  return new Map(rows.map(({ account, ...state }) => [account, state]));
}

interface AccountChange {
  readonly teamId: string;
  readonly account: string;
  /** Undefined when there was none. */
  readonly before: AccountState | undefined;
  readonly state: AccountState;
}

/** @returns false when it is not as it was: another process has moved credits meanwhile. */
export async function saveAccount(inside: Statements, change: AccountChange): Promise<boolean> {
  const { teamId, account, before, state } = change;
  const { credited, debited, granted, periodStartMs } = state;
  const changed = before
    ? await inside
        .prepared(
          `UPDATE ledger_accounts SET credited = ?, debited = ?, granted = ?, period_start = ?
           WHERE team_id = ? AND account = ? AND credited = ? AND debited = ?`,
        )
        .run(credited, debited, granted, periodStartMs, teamId, account, before.credited, before.debited)
    : await inside
        .prepared(
          `INSERT INTO ledger_accounts (team_id, account, credited, debited, granted, period_start)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, account) DO NOTHING`,
        )
        .run(teamId, account, credited, debited, granted, periodStartMs);
  return changed === 1;
}
