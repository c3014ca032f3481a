import { type AskedPart, askedParts } from "../operator/health/readiness.ts";
import type { HealthServices } from "../operator/health/operations.ts";
import type { Refused } from "../http/caller.ts";
import type { Drain } from "@pergamon-dev/kit/drain";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import type { RunServices } from "../scrape/run.ts";
import { openRefusals } from "../history/refusals.ts";
import { type RequestFilter, searchRequests } from "../history/record-search.ts";
import { administrationOf } from "./administration.ts";
import type { Stores } from "./stores.ts";

type WatchedNeeds = Parameters<typeof administrationOf>[0] & {
  readonly stores: Stores;
  readonly services: RunServices;
  readonly drain: Drain;
};

/** What the operator sees of the service, and can do. */
export function watchedParts(needs: WatchedNeeds, pressure: Pressure) {
  const { drain, kept, stores, families } = needs;
  const { records, gate } = needs.services;
  const asked = askedParts({ ...stores, jobs: families.runs.jobs, pressure });
  const health: HealthServices = {
    get parts() {
      return drain.hasBegun ? [DRAINING] : asked;
    },
    uses: () => kept.health.own(),
  };
  return {
    administration: administrationOf(needs),
    health,
    asked,
    requests: async (filter: RequestFilter) => {
      await records.flush();
      return searchRequests(stores.database, filter);
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

class Draining extends Error {
  readonly code = "DRAINING";

  constructor() {
    super("The service is going to end.");
  }
}

const DRAINING: AskedPart = { name: "drain", ask: () => Promise.reject(new Draining()) };

/** Counts refused calls, but not those that ended work, which is counted as it is charged. */
export function refusalsOf({
  kept,
  services,
}: Pick<WatchedNeeds, "kept" | "services">): (call: Refused) => void {
  const { figures, records } = kept;
  const refusals = openRefusals({ figures, records });
  return ({ caller, failure, isPrivate, ...call }) => {
    if (services.charges.hasCharged(failure)) return;
    refusals.note({
      ...call,
      teamId: caller?.teamId ?? "",
      keyId: caller?.keyId,
      message: failure instanceof Error ? failure.message : "The call was refused.",
      isPrivate: isPrivate || caller?.team.flags.zeroDataRetention === "forced",
    });
  };
}
