import type { Database, Statements } from "../platform/database/database.ts";

/** Credits of an account that one process took in advance: only its transactions charge them, only others end them. */
export interface Allotment {
  readonly account: string;
  readonly credits: number;
}

/** Of one team, of one owner. */
export async function readAllotments(
  inside: Statements,
  teamId: string,
  owner: string,
): Promise<readonly Allotment[]> {
  return inside
    .prepared<Allotment>("SELECT account, credits FROM ledger_allotments WHERE team_id = ? AND owner = ?")
    .all(teamId, owner);
}

/** Of one team, of all owners. */
export async function allottedOf(inside: Statements, teamId: string): Promise<number> {
  const row = await inside
    .prepared<{ credits: number }>(
      "SELECT COALESCE(SUM(credits), 0) AS credits FROM ledger_allotments WHERE team_id = ?",
    )
    .get(teamId);
  return row?.credits ?? 0;
}

interface AllotmentChange extends Allotment {
  readonly teamId: string;
  readonly owner: string;
  /** Undefined when there was none. */
  readonly before: number | undefined;
}

/** @returns false when it is not as it was: another process has ended it. */
export async function saveAllotment(
  inside: Statements,
  { teamId, account, owner, before, credits }: AllotmentChange,
): Promise<boolean> {
  const changed =
    before === undefined
      ? await inside
          .prepared(
            `INSERT INTO ledger_allotments (team_id, account, owner, credits) VALUES (?, ?, ?, ?)
             ON CONFLICT (team_id, account, owner) DO NOTHING`,
          )
          .run(teamId, account, owner, credits)
      : await inside
          .prepared(
            `UPDATE ledger_allotments SET credits = ?
             WHERE team_id = ? AND account = ? AND owner = ? AND credits = ?`,
          )
          .run(credits, teamId, account, owner, before);
  return changed === 1;
}

/** Ends the allotments of all other owners. @returns what was left of each: to be put back into its account. */
export async function recallAllotments(
  inside: Statements,
  teamId: string,
  owner: string,
): Promise<readonly Allotment[]> {
  const found = await inside
    .prepared<Allotment>("SELECT account, credits FROM ledger_allotments WHERE team_id = ? AND owner <> ?")
    .all(teamId, owner);
  if (found.length === 0) return found;
  await inside.prepared("DELETE FROM ledger_allotments WHERE team_id = ? AND owner <> ?").run(teamId, owner);
  return found;
}

/** Puts what is left of the allotments of a process that died back into their accounts. */
export async function returnAllotments(database: Database, owner: string): Promise<void> {
  await database.transaction(async (inside) => {
    const left = await inside
      .prepared<Allotment & { readonly teamId: string }>(
        `SELECT team_id AS "teamId", account, credits FROM ledger_allotments WHERE owner = ?`,
      )
      .all(owner);
    for (const { teamId, account, credits } of left) {
      await inside
        .prepared("UPDATE ledger_accounts SET debited = debited - ? WHERE team_id = ? AND account = ?")
        .run(credits, teamId, account);
    }
    await inside.prepared("DELETE FROM ledger_allotments WHERE owner = ?").run(owner);
  });
}

/** Allotments of a process together. */
export interface AllottedCredits {
  readonly teams: number;
  readonly credits: number;
}

/** Allotments of all processes, by their names. */
export async function sumAllotments(database: Database): Promise<ReadonlyMap<string, AllottedCredits>> {
  const rows = await database
    .prepared<AllottedCredits & { owner: string }>(
      `SELECT owner, COUNT(DISTINCT team_id) AS teams, SUM(credits) AS credits
       FROM ledger_allotments WHERE credits > 0 GROUP BY owner`,
    )
    .all();
  return new Map(rows.map(({ owner, ...allotted }) => [owner, allotted]));
}
