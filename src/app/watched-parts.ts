import { ServiceError } from "../contract/errors.ts";
import type { Drain } from "../kit/drain.ts";
import type { Pressure } from "../kit/pressure.ts";
import type { RedisUse } from "../platform/coordination/coordinator.ts";
import type { RunServices } from "../scrape/run.ts";
import { type RequestFilter, searchRequests } from "../stores/scrapes/record-search.ts";
import { administrationOf } from "./administration.ts";
import type { Stores } from "./stores.ts";

type WatchedNeeds = Parameters<typeof administrationOf>[0] & {
  readonly stores: Stores;
  readonly services: RunServices;
  readonly drain: Drain;
};

/** What the operator sees of the service, and can do. */
export function watchedParts(needs: WatchedNeeds, pressure: Pressure) {
  const { records, gate } = needs.services;
  return {
    administration: administrationOf(needs),
    health: healthOf(needs, pressure),
    requests: async (filter: RequestFilter) => {
      await records.flush();
      return searchRequests(needs.stores.database, filter);
    },
    status: () => ({
      uptimeSeconds: Math.round(process.uptime()),
      fetching: gate.running,
      waiting: gate.waiting,
      memoryBytes: process.memoryUsage.rss(),
      eventLoopLagMs: Math.round(pressure.lagMs()),
      overloaded: pressure.reason() ?? null,
    }),
  };
}

function healthOf({ stores, drain }: WatchedNeeds, pressure: Pressure) {
  const { database, blobs, coordinator } = stores;
  const { redis } = coordinator;
  const ending = [{ name: "drain", check: () => Promise.reject(new Draining()) }];
  const parts = [
    { name: "database", check: () => database.ping() },
    { name: "blobs", check: () => blobs.ping() },
    { name: "event loop", check: async () => refuseBlocked(pressure) },
    ...(redis ? [{ name: "redis", isRequired: false, check: async () => refuseUnused(redis) }] : []),
  ];
  return {
    get parts() {
      return drain.hasBegun ? ending : parts;
    },
  };
}

function refuseUnused(redis: RedisUse): void {
  if (!redis.isUsed()) throw new Error(redis.failure());
}

class Draining extends Error {
  readonly code = "DRAINING";

  constructor() {
    super("The service is going to end.");
  }
}

function refuseBlocked(pressure: Pressure): void {
  if (pressure.wasBlocked()) {
    const message = "The service was blocked for a second or more.";
    throw new ServiceError("OVERLOADED", { message });
  }
}
