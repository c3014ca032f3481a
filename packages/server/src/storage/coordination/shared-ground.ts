import { randomUUID } from "node:crypto";

import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import { BatchWriter } from "../database/batch-writer.ts";
import type { Database, Statements } from "../database/database.ts";
import type { Coordinator } from "./coordinator.ts";
import { DatabaseStore } from "./database-store.ts";
import { Heartbeat } from "./heartbeat.ts";
import { leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";
import { Counts } from "./memory.ts";
import type { SharedCounts } from "./shared-counts.ts";
import { SharedLeases } from "./shared-leases.ts";
import type { SharedSlots } from "./shared-slots.ts";
import { SharedTopics } from "./shared-topics.ts";

export interface DatabaseCoordinatorOptions {
  readonly database: Database;
  /** Called when the database could not be read or written: until it can again, this process keeps limits alone. */
  readonly onError: (failure: unknown) => void;
  /** Of rates. Default: the database's, else the system's. */
  readonly clock?: (() => number) | undefined;
  /** When the places of a process that died are free again. Default: 10 seconds. */
  readonly placeTtlMs?: number | undefined;
}

/** What coordination over a database rests on. */
export interface Ground {
  readonly database: Database;
  readonly onError: (failure: unknown) => void;
  readonly clock: () => number;
  readonly leases: SharedLeases;
  readonly heartbeat: Heartbeat;
  readonly store: DatabaseStore;
  readonly topics: SharedTopics;
  /** Counts while nothing that is shared can be written. */
  readonly alone: Counts;
}

/** Long enough for a process that was busy for some seconds, short enough for requests that wait for a dead one. */
const PLACE_TTL_MS = 10_000;

export function openGround(options: DatabaseCoordinatorOptions): Ground {
  const { database, onError, clock = database.nowMs ?? Date.now, placeTtlMs = PLACE_TTL_MS } = options;
  const writer = new BatchWriter<Statements>((work) => database.transaction(work));
  const leases = new SharedLeases(database);
  const heartbeat = new Heartbeat({ leases, ttlMs: placeTtlMs, taken: () => forgetDead(database) });
  const store = new DatabaseStore({ database, writer, heartbeat, clock });
  const topics = new SharedTopics({ database, writer, sender: randomUUID(), onError });
  return { database, onError, clock, leases, heartbeat, store, topics, alone: new Counts(clock) };
}

export interface CoordinatorParts extends Pick<Ground, "leases" | "topics"> {
  readonly counts: SharedCounts;
  readonly slots: SharedSlots;
}

export function composeCoordinator(parts: CoordinatorParts): Coordinator {
  const { leases, topics, counts, slots } = parts;
  const flights = new SingleFlight<unknown>();
  return {
    count: (key, limit, windowMs) => counts.count(key, limit, windowMs),
    enter: (slot, entry) => slots.enter(slot, entry),
    load: (slot) => slots.load(slot),
    lease: (name, ttlMs) => leases.take(name, ttlMs),
    once: flights.join.bind(flights) as Coordinator["once"],
    tell: (topic, text) => topics.tell(topic, text),
    hear: (topic, listener) => topics.hear(topic, listener),
    async close() {
      topics.close();
      for (const shared of [counts, slots]) shared.stop();
      await counts.giveBack();
      await slots.giveBack();
      await leases.close();
    },
  };
}

/** Leases that are over, and what processes that died have left. */
async function forgetDead(database: Database): Promise<void> {
  const nowMs = leaseClockOf(database)();
  await database
    .prepared("DELETE FROM leases WHERE held_until <= ? OR held_until > ?")
    .run(nowMs, nowMs + MAX_LEASE_MS);
  await database.prepared("DELETE FROM slot_seats WHERE process NOT IN (SELECT name FROM leases)").run();
}
