import { setTimeout as pause } from "node:timers/promises";

import type { Heartbeat } from "./heartbeat.ts";
import type { Choice, LimitRows } from "./limit-rows.ts";
import type { OtherUse } from "./quota.ts";
import type { RedisLink } from "./redis-link.ts";
import { RedisStore, type RedisStoreParts } from "./redis-store.ts";
import type { KnownWindow, SeatsChange, SharedStore, StoreUser, WindowChange } from "./shared-store.ts";
import type { SlotRow } from "./slot-rows.ts";

export interface SwitchedStoreParts {
  readonly database: SharedStore;
  readonly rows: LimitRows;
  readonly heartbeat: Heartbeat;
  /** Undefined: this process knows of no Redis. */
  readonly link: RedisLink | undefined;
  readonly redis: Omit<RedisStoreParts, "connection" | "token" | "chosenAtMs">;
  readonly onError: (failure: unknown) => void;
}

/** What this process has gone along with. */
interface Ground {
  readonly choice: Choice;
  readonly store: SharedStore;
  /** Name of the heartbeat under which it did. */
  readonly process: string;
}

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 250;

/**
 * The database, or Redis while all processes that live reach the same server. When that ends, for any of them, all move
 * back: each writes what it has into the other store, and grants nothing new before all that live have done
 * so. A process keeps its seats and allowances meanwhile, so that only callers wait who need more.
 */
export class SwitchedStore implements SharedStore {
  readonly #parts: SwitchedStoreParts;
  readonly #users: StoreUser[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #ground: Ground | undefined;
  #joining: Promise<Ground> | undefined;
  #leaving: Promise<void> | undefined;
  /** Which server the others know that this process reaches. */
  #toldServer = "";
  #isReported = false;
  #isClosed = false;
  #redis: { readonly token: string; readonly store: RedisStore } | undefined;

  constructor(parts: SwitchedStoreParts) {
    this.#parts = parts;
  }

  addUser(user: StoreUser): void {
    this.#users.push(user);
  }

  /** What this process counts with; undefined while it moves, or has nothing to count. */
  get choice(): Choice | undefined {
    return this.#ground?.choice;
  }

  changeWindow<Result>(change: WindowChange<Result>): Promise<Result> {
    return this.#use((store) => store.changeWindow(change));
  }

  changeSeats(change: SeatsChange): Promise<SlotRow> {
    return this.#use((store) => store.changeSeats(change));
  }

  othersIn(slot: string): Promise<readonly OtherUse[]> {
    return this.#use((store) => store.othersIn(slot));
  }

  async claimedSlots(): Promise<ReadonlySet<string> | undefined> {
    return this.#ground?.store.claimedSlots();
  }

  includeWindows(windows: readonly KnownWindow[]): Promise<void> {
    return this.#use((store) => store.includeWindows(windows));
  }

  async forgetWindows(): Promise<void> {
    await this.#ground?.store.forgetWindows();
  }

