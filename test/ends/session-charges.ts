import { setTimeout as pause } from "node:timers/promises";

import type { Database } from "../../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";

/** A dead process is taken for dead after 10 seconds, and looked for every 5. */
const RECOVERY_LIMIT_MS = 60_000;

/** What clients know of their sessions. */
export interface KnownSessions {
  readonly opened: Set<string>;
  /** Session → credits, as answered to DELETE. */
  readonly ended: Map<string, number>;
}

/** Waits until no session of a dead process is left, then holds rows, answers and charges against each other. */
export async function chargeProblems(file: string, known: KnownSessions): Promise<readonly string[]> {
  const database = await openDatabase(`sqlite:${file}`);
  try {
    const rows = await settledSessions(database);
    if (!rows) return ["sessions or holds of dead processes were not ended"];
    const entries = "SELECT id, amount FROM ledger_entries WHERE to_account = 'used'";
    const charges = await database.prepared<Charge>(entries).all();
    const debits = "SELECT coalesce(sum(debited), 0) AS sum FROM ledger_accounts";
    const debited = (await database.prepared<{ sum: number }>(debits).get())?.sum ?? 0;
    return [...differences(rows, charges, known), ...totalProblems(charges, debited)];
  } finally {
    await database.close();
  }
}

interface SessionFacts {
  readonly id: string;
  readonly state: string;
  readonly credits: number | null;
}

interface Charge {
  readonly id: string;
  readonly amount: number;
}

/** Undefined when some do not end. Credits that are held for the dead are given back as soon. */
async function settledSessions(database: Database): Promise<readonly SessionFacts[] | undefined> {
  const endMs = performance.now() + RECOVERY_LIMIT_MS;
  for (;;) {
    const rows = await database
      .prepared<SessionFacts>("SELECT id, state, credits FROM interact_sessions")
      .all();
    const holds = await database.prepared("SELECT id FROM ledger_holds").all();
    const isSettled = rows.every(({ state }) => state !== "opening" && state !== "active");
    if (isSettled && holds.length === 0) return rows;
    if (performance.now() > endMs) return undefined;
    await pause(500);
  }
}

function differences(
  rows: readonly SessionFacts[],
  charges: readonly Charge[],
  { opened, ended }: KnownSessions,
): readonly string[] {
  const charged = new Map(charges.map(({ id, amount }) => [id, amount]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const twice = charges
    .filter(({ id }, index) => charges.findIndex((one) => one.id === id) !== index)
    .map(({ id }) => `${id} was charged twice`);
  const lost = [...opened].filter((id) => !byId.has(id)).map((id) => `the session ${id} is lost`);
  const wrong = rows
    .filter(({ id, credits }) => (charged.get(id) ?? 0) !== credits)
    .map(({ id, credits }) => `${id} cost ${credits}, and was charged ${charged.get(id) ?? 0}`);
  const free = rows
    .filter(({ state, credits }) => state === "destroyed" && !credits)
    .map(({ id }) => `${id} was free`);
  const told = [...ended]
    .filter(([id, credits]) => charged.get(id) !== credits)
    .map(([id, credits]) => `${id} was answered for ${credits}, and charged ${charged.get(id) ?? 0}`);
  const strange = charges.filter(({ id }) => !byId.has(id)).map(({ id }) => `${id} was charged for nothing`);
  return [...twice, ...lost, ...wrong, ...free, ...told, ...strange];
}

function totalProblems(charges: readonly Charge[], debited: number): readonly string[] {
  const used = charges.reduce((total, { amount }) => total + amount, 0);
  return debited === used ? [] : [`accounts were debited ${debited}, entries say ${used}`];
}
