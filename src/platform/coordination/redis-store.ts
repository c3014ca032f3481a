import type { RedisConnection } from "../redis/redis-connection.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Peers } from "./peers.ts";
import type { OtherUse } from "./quota.ts";
import { GUARD_FIELD, READ_SEATS, SWAP_SEATS, SWAP_WINDOW } from "./redis-scripts.ts";
import { decodeSeats, encodeSeats, type Seats } from "./redis-seats.ts";
import type { SeatsChange, SharedStore, WindowChange } from "./shared-store.ts";
import { SlidingWindow } from "./sliding-window.ts";
import { isSameRow, NOTHING, type SlotRow } from "./slot-rows.ts";

export interface RedisStoreParts {
  readonly connection: RedisConnection;
  /** Of the choice of this store: part of every key. */
  readonly token: string;
  /** By the clock of leases. */
  readonly chosenAtMs: number;
  readonly heartbeat: Heartbeat;
  readonly peers: Peers;
  /** As the database has it. */
  readonly readWindow: (key: string, windowMs: number) => Promise<SlidingWindow>;
  /** Of the windows. */
  readonly clock: () => number;
  /** Called with a slot that a caller in another process waits for. */
  readonly claimed: (slot: string) => void;
}

/** What the text of a slot was, and when the server last said so. */
interface SeenSeats {
  readonly text: string;
  readonly seenAtMs: number;
}

/** In that time a message may be lost: then the server is asked although nothing was heard. */
const TRUSTED_MS = 400;
/** Others whose messages were lost, and the seats of processes that died, are looked for so often. */
const LOOK_INTERVAL_MS = 500;
const KEPT_MS = 60 * 60 * 1000;
/** Kept a little longer than the database's clock says: the server has its own. */
const MARGIN_MS = 1000;

/**
 * Windows and seats on a Redis or Valkey server. What is there is changed by comparing and setting, so that the rules are
 * the same as over a database. Every change fails once the server has lost its data.
 */
export class RedisStore implements SharedStore {
  readonly #parts: RedisStoreParts;
  readonly #seatsKey: string;
  readonly #channel: string;
  readonly #seen = new Map<string, SeenSeats>();
  #lookedAtMs = 0;

  private constructor(parts: RedisStoreParts) {
    this.#parts = parts;
    this.#seatsKey = seatsKeyOf(parts.token);
    this.#channel = `${this.#seatsKey} claimed`;
  }

  /** Begins with nothing. No other process knows the token yet. */
  static async prepare(connection: RedisConnection, token: string): Promise<void> {
    await connection.send("HSET", seatsKeyOf(token), GUARD_FIELD, "1");
    await RedisStore.keep(connection, token);
  }

  /** To be repeated: what is forgotten there is deleted in the end. @throws when it was deleted already. */
  static async keep(connection: RedisConnection, token: string): Promise<void> {
    const kept = await connection.send("PEXPIRE", seatsKeyOf(token), String(KEPT_MS));
    if (kept !== 1) throw new Error("The data on Redis was deleted.");
  }

  static async discard(connection: RedisConnection, token: string): Promise<void> {
    await connection.send("UNLINK", seatsKeyOf(token));
  }

