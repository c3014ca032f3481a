import type { Statements } from "../storage/database/database.ts";

/** How long the key of an accepted request blocks its reuse. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/**
 * Takes a key in the transaction that accepts its request. Of two concurrent requests, exactly one gets it.
 * @returns false when the team has used the key within a day.
 */
export async function takeIdempotencyKey(
  tx: Statements,
  { teamId, key, nowMs }: { readonly teamId: string; readonly key: string; readonly nowMs: number },
): Promise<boolean> {
  const taken = await tx
    .prepared(
      `INSERT INTO idempotency_keys (team_id, idempotency_key, used_at) VALUES (?, ?, ?)
       ON CONFLICT (team_id, idempotency_key) DO UPDATE SET used_at = excluded.used_at
       WHERE idempotency_keys.used_at <= ?`,
    )
    .run(teamId, key.toLowerCase(), nowMs, nowMs - KEY_LIFE_MS);
  return taken > 0;
}

export async function pruneIdempotencyKeys(statements: Statements, nowMs: number): Promise<void> {
  await statements.prepared("DELETE FROM idempotency_keys WHERE used_at <= ?").run(nowMs - KEY_LIFE_MS);
}
