import { randomUUID } from "node:crypto";

import type { Heartbeat } from "./heartbeat.ts";
import type { Choice, LimitRows } from "./limit-rows.ts";
import type { RedisLink } from "./redis-link.ts";
import { RedisStore } from "./redis-store.ts";
import type { SwitchedStore } from "./switched-store.ts";

export interface LimitWatchParts {
  readonly store: SwitchedStore;
  readonly rows: LimitRows;
  readonly link: RedisLink;
  readonly heartbeat: Heartbeat;
  /** That of leases. */
  readonly clock: () => number;
  /** How long limits stay in the database after they had to leave Redis; longer each time if they soon have to again. */
  readonly returnAfterMs: number;
  readonly onError: (failure: unknown) => void;
}

const LOOK_INTERVAL_MS = 500;
/** Redis that was left before that counts as unsteady. */
const STEADY_MS = 60_000;
const MAX_LOSSES = 7;

/** Looks whether Redis can be used, and whether all have moved. */
export class LimitWatch {
  readonly #parts: LimitWatchParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #newest: Choice | undefined;
  /** One after the other, each soon after it could be used again. */
  #losses = 0;
  #failure: string | undefined;

  constructor(parts: LimitWatchParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref();
  }

  /** Whether the processes keep their limits on Redis, as far as is known. */
  get isOnRedis(): boolean {
    return this.#newest?.kind === "redis" && this.#parts.link.server === this.#newest.server;
  }

  /** Why not. */
  get failure(): string {
    return this.#failure ?? "Other processes do not reach the same Redis yet, or it was lost a moment ago.";
  }

  /** Goes along with the newest choice, and looks at the server. */
  look(): Promise<void> {
    const followed = this.#follow().catch(this.#parts.onError);
    this.#looking ??= followed
      .then(() => this.#lookAtServer())
      .catch(this.#parts.onError)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    this.#parts.link.close();
  }

  async #follow(): Promise<void> {
    const { store, rows, onError } = this.#parts;
    const choice = await rows.read();
    this.#note(choice);
    // Not waited for: others may take their time.
    store.follow(choice).catch(onError);
  }

  async #lookAtServer(): Promise<void> {
    const { store, link } = this.#parts;
    const choice = this.#newest;
    if (!choice) return;
    try {
      const connection = await link.look();
      this.#failure = undefined;
      if (this.isOnRedis) store.forgetReport();
      await store.tellServer();
      if (choice.kind === "database") await this.#return(choice);
      else if (choice.server === link.server) await RedisStore.keep(connection, choice.token);
    } catch (failure) {
      await this.#fail(choice, failure);
    }
  }

  async #fail(choice: Choice, failure: unknown): Promise<void> {
    const { store, heartbeat } = this.#parts;
    this.#failure = failure instanceof Error ? failure.message : String(failure);
    if (choice.kind === "database") store.report(failure);
    await store.tellServer();
    if (heartbeat.isHeld) await store.leaveRedis(choice, failure);
  }

  async #return(choice: Choice): Promise<void> {
    const { clock, returnAfterMs } = this.#parts;
    const restMs = returnAfterMs * 2 ** Math.max(0, this.#losses - 1);
    if (choice.number === 0 || clock() - choice.changedAtMs >= restMs) await this.#chooseRedis(choice);
  }

  /** Lets all move to Redis, where all can. */
  async #chooseRedis(after: Choice): Promise<void> {
    const { rows, link } = this.#parts;
    const { connection } = link;
    if (!connection || (await rows.without(connection.server.run)) > 0) return;
    const token = randomUUID();
    await RedisStore.prepare(connection, token);
    const isChosen = await rows.choose("redis", after.number, { token, server: connection.server.run });
    const over = isChosen ? after.token : token;
    if (over !== "") await RedisStore.discard(connection, over);
  }

  #note(choice: Choice): void {
    const before = this.#newest;
    this.#newest = choice;
    if (before?.kind !== "redis" || choice.kind === "redis") return;
    const isSteady = choice.changedAtMs - before.changedAtMs >= STEADY_MS;
    this.#losses = isSteady ? 1 : Math.min(MAX_LOSSES, this.#losses + 1);
  }
}
