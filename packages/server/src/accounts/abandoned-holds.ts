import { randomUUID } from "node:crypto";

import { hasEnded, livesBeside, processIdentity } from "@pergamon-dev/kit/process/process-identity";
import type { Coordinator, Lease } from "../storage/coordination/coordinator.ts";
import type { Database } from "../storage/database/database.ts";
import { returnAllotments } from "./ledger-rows.ts";

/** Separates the name of the owner's process from the rest of its lease name. */
const OF_PROCESS = "#";
/** The holds of a process are released this long after it stopped renewing its lease. */
const OWNER_TTL_MS = 10_000;

/** The name under which a process writes its holds: that of a lease which it keeps while it lives. */
export class HoldOwner {
  readonly #coordinator: Pick<Coordinator, "lease">;
  readonly #names = new Set<string>();
  #lease: Promise<OwnerLease> | undefined;

  constructor(coordinator: Pick<Coordinator, "lease">) {
    this.#coordinator = coordinator;
  }

  /**
   * Takes the lease with the first hold, because a process without holds writes nothing.
   * @throws when the lease cannot be taken.
   */
  async name(): Promise<string> {
    this.#lease ??= takeOwnerLease(this.#coordinator);
    try {
      const { name, lease } = await this.#lease;
      this.#names.add(name);
      if (!lease.signal.aborted) return name;
    } catch (failure) {
      this.#lease = undefined;
      throw failure;
    }
    this.#lease = undefined;
    return this.name();
  }

  /** True also for earlier names of this process, whose lease could not be renewed. */
  isOwn(name: string): boolean {
    return this.#names.has(name);
  }

  /** True when the process (this one or one beside it) certainly lives, even if it has lost its lease. */
  async isLiving(name: string): Promise<boolean> {
    return this.isOwn(name) || livesBeside(processOf(name));
  }

  async close(): Promise<void> {
    const taken = await this.#lease?.catch(() => undefined);
    await taken?.lease.release();
  }
}

interface OwnerLease {
  readonly name: string;
  readonly lease: Lease;
}

async function takeOwnerLease(coordinator: Pick<Coordinator, "lease">): Promise<OwnerLease> {
  const name = `holds ${(await processIdentity()) ?? ""}${OF_PROCESS}${randomUUID()}`;
  const lease = await coordinator.lease(name, OWNER_TTL_MS);
  if (!lease) throw new Error("The owner of holds is known already.");
  return { name, lease };
}

interface HoldsAround {
  readonly database: Database;
  readonly coordinator: Pick<Coordinator, "lease">;
  /** The owner of the process that runs the check. */
  readonly owner: Pick<HoldOwner, "name" | "isOwn" | "isLiving">;
}

/**
 * Releases the holds of processes that died. Their work was not charged, so it was not answered. The rest of
 * their allotments returns to the accounts of the teams, and their requests of provider tools are marked as
 * run by nobody. Holds of living processes stay, even when a locked database let their leases expire.
 * @returns how many holds were released.
 */
export async function releaseAbandonedHolds({
  database,
  coordinator,
  owner: self,
}: HoldsAround): Promise<number> {
  const owners = await database
    .prepared<{ owner: string }>(
      `SELECT owner FROM ledger_holds UNION SELECT owner FROM ledger_allotments
       UNION SELECT owner FROM tool_requests WHERE state = 'running' AND owner <> ''`,
    )
    .all();
  let released = 0;
  for (const { owner } of owners) {
    // This process lost the lease of that name and writes under another name from now on.
    if (self.isOwn(owner) && owner !== (await self.name())) await returnAllotments(database, owner);
    if (await self.isLiving(owner)) continue;
    // The lease can only be taken when its owner died, or for rows from before owners existed.
    const lease = await coordinator.lease(owner, OWNER_TTL_MS);
    if (lease || (await hasEnded(processOf(owner)))) await leaveToolRequests(database, owner);
    if (!lease) continue;
    await returnAllotments(database, owner);
    released += await database.prepared("DELETE FROM ledger_holds WHERE owner = ?").run(owner);
    await lease.release();
  }
  return released;
}

function processOf(owner: string): string {
  return owner
    .replace(/^holds /, "")
    .split(OF_PROCESS, 1)
    .join();
}

async function leaveToolRequests(database: Database, owner: string): Promise<void> {
  await database
    .prepared("UPDATE tool_requests SET owner = '' WHERE owner = ? AND state = 'running'")
    .run(owner);
}
