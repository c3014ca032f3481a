import { randomUUID } from "node:crypto";

import { leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";
import type { Coordinator } from "./coordinator.ts";
import { SharedCounts } from "./shared-counts.ts";
import { SharedSlots } from "./shared-slots.ts";
import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import { BatchWriter } from "../database/batch-writer.ts";
import type { Database, Statements } from "../database/database.ts";
import { DatabaseStore } from "./database-store.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Counts } from "./memory.ts";
import { SharedLeases } from "./shared-leases.ts";
import { lastOfSequence, nextOfSequence } from "../database/sequences.ts";
import { Topics } from "./topics.ts";

/**
 * Coordinates processes that have only a database in common. Entries without a limit never reach the
 * database.
 */
export function openDatabaseCoordinator(options: DatabaseCoordinatorOptions): Coordinator {
  const ground = openGround(options);
  const { database, store, heartbeat, clock, alone, onError } = ground;
  const counts = new SharedCounts({ store, clock, alone, onError });
  const slots = new SharedSlots({ store, heartbeat, clock: leaseClockOf(database), onError });
  return composeCoordinator({ ...ground, counts, slots });
}

interface DatabaseCoordinatorOptions {
  readonly database: Database;
  /**
   * Called when the database cannot be read or written. Until it recovers, this process enforces the limits
   * alone.
   */
  readonly onError: (failure: unknown) => void;
  /** Clock of the rates. Default: the database's, or else the system's. */
  readonly clock?: (() => number) | undefined;
  /** Time after which the places of a dead process become free. Default: 10 seconds. */
  readonly placeTtlMs?: number | undefined;
}

interface Ground {
  readonly database: Database;
  readonly onError: (failure: unknown) => void;
  readonly clock: () => number;
  readonly leases: SharedLeases;
  readonly heartbeat: Heartbeat;
  readonly store: DatabaseStore;
  readonly topics: SharedTopics;
  /** Counts of this process alone, used while the shared counts cannot be written. */
  readonly alone: Counts;
}

/**
 * Long enough for a process that is busy for some seconds, short enough for requests that wait for a dead
 * one.
 */
const PLACE_TTL_MS = 10_000;

function openGround(options: DatabaseCoordinatorOptions): Ground {
  const { database, onError, clock = database.nowMs ?? Date.now, placeTtlMs = PLACE_TTL_MS } = options;
  const writer = new BatchWriter<Statements>((work) => database.transaction(work));
  const leases = new SharedLeases(database);
  const heartbeat = new Heartbeat({ leases, ttlMs: placeTtlMs, taken: () => forgetDead(database) });
  const store = new DatabaseStore({ database, writer, heartbeat, clock });
  const topics = new SharedTopics({ database, writer, sender: randomUUID(), onError });
  return { database, onError, clock, leases, heartbeat, store, topics, alone: new Counts(clock) };
}

interface CoordinatorParts extends Pick<Ground, "leases" | "topics"> {
  readonly counts: SharedCounts;
  readonly slots: SharedSlots;
}

function composeCoordinator(parts: CoordinatorParts): Coordinator {
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

/** Deletes expired leases, and the rows of dead processes. */
async function forgetDead(database: Database): Promise<void> {
  const nowMs = leaseClockOf(database)();
  await database
    .prepared("DELETE FROM leases WHERE held_until <= ? OR held_until > ?")
    .run(nowMs, nowMs + MAX_LEASE_MS);
  await database.prepared("DELETE FROM slot_seats WHERE process NOT IN (SELECT name FROM leases)").run();
}

interface TopicParts {
  readonly database: Database;
  readonly writer: BatchWriter<Statements>;
  /** Id of the sending process, which delivers its own messages without the database. */
  readonly sender: string;
  readonly onError: (failure: unknown) => void;
}

const LOOK_INTERVAL_MS = 50;
/** Every listening process has polled by then. */
const KEPT_MS = 60_000;
const SEQUENCE = "messages";

/**
 * Messages in the table `messages`. The table is read only while there are listeners, and only after others
 * have written.
 */
class SharedTopics {
  readonly #parts: TopicParts;
  readonly #topics = new Topics();
  #timer: NodeJS.Timeout | undefined;
  /** Number of the last message; undefined when it is not known yet. */
  #last: number | undefined;
  #isLooking = false;
  #seenWrites: number | undefined;

  constructor(parts: TopicParts) {
    this.#parts = parts;
  }

  async tell(topic: string, text: string): Promise<void> {
    const nowMs = leaseClockOf(this.#parts.database)();
    await this.#parts.writer.order(async (tx) => {
      const sequence = await nextOfSequence(tx, SEQUENCE, 1);
      await tx
        .prepared("INSERT INTO messages (sequence, topic, text, sender, told_at) VALUES (?, ?, ?, ?, ?)")
        .run(sequence, topic, text, this.#parts.sender, nowMs);
      await tx
        .prepared("DELETE FROM messages WHERE told_at < ? OR told_at > ?")
        .run(nowMs - KEPT_MS, nowMs + MAX_LEASE_MS);
    });
    this.#topics.tell(topic, text);
  }

  hear(topic: string, listener: (text: string) => void): () => void {
    const end = this.#topics.hear(topic, listener);
    this.#timer ??= this.#lookAgainAndAgain();
    return () => {
      end();
      if (!this.#topics.isHeard) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #lookAgainAndAgain(): NodeJS.Timeout {
    this.#last = undefined;
    this.#look();
    return setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookOnce()
      .catch(this.#parts.onError)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #lookOnce(): Promise<void> {
    const writes = this.#parts.database.foreignWrites?.();
    const isSeen = writes !== undefined && writes === this.#seenWrites && this.#last !== undefined;
    if (!isSeen) await this.#hearNew(writes);
  }

  async #hearNew(writes: number | undefined): Promise<void> {
    const { database, sender } = this.#parts;
    this.#last ??= await lastOfSequence(database, SEQUENCE);
    const messages = await database
      .prepared<{ sequence: number; topic: string; text: string; sender: string }>(
        "SELECT sequence, topic, text, sender FROM messages WHERE sequence > ? ORDER BY sequence",
      )
      .all(this.#last);
    for (const message of messages) {
      this.#last = message.sequence;
      if (message.sender !== sender) this.#topics.tell(message.topic, message.text);
    }
    this.#seenWrites = writes;
  }
}
