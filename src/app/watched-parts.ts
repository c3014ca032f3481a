import { ServiceError } from "../contract/errors.ts";
import type { CheckedPart } from "../http/check-part.ts";
import type { HealthServices, UsedPart } from "../http/operations/health.ts";
import type { Refused } from "../http/caller.ts";
import type { Drain } from "../kit/drain.ts";
import { type OwnPart, PartAway } from "../kit/process/own-failure.ts";
import type { Pressure } from "../kit/pressure.ts";
import type { RunServices } from "../scrape/run.ts";
import { openRefusals } from "../stores/scrapes/refusals.ts";
import { lastUseMs, type PartHealth, RECENT_MS } from "../stores/health/part-health.ts";
import type { PartState } from "../stores/health/part-rows.ts";
import { PARTS } from "../stores/health/part-uses.ts";
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
    /** Parts whose failures last, as `/readyz` names them. */
    checked: ownParts(needs),
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

/** Whether the service works: parts that are asked, and those that were used of late. */
function healthOf(needs: WatchedNeeds, pressure: Pressure): HealthServices {
  const { drain, kept } = needs;
  const ending = [{ name: "drain", check: () => Promise.reject(new Draining()) }];
  const parts = [...ownParts(needs), { name: "event loop", check: async () => refuseBlocked(pressure) }];
  return {
    get parts() {
      return drain.hasBegun ? ending : parts;
    },
    used: () => usedParts(kept.health),
  };
}

function ownParts({ stores, families }: WatchedNeeds): readonly CheckedPart[] {
  const { database, blobs } = stores;
  return [
    { name: "database", check: () => database.ping() },
    { name: "blobs", check: () => blobs.ping() },
    { name: "jobs", check: async () => refuseLacking(families.runs.jobs.lacking) },
  ];
}

/** By their names alone: the names of models and proxies stay private. */
function usedParts(health: Pick<PartHealth, "own">): readonly UsedPart[] {
  const parts = new Map<string, UsedPart>();
  for (const state of health.own()) {
    if (Date.now() - lastUseMs(state) > RECENT_MS) continue;
    const { ok = true, isRequired = false } = parts.get(state.part) ?? {};
    parts.set(state.part, {
      name: state.part,
      ok: ok && state.failuresInRow === 0,
      isRequired: isRequired || isBrowserOut(state),
    });
  }
  return [...parts.values()];
}

/** A browser that fails to start once may start the next time. */
const BROWSER_FAILURES = 3;
/** Then it is tried again: where a balancer sends no requests meanwhile, no use would show that it starts. */
const BROWSER_OUT_MS = 60_000;

/** A browser that is there and does not start makes this process not ready. */
function isBrowserOut(state: PartState): boolean {
  const isFailing = state.part === PARTS.browser && state.failuresInRow >= BROWSER_FAILURES;
  return isFailing && Date.now() - lastUseMs(state) < BROWSER_OUT_MS;
}

class Draining extends Error {
  readonly code = "DRAINING";

  constructor() {
    super("The service is going to end.");
  }
}

/** Jobs wait then, and would be in the way of what needs the same. */
function refuseLacking(part: OwnPart | undefined): void {
  if (part) throw new PartAway(part, undefined);
}

function refuseBlocked(pressure: Pressure): void {
  if (pressure.wasBlocked()) {
    const message = "The service was blocked for a second or more.";
    throw new ServiceError("OVERLOADED", { message });
  }
}

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
