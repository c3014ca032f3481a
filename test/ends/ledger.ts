import { operate, type SoakService, type SoakTeam } from "../service-process.ts";

/** How credits moved once. */
export interface LedgerEntry {
  readonly id: string;
  readonly to: string;
  readonly amount: number;
}

const PAGE = 1000;

/** All entries of a team. */
export async function readLedger(
  { url }: Pick<SoakService, "url">,
  { teamId }: SoakTeam,
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (let cursor: string | null = "~"; cursor !== null;) {
    const path = `teams/${teamId}/ledger?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
    const page = (await operate(url, path)) as {
      readonly data: readonly LedgerEntry[];
      readonly cursor: string | null;
    };
    entries.push(...page.data);
    cursor = page.cursor;
  }
  return entries;
}
