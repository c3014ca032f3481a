import { randomUUID } from "node:crypto";

import { SingleFlight } from "../../kit/single-flight.ts";
import type { Coordinator, Counted, Entered, Entry, Lease, SlotLoad } from "./coordinator.ts";
import { leaseClockMs } from "./lease-clock.ts";
import { LocalSlot } from "./local-slot.ts";
import { SlidingWindow } from "./sliding-window.ts";
import { Topics } from "./topics.ts";

/** Windows kept before those are looked for in which nothing has passed lately. */
const MANY_WINDOWS = 10_000;

/** For a service that is one process. */
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

/** Counts in this process. */
export class Counts {
  readonly #clock: () => number;
  readonly #windows = new Map<string, SlidingWindow>();
  #many = MANY_WINDOWS;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  count(key: string, limit: number, windowMs: number): Counted {
    const nowMs = this.#clock();
    const window = this.#windowOf(key, windowMs, nowMs);
    const total = window.total(nowMs);
    if (total >= limit) return { consumed: total + 1, freeAtMs: window.freeAtMs(nowMs, limit) };
    window.add(nowMs, 1);
    return undefined;
  }

  #windowOf(key: string, windowMs: number, nowMs: number): SlidingWindow {
    const known = this.#windows.get(key);
    if (known) return known;
    if (this.#windows.size >= this.#many) this.#forgetEmpty(nowMs);
    const opened = new SlidingWindow(windowMs);
    this.#windows.set(key, opened);
    return opened;
  }

  #forgetEmpty(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.total(nowMs) === 0) this.#windows.delete(key);
    this.#many = Math.max(MANY_WINDOWS, this.#windows.size * 2);
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
