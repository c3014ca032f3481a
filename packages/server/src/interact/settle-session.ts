import type { Credits } from "../accounts/credits.ts";
import { getTeam, type Team } from "../accounts/teams.ts";
import { NotFoundError } from "../api/errors.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { Charges } from "../accounts/charges.ts";
import type { Database } from "../storage/database/database.ts";
import { endOfSession } from "./end-of-session.ts";
import { priceOfSession } from "./price.ts";
import type { EndReason, SessionRow, SessionRows } from "./session-rows.ts";

export interface SettleServices {
  readonly database: Database;
  readonly credits: Pick<Credits, "balance">;
  readonly charges: Charges<ScrapeRecord>;
  readonly rows: SessionRows;
}

/**
 * Charges and ends a session that no process holds any more: both or neither, and once, even if several
 * processes try. It is charged up to its last use. A team with fewer credits pays what it has. A session that
 * is part of other work costs nothing, because that work is done again.
 */
export async function settleSession(
  row: SessionRow,
  reason: EndReason,
  { database, credits, charges, rows }: SettleServices,
): Promise<void> {
  if (row.state === "opening") return rows.release(row.id);
  const team = await teamOf(row, database);
  if (!team) return rows.erase(row.teamId);
  const isPaid = row.paidBy !== null;
  const price = isPaid ? 0 : priceOfSession(row.lastUsedAtMs - row.createdAtMs, row.prompted === 1);
  const amount = Math.min(price, (await credits.balance(team)).remaining ?? price);
  const payer = { team, ...(row.keyId !== null && { keyId: row.keyId }) };
  const hold = await charges.hold({ id: row.id, startedAtMs: row.createdAtMs, payer, amount });
  const ended = { id: row.id, endedAtMs: row.lastUsedAtMs, credits: amount, reason };
  const end = endOfSession({ ...row, payer }, ended);
  await charges.charge(hold, { ...end, alsoWrite: rows.ending(ended) });
}

async function teamOf({ teamId }: SessionRow, database: Database): Promise<Team | undefined> {
  return getTeam(database, teamId).catch((failure: unknown) => {
    if (failure instanceof NotFoundError) return undefined;
    throw failure;
  });
}
