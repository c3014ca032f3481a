import type { Database } from "../database/database.ts";
import { isOver, leaseClockOf } from "./lease-clock.ts";

const MAX_LEASES = 10_000;

/**
 * Counts the held leases by purpose, which is the first word of their names. The rest of a name may contain
 * what no other process needs to know, such as the address of a collector.
 */
export async function leaseKinds(
  database: Database,
): Promise<readonly { readonly kind: string; readonly count: number }[]> {
  const nowMs = leaseClockOf(database)();
  const rows = await database
    .prepared<{ name: string; heldUntilMs: number }>(
      `SELECT name, held_until AS "heldUntilMs" FROM leases LIMIT ${MAX_LEASES}`,
    )
    .all();
  const counts = new Map<string, number>();
  for (const { name, heldUntilMs } of rows) {
    const [kind = name] = name.split(/[ :]/);
    if (!isOver(heldUntilMs, nowMs)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}
