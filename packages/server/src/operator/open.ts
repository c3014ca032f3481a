import { type Administration, openAdministration } from "../accounts/administration.ts";
import type { Accounts } from "../accounts/open.ts";
import type { Endpoints } from "../api/key-restrictions.ts";
import { unlessAway } from "@pergamon-dev/kit/process/own-failure";
import type { Context } from "../config/context.ts";
import type { History } from "../history/open.ts";
import { type RequestFilter, type RequestPage, searchRequests } from "../history/record-search.ts";
import type { JobStores } from "../jobs/job-store.ts";
import type { Fetching } from "../fetch/open.ts";
import type { Storage } from "../storage/open.ts";
import type { Health } from "./health/open.ts";
import type { HealthServices } from "./health/operations.ts";
import { type AskedPart, askedParts } from "./health/readiness.ts";
import type { LiveStatus } from "./overview.ts";

export interface Operator {
  /** Teams and keys. HTTP and the command line share it. */
  readonly administration: Administration;
  readonly readiness: HealthServices;
  readonly asked: readonly AskedPart[];
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly status: () => Omit<LiveStatus, "fetchingLimit" | "sessions" | "viewers">;
}

interface Above {
  readonly families: { readonly runs: { readonly stores: JobStores } };
  /** Endpoints that keys can be restricted to. */
  readonly endpoints: Endpoints;
}

type Below = Context & Storage & Accounts & History & Fetching & Health & Above;

export function openOperator(context: Below): Operator {
  const { stores } = context.families.runs;
  const { queue } = stores.persistent;
  const { database, blobs, teamData, health, records, gate, drain, pressure, team } = context;
  const asked = askedParts({ database, blobs, jobs: queue, pressure, records });
  return {
    administration: openAdministration({
      ...context,
      keptTeamId: team.id,
      async endRuns(tx, owner) {
        for (const { dispatcher, within } of await stores.all())
          await within(tx, (own) => dispatcher.cancelAllOf(own, owner));
      },
      eraseData: (teamId) => teamData.erase(teamId),
    }),
    readiness: {
      get parts() {
        return drain.hasBegun ? [DRAINING] : asked;
      },
      uses: () => health.own(),
    },
    asked,
    requests: async (filter) => {
      await unlessAway(records.flush());
      return searchRequests(database, filter);
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