  /** Goes along with another choice, if there is one. */
  async follow(choice: Choice): Promise<void> {
    if (!this.#parts.heartbeat.isHeld || choice.number <= (this.#ground?.choice.number ?? -1)) return;
    this.#ground = undefined;
    await this.#join();
  }

  /** Lets all move to the database. */
  async leaveRedis(choice: Choice, cause: unknown): Promise<void> {
    if (choice.kind !== "redis") return;
    this.#leaving ??= this.#leave(choice, cause).finally(() => {
      this.#leaving = undefined;
    });
    await this.#leaving;
  }

  /** Lets the others know which server this process reaches by now. */
  async tellServer(): Promise<void> {
    const { rows, link, heartbeat } = this.#parts;
    const server = link?.server ?? "";
    if (!this.#ground || server === this.#toldServer) return;
    await rows.noteServer(heartbeat.id, server);
    this.#toldServer = server;
  }

  /** Reported once, until Redis can be used again. */
  report(cause: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#parts.onError(new Error("Redis cannot be used: limits are kept in the database.", { cause }));
  }

  forgetReport(): void {
    this.#isReported = false;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #leave({ number, token }: Choice, cause: unknown): Promise<void> {
    const { rows, link } = this.#parts;
    if (!(await rows.choose("database", number))) return;
    this.report(cause);
    // Where it can be done others notice at once.
    if (link?.connection) RedisStore.discard(link.connection, token).catch(() => undefined);
  }

  async #use<Result>(operate: (store: SharedStore) => Promise<Result>): Promise<Result> {
    const { heartbeat } = this.#parts;
    for (;;) {
      this.#assertOpen();
      await heartbeat.ensure();
      const ground = this.#groundHeld() ?? (await this.#join());
      const operation = this.#watched(operate(ground.store));
      try {
        const result = await operation;
        // What was agreed while others took this process for dead does not hold.
        heartbeat.check();
        if (heartbeat.isHeld && heartbeat.id === ground.process) return result;
      } catch (failure) {
        if (ground.choice.kind !== "redis") throw failure;
        if (this.#ground === ground) this.#ground = undefined;
        await this.leaveRedis(ground.choice, failure);
      }
    }
  }

  /** Is under way until it has ended, and no longer: who moves waits for that, and must not wait for who waits for a move. */
  #watched<Result>(operation: Promise<Result>): Promise<Result> {
    const end = () => void this.#underWay.delete(operation);
    this.#underWay.add(operation);
    operation.then(end, end);
    return operation;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error("The coordination of processes was closed.");
  }

  #groundHeld(): Ground | undefined {
    if (this.#ground?.process !== this.#parts.heartbeat.id) this.#ground = undefined;
    return this.#ground;
  }

  #join(): Promise<Ground> {
    this.#joining ??= this.#joinAnew().finally(() => {
      this.#joining = undefined;
    });
    return this.#joining;
  }

  async #joinAnew(): Promise<Ground> {
    for (;;) {
      this.#assertOpen();
      const ground = await this.#tryToJoin(await this.#parts.rows.read());
      if (!ground) continue;
      this.#ground = ground;
      return ground;
    }
  }

  /** @returns undefined when something has changed meanwhile. */
  async #tryToJoin(choice: Choice): Promise<Ground | undefined> {
    const { heartbeat, rows, link } = this.#parts;
    await heartbeat.ensure();
    const process = heartbeat.id;
    try {
      const store = await this.#storeOf(choice);
      if (choice.kind === "database") await rows.forgetSeats(process);
      await this.#moveTo(store);
      this.#toldServer = link?.server ?? "";
      await rows.join(process, choice.number, this.#toldServer);
      const isAlone = await this.#othersFollow(choice);
      return isAlone && heartbeat.isHeld && heartbeat.id === process ? { choice, store, process } : undefined;
    } catch (failure) {
      if (choice.kind !== "redis") throw failure;
      await this.leaveRedis(choice, failure);
      return undefined;
    }
  }

  /** @throws when this process cannot go along. */
  async #storeOf({ kind, token, server, changedAtMs: chosenAtMs }: Choice): Promise<SharedStore> {
    const { link, redis, database } = this.#parts;
    if (this.#redis && (kind !== "redis" || this.#redis.token !== token)) {
      await this.#redis.store.close().catch(() => undefined);
      this.#redis = undefined;
    }
    if (kind !== "redis") return database;
    if (!link) throw new Error("A process without REDIS_URL has begun.");
    const connection = link.connection ?? (await link.look());
    if (connection.server.run !== server)
      throw new Error("REDIS_URL leads to another server, or to another start of it.");
    this.#redis ??= { token, store: await RedisStore.open({ ...redis, connection, token, chosenAtMs }) };
    return this.#redis.store;
  }

  async #moveTo(store: SharedStore): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    // Callers that waited for them have got their results.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    for (const user of this.#users) await user.moveTo(store);
  }

  /** @returns false when another choice was made meanwhile. */
  async #othersFollow({ number }: Choice): Promise<boolean> {
    const { rows } = this.#parts;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      // In this order: who has joined after that has seen the choice.
      const isBehind = (await rows.behind(number)) > 0;
      if ((await rows.read()).number !== number) return false;
      if (!isBehind) return true;
      await pause(pauseMs);
    }
  }
}
