import type { HoldOwner } from "../accounts/abandoned-holds.ts";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import { settleSession, type SettleServices } from "./settle-session.ts";

/** The value hardly matters, because the lease is returned at once. */
const LEASE_TTL_MS = 10_000;

interface RecoverServices extends SettleServices {
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly owner: Pick<HoldOwner, "name" | "isOwn" | "isLiving">;
}

/**
 * Ends the sessions of dead processes, and charges them up to their last use.
 * @returns how many there were.
 */
export async function recoverSessions(services: RecoverServices): Promise<number> {
  let ended = 0;
  for (const process of await services.rows.processes()) {
    if (services.owner.isOwn(process)) {
      // A locked database made this process lose its lease, and the name with it. Its sessions still run.
      await services.rows.move(process, await services.owner.name());
      continue;
    }
    if (await services.owner.isLiving(process)) continue;
    // Only the lease of a dead process can be taken.
    const lease = await services.coordinator.lease(process, LEASE_TTL_MS);
    if (!lease) continue;
    try {
      for (const row of await services.rows.ofProcess(process)) {
        await settleSession(row, "crashed", services);
        ended += 1;
      }
    } finally {
      await lease.release();
    }
  }
  return ended;
}
