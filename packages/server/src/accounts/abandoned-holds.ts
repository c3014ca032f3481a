import { randomUUID } from "node:crypto";

import { hasEnded, livesBeside, processIdentity } from "@pergamon-dev/kit/process/process-identity";
import type { Coordinator, Lease } from "../storage/coordination/coordinator.ts";
import type { Database } from "../storage/database/database.ts";
import { returnAllotments } from "./ledger-rows.ts";

/** Between what an owner's process is called and the rest of its name. */
const OF_PROCESS = "#";
/** When the holds of a process that died are released. */
const OWNER_TTL_MS = 10_000;

/** In whose name a process writes its holds: the name of a lease that it has as long as it lives. */
export class HoldOwner {
  readonly #coordinator: Pick<Coordinator, "lease">;
  readonly #names = new Set<string>();
  #lease: Promise<OwnerLease> | undefined;

  constructor(coordinator: Pick<Coordinator, "lease">) {
    this.#coordinator = coordinator;
  }

  /** Takes the lease with the first hold: who holds nothing writes nothing. @throws when it cannot be taken. */
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

  /** Whether this process has this name, or had it until its lease could not be renewed. */
  isOwn(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether it is the name of a process that lives for certain, though it may have lost its lease: this or one beside it. */
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
  /** Of the process that looks. */
  readonly owner: Pick<HoldOwner, "name" | "isOwn" | "isLiving">;
}

/**
 * Releases what processes that died had held: their work was not charged, so it was not answered. What is left of their
 * allotments is in the accounts of the teams again, and nobody runs their requests of provider tools any more. Those of
 * processes that live stay, also where a database that was locked let their leases end.
 * @returns how many holds there were.
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
    // What it does from now on it does under another name.
    if (self.isOwn(owner) && owner !== (await self.name())) await returnAllotments(database, owner);
    if (await self.isLiving(owner)) continue;
    // Only the lease of an owner that has died, or of rows from before there were owners, can be had.
    const lease = await coordinator.lease(owner, OWNER_TTL_MS);
    if (lease || (await hasEnded(processOf(owner)))) await leaveToolRequests(database, owner);
    if (!lease) continue;
    await returnAllotments(database, owner);
    released += await database.prepared("DELETE FROM ledger_holds WHERE owner = ?").run(owner);
    await lease.release();
  }
  return released;
}

/** What the process of an owner is called. */
function processOf(owner: string): string {
  return owner
    .replace(/^holds /, "")
    .split(OF_PROCESS, 1)
    .join();
}

/** Nobody runs them any more. */
async function leaveToolRequests(database: Database, owner: string): Promise<void> {
  await database
    .prepared("UPDATE tool_requests SET owner = '' WHERE owner = ? AND state = 'running'")
    .run(owner);
}
