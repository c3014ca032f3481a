import type { Coordinator } from "./coordinator.ts";
import { leaseClockOf } from "./lease-clock.ts";
import { LIMITS_TOPIC, LimitRows } from "./limit-rows.ts";
import { LimitWatch } from "./limit-watch.ts";
import { Peers } from "./peers.ts";
import { RedisLink } from "./redis-link.ts";
import { SharedCounts } from "./shared-counts.ts";
import { composeCoordinator, type DatabaseCoordinatorOptions, openGround } from "./shared-ground.ts";
import { SharedSlots } from "./shared-slots.ts";
import { readWindow } from "./window-rows.ts";
import { SwitchedStore } from "./switched-store.ts";

export interface PostgresCoordinatorOptions extends DatabaseCoordinatorOptions {
  /** Limits are kept there while all processes reach it. */
  readonly redisUrl?: string | undefined;
  /** How long limits stay in the database after they had to leave Redis. Default: 5 seconds. */
  readonly returnAfterMs?: number | undefined;
}

const RETURN_AFTER_MS = 5_000;

/** For processes on several machines: leases and messages in their database, limits there or on Redis. */
export function openPostgresCoordinator(options: PostgresCoordinatorOptions): Coordinator {
  const { redisUrl, returnAfterMs = RETURN_AFTER_MS } = options;
  const ground = openGround(options);
  const { database, heartbeat, alone, clock, onError } = ground;
  const rows = new LimitRows(database);
  const link = redisUrl === undefined ? undefined : new RedisLink(redisUrl);
  const leaseClock = leaseClockOf(database);
  const redis = {
    heartbeat,
    peers: new Peers(rows, leaseClock),
    clock,
    readWindow: (key: string, windowMs: number) => readWindow(database, key, windowMs),
    claimed: (slot: string) => slots.claimed(slot),
  };
  const store = new SwitchedStore({ database: ground.store, rows, heartbeat, link, redis, onError });
  const shared = { store, heartbeat, onError };
  const counts = new SharedCounts({ ...shared, clock, mayMove: true, alone });
  const slots = new SharedSlots({ ...shared, clock: leaseClock });
  for (const user of [counts, slots]) store.addUser(user);
  const canGiveBack = () => store.choice !== undefined;
  const composed = composeCoordinator({ ...ground, counts, slots, canGiveBack });
  const watch =
    link && new LimitWatch({ store, rows, link, heartbeat, clock: leaseClock, returnAfterMs, onError });
  const end = watch && database.hear?.(LIMITS_TOPIC, () => void watch.look());
  void watch?.look();
  return {
    ...composed,
    ...(watch && { redis: { isUsed: () => watch.isOnRedis, failure: () => watch.failure } }),
    async close() {
      end?.();
      // What has passed is known there should Redis be lost before it is over.
      if (store.choice?.kind === "redis") await counts.moveTo(ground.store).catch(onError);
      await composed.close();
      store.close();
      await watch?.close();
    },
  };
}
