import { randomUUID } from "node:crypto";

import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import type { Coordinator, Counted, Entered, Entry, Lease, SlotLoad } from "./coordinator.ts";
import { leaseClockMs } from "./lease-clock.ts";
import { LocalSlot } from "./local-slot.ts";
import { dueAfter, refusalAt, roomAt } from "./rate.ts";
import { Topics } from "./topics.ts";

/** Number of rates above which expired ones are looked for. */
const MANY_RATES = 10_000;

/** Coordinates a service that runs as one process. */
export function openMemoryCoordinator(clock: () => number = Date.now): Coordinator {
  const counts = new Counts(clock);
  const slots = new Slots();
  const leases = new Map<string, string>();
  const topics = new Topics();
  const flights = new SingleFlight<unknown>();
  return {
    count: (key, limit, windowMs) => counts.count(key, limit, windowMs),
    enter: (slot, entry) => slots.enter(slot, entry),
    load: async (slot) => slots.load(slot),
    async lease(name) {
      return leases.has(name) ? undefined : takeLease(leases, name);
    },
    once: flights.join.bind(flights) as Coordinator["once"],
    tell: async (topic, text) => topics.tell(topic, text),
    hear: (topic, listener) => topics.hear(topic, listener),
    async close() {
      leases.clear();
    },
  };
}

export class Counts {
  readonly #clock: () => number;
  /**
   * Key and limit → time when everything that has passed is worked off. A changed limit starts a new count.
   */
  readonly #dueMs = new Map<string, number>();
  #many = MANY_RATES;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  count(key: string, limit: number, windowMs: number): Counted {
    const nowMs = this.#clock();
    const rate = { limit, windowMs };
    const name = `${key} ${limit}`;
    const dueMs = this.#dueMs.get(name) ?? 0;
    if (roomAt(nowMs, dueMs, rate) === 0) return refusalAt(nowMs, dueMs, rate);
    if (this.#dueMs.size >= this.#many) this.#forget(nowMs);
    this.#dueMs.set(name, dueAfter(1, nowMs, dueMs, rate));
    return undefined;
  }

  #forget(nowMs: number): void {
    for (const [key, dueMs] of this.#dueMs) if (dueMs <= nowMs) this.#dueMs.delete(key);
    this.#many = Math.max(MANY_RATES, this.#dueMs.size * 2);
  }
}

class Slots {
  readonly #rooms = new Map<string, LocalSlot>();

  enter(slot: string, entry: Entry): Entered | Promise<Entered> {
    const room = this.#roomOf(slot);
    room.seats = entry.limit;
    room.admit();
    const entered = room.enter(entry);
    room.refuseNewcomers();
    return entered;
  }

  load(slot: string): SlotLoad {
    const { running = 0, waiting = 0 } = this.#rooms.get(slot) ?? {};
    return { running, waiting };
  }

  #roomOf(slot: string): LocalSlot {
    const known = this.#rooms.get(slot);
    if (known) return known;
    const room = new LocalSlot(() => {
      room.admit();
      if (room.running + room.waiting === 0) this.#rooms.delete(slot);
    }, leaseClockMs);
    this.#rooms.set(slot, room);
    return room;
  }
}

function takeLease(leases: Map<string, string>, name: string): Lease {
  const holder = randomUUID();
  leases.set(name, holder);
  return {
    signal: new AbortController().signal,
    async release() {
      if (leases.get(name) === holder) leases.delete(name);
    },
  };
}
