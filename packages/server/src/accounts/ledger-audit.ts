import type { Database, Statements } from "../storage/database/database.ts";

/** Sums over the ledger of all teams, in credits. */
interface LedgerSums {
  readonly teams: number;
  readonly entries: number;
  /** Granted to teams with limited credits, less the part that went back when a period ended. */
  readonly granted: number;
  /** The part of `granted` that was used. */
  readonly used: number;
  /** The part of `granted` that is left in the accounts. */
  readonly left: number;
  /** The part of `granted` that processes hold in allotments. */
  readonly allotted: number;
  /** Used by teams with unlimited credits. */
  readonly usedWithoutEnd: number;
}

export interface LedgerAudit {
  readonly sums: LedgerSums;
  /** Discrepancies, one sentence each; empty when the books are right. */
  readonly problems: readonly string[];
}

interface EntrySum {
  readonly teamId: string;
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly amount: number;
}

interface AccountRow {
  readonly teamId: string;
  readonly account: string;
  readonly credited: number;
  readonly debited: number;
}

interface AllottedRow {
  readonly teamId: string;
  readonly account: string;
  readonly credits: number;
}

/** A consistent snapshot of the books. */
interface Books {
  readonly sums: readonly EntrySum[];
  readonly rows: readonly AccountRow[];
  readonly allotted: readonly AllottedRow[];
}

/** An account as its entries, its row and its allotments state it. */
interface AccountPair {
  readonly teamId: string;
  readonly account: string;
  credited: number;
  debited: number;
  allotted: number;
  row: AccountRow | undefined;
}

/**
 * Adds up all ledger entries and compares the sums with the accounts: the credits granted to a team must
 * equal those it used, those left to it, and those in allotments of processes. It reads one snapshot, so
 * services may continue charging.
 */
export async function auditLedger(database: Pick<Database, "transaction">): Promise<LedgerAudit> {
  const books = await database.transaction(readBooks);
  const problems = pair(books).flatMap((account) => problemsOf(account));
  return { sums: addUp(books), problems };
}

async function readBooks(tx: Statements): Promise<Books> {
  const sums = await tx
    .prepared<EntrySum>(
      `SELECT team_id AS "teamId", from_account AS "from", to_account AS "to", count(*) AS entries,
         sum(amount) AS amount
       FROM ledger_entries GROUP BY team_id, from_account, to_account ORDER BY team_id`,
    )
    .all();
  const rows = await tx
    .prepared<AccountRow>(
      `SELECT team_id AS "teamId", account, credited, debited FROM ledger_accounts ORDER BY team_id, account`,
    )
    .all();
  const allotted = await tx
    .prepared<AllottedRow>(
      `SELECT team_id AS "teamId", account, sum(credits) AS credits FROM ledger_allotments GROUP BY team_id, account`,
    )
    .all();
  return { sums, rows, allotted };
}

/** Accounts without a balance: credits come from the first and end in the second. */
const ENDS: ReadonlySet<string> = new Set(["issuer", "used"]);

function pair({ sums, rows, allotted }: Books): readonly AccountPair[] {
  const pairs = new Map<string, AccountPair>();
  const pairOf = (teamId: string, account: string): AccountPair => {
    const key = JSON.stringify([teamId, account]);
    const found = pairs.get(key) ?? { teamId, account, credited: 0, debited: 0, allotted: 0, row: undefined };
    pairs.set(key, found);
    return found;
  };
  for (const { teamId, from, to, amount } of sums) {
    if (!ENDS.has(from)) pairOf(teamId, from).debited += amount;
    if (!ENDS.has(to)) pairOf(teamId, to).credited += amount;
  }
  for (const row of rows) pairOf(row.teamId, row.account).row = row;
  for (const { teamId, account, credits } of allotted) pairOf(teamId, account).allotted = credits;
  return [...pairs.values()];
}

function problemsOf({ teamId, account, credited, debited, allotted, row }: AccountPair): readonly string[] {
  const name = `Team ${teamId}, ${account}`;
  const problems: string[] = [];
  const noted = row ?? { credited: 0, debited: 0 };
  if (noted.credited !== credited) {
    problems.push(
      `${name}: the entries add up to ${credited} credits received, the account says ${noted.credited}.`,
    );
  }
  if (noted.debited !== debited + allotted) {
    const also = allotted > 0 ? ` and ${allotted} are in allotments` : "";
    problems.push(
      `${name}: the entries add up to ${debited} credits spent${also}, the account says ${noted.debited}.`,
    );
  }
  if (debited + allotted > credited) {
    problems.push(`${name}: ${debited + allotted} credits were spent or allotted of ${credited}.`);
  }
  return problems;
}

function addUp({ sums, rows, allotted }: Books): LedgerSums {
  const amountOf = (isOne: (sum: EntrySum) => boolean): number =>
    sums.filter(isOne).reduce((total, { amount }) => total + amount, 0);
  return {
    teams: new Set([...sums, ...rows].map(({ teamId }) => teamId)).size,
    entries: sums.reduce((total, { entries }) => total + entries, 0),
    granted:
      amountOf(({ from, to }) => from === "issuer" && to !== "used") - amountOf(({ to }) => to === "issuer"),
    used: amountOf(({ from, to }) => from !== "issuer" && to === "used"),
    left: rows.reduce((total, { credited, debited }) => total + credited - debited, 0),
    allotted: allotted.reduce((total, { credits }) => total + credits, 0),
    usedWithoutEnd: amountOf(({ from, to }) => from === "issuer" && to === "used"),
  };
}
