import { SingleFlight } from "../../kit/single-flight.ts";
import type { Database, Statements } from "../database/database.ts";
import type { Coordinator } from "./coordinator.ts";
import { leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";
import { Counts } from "./memory.ts";
import { Heartbeat } from "./heartbeat.ts";
import { SharedCounts } from "./shared-counts.ts";
import { SharedLeases } from "./shared-leases.ts";
import { SharedSlots } from "./shared-slots.ts";
import { SharedTopics } from "./shared-topics.ts";
import { BatchWriter } from "../database/batch-writer.ts";

export interface DatabaseCoordinatorOptions {
  readonly database: Database;
  /** Told when the database could not be read or written: until it can again, this process keeps limits alone. */
  readonly onError: (failure: unknown) => void;
  /** Of the windows in which is counted. Default: the database's, else the system's. */
  readonly clock?: () => number;
  /** When the places of a process that died are free again. Default: 10 seconds. */
  readonly placeTtlMs?: number;
}

/** Long enough for a process that was busy for some seconds, short enough for requests that wait for a dead one. */
const PLACE_TTL_MS = 10_000;

/** For processes that share a database: it is the only thing between them. What has no limit never reaches it. */
export function openDatabaseCoordinator(options: DatabaseCoordinatorOptions): Coordinator {
  const { database, onError, clock = database.nowMs ?? Date.now, placeTtlMs = PLACE_TTL_MS } = options;
  const writer = new BatchWriter<Statements>((work) => database.transaction(work));
  const leases = new SharedLeases(database);
  const heartbeat = new Heartbeat({ leases, ttlMs: placeTtlMs, taken: () => forgetDead(database) });
  const counts = new SharedCounts({ writer, clock, alone: new Counts(clock), onError });
  const slots = new SharedSlots({ database, writer, heartbeat, onError });
  const topics = new SharedTopics({ database, writer, sender: heartbeat.id, onError });
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
      await counts.close();
      await slots.close();
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