  static async open(parts: RedisStoreParts): Promise<RedisStore> {
    const store = new RedisStore(parts);
    await parts.connection.hear(store.#channel, (message) => store.#hear(message));
    return store;
  }

  /** Hears nothing any more. */
  async close(): Promise<void> {
    await this.#parts.connection.unhear(this.#channel);
  }

  async changeWindow<Result>({ key, windowMs, known = "", work }: WindowChange<Result>): Promise<Result> {
    const { connection, clock } = this.#parts;
    const keys = [this.#seatsKey, `${this.#seatsKey} ${windowMs} ${key}`];
    for (let text = known; ;) {
      const window = text === "" ? await this.#begin(key, windowMs) : SlidingWindow.decode(windowMs, text);
      const { result, expiresAtMs } = work(window);
      const keptMs = Math.max(1, Math.ceil(expiresAtMs - clock())) + MARGIN_MS;
      const answer = await connection.run(SWAP_WINDOW, keys, [text, window.encode(), String(keptMs)]);
      if (answer === 1) return result;
      text = String(answer);
    }
  }

  async changeSeats({ slot, work }: SeatsChange): Promise<SlotRow> {
    const { connection, heartbeat } = this.#parts;
    const { id } = heartbeat;
    for (let text = this.#seen.get(slot)?.text ?? ""; ;) {
      const seats = await this.#living(decodeSeats(text));
      const row = work(othersOf(seats, id));
      const changed = withRow(seats, id, row);
      const next = encodeSeats(changed);
      if (next === text && this.#isTrusted(slot, text)) return row;
      const message = isAnyWaiting(changed) ? JSON.stringify([id, slot, next]) : "";
      const values = [fieldOf(slot), text, next, this.#channel, message];
      const answer = await connection.run(SWAP_SEATS, [this.#seatsKey], values);
      text = answer === 1 ? next : String(answer);
      this.#see(slot, text);
      if (answer === 1) return row;
    }
  }

  async othersIn(slot: string): Promise<readonly OtherUse[]> {
    const { connection, heartbeat } = this.#parts;
    const text = (await connection.run(READ_SEATS, [this.#seatsKey], [fieldOf(slot)])) ?? "";
    return othersOf(await this.#living(decodeSeats(String(text))), heartbeat.id);
  }

  async claimedSlots(): Promise<ReadonlySet<string> | undefined> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtMs < LOOK_INTERVAL_MS) return undefined;
    this.#lookedAtMs = nowMs;
    return new Set();
  }

  /** All of the database are read there when they are needed: no process counts there any more. */
  async includeWindows(): Promise<void> {
    return undefined;
  }

  /** The server does that by itself. */
  async forgetWindows(): Promise<void> {
    return undefined;
  }

  /** What was counted in the database before Redis was chosen, while that matters. */
  async #begin(key: string, windowMs: number): Promise<SlidingWindow> {
    const { chosenAtMs, peers, readWindow } = this.#parts;
    const isOver = peers.nowMs() > chosenAtMs + windowMs + MARGIN_MS;
    return isOver ? new SlidingWindow(windowMs) : readWindow(key, windowMs);
  }

  #hear(message: string): void {
    const [process, slot, text] = messageOf(message);
    if (process === this.#parts.heartbeat.id) return;
    if (this.#seen.has(slot)) this.#see(slot, text);
    this.#parts.claimed(slot);
  }

  #see(slot: string, text: string): void {
    if (text === "") this.#seen.delete(slot);
    else this.#seen.set(slot, { text, seenAtMs: performance.now() });
  }

  #isTrusted(slot: string, text: string): boolean {
    const seen = this.#seen.get(slot);
    return seen?.text === text && performance.now() - seen.seenAtMs < TRUSTED_MS;
  }

  async #living(seats: Seats): Promise<Seats> {
    const { peers, heartbeat } = this.#parts;
    const others = [...seats.keys()].filter((process) => process !== heartbeat.id);
    if (others.length === 0) return seats;
    const living = await peers.living(others);
    return new Map([...seats].filter(([process]) => process === heartbeat.id || living.has(process)));
  }
}

function seatsKeyOf(token: string): string {
  return `pergamon:{${token}}`;
}

function othersOf(seats: Seats, own: string): readonly OtherUse[] {
  return [...seats]
    .filter(([process]) => process !== own)
    .map(([, row]) => (row.waiting > 0 ? row : { ...row, oldestMs: Infinity }));
}

function withRow(seats: Seats, process: string, row: SlotRow): Seats {
  const changed = new Map(seats);
  if (isSameRow(row, NOTHING)) changed.delete(process);
  else changed.set(process, row);
  return changed;
}

function isAnyWaiting(seats: Seats): boolean {
  return [...seats.values()].some(({ waiting }) => waiting > 0);
}

/** What others than these processes publish there says nothing. */
function messageOf(message: string): readonly [process: string, slot: string, text: string] {
  try {
    return JSON.parse(message) as [string, string, string];
  } catch {
    return ["", "", ""];
  }
}

function fieldOf(slot: string): string {
  return `slot ${slot}`;
}
