import type { FastifyInstance } from "fastify";

import type { AdminKey } from "../admin/admin-key.ts";
import type { OperatorLogin } from "../admin/operator-login.ts";
import { hostNamesOf } from "../platform/net/known-host.ts";
import type { Now } from "../contract/operator/overview.ts";
import type { RunServices } from "../scrape/run.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import type { Accounts } from "./accounts.ts";
import { administrationOf } from "./administration.ts";
import type { AppContext } from "./context.ts";
import type { InteractPart } from "./interact.ts";
import type { KeptStores } from "./kept.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";
import { readVersion } from "./version.ts";

/** A check that takes longer has failed. */
const EXAMINE_MS = 60_000;

interface DashboardNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: KeptStores;
  readonly services: RunServices;
  readonly interact: Pick<InteractPart, "count" | "live" | "load" | "watch">;
  readonly network: Network;
  readonly login: OperatorLogin;
  readonly adminKey: AdminKey;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  /** How the service does, whoever looks. */
  readonly status: () => Omit<Now, "fetchingLimit" | "sessions" | "viewers">;
}

/** The operator's pages, and what only they ask for. */
export interface Dashboard {
  /** Lets in who is logged in in a browser, too. */
  readonly door: Pick<OperatorLogin, "require">;
  addRoutes(server: FastifyInstance): void;
}

/** Undefined when they are off: nothing of them is loaded then. */
export async function openDashboard(
  context: AppContext,
  needs: DashboardNeeds,
): Promise<Dashboard | undefined> {
  const { config } = context;
  if (!config.server.hasDashboard) return undefined;
  const { addDashboardRoutes, EventStream, LoginTries, OperatorDoor, showRecord } =
    await import("../admin/dashboard-routes.ts");
  const { addDashboardPages } = await import("../http/routes/dashboard.ts");
  const { openTrials } = await import("./trials.ts");
  const { login, adminKey, kept, accounts, requests } = needs;
  const { publicUrl, corsOrigins } = config.server;
  const sessions = kept.operatorSessions;
  const names = hostNamesOf([...(publicUrl === undefined ? [] : [publicUrl]), ...corsOrigins]);
  const door = new OperatorDoor({ login, sessions, names, publicUrl });
  const now = (): Now => ({
    ...needs.status(),
    fetchingLimit: config.scraping.concurrency,
    sessions: needs.interact.count(),
    viewers: stream.viewers,
  });
  const stream = new EventStream({ status: now, watch: watching(needs, showRecord) });
  return {
    door,
    addRoutes(server) {
      addDashboardPages(server);
      addDashboardRoutes(server, {
        door,
        sessions,
        tries: new LoginTries(),
        adminKey,
        administration: administrationOf(needs),
        about: { auth: config.accounts.auth, version: readVersion(), defaultTeamId: accounts.team.id },
        publicUrl,
        stream,
        figures: kept.figures,
        requests,
        services: needs.services,
        callers: accounts.callers,
        files: kept.files,
        now,
        clock: Date.now,
        examine: () => examine(context),
        database: needs.stores.database,
        interact: needs.interact,
        profiles: kept.profiles,
        cacheMaxBytes: config.stores.cacheMaxBytes,
        settings: () => [...config.described],
        trials: openTrials(config, needs.network),
      });
    },
  };
}

/** What open pages are told of: requests that end, sessions that begin and end. */
function watching({ kept, interact }: DashboardNeeds, show: (record: ScrapeRecord) => object) {
  return (tell: (event: string, data: () => object) => void) => {
    const ends = [
      kept.records.watch((record) => tell("request", () => show(record))),
      interact.watch((change) => tell("session", () => change)),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
}

/** What the doctor says, but for the port, on which this service listens, and without asking models, which costs. */
async function examine({ config }: AppContext) {
  const { runDoctor } = await import("../cli/doctor/doctor.ts");
  const { checks } = await import("../cli/doctor/checks.ts");
  const { doctorSettings } = await import("../cli/doctor/settings.ts");
  const signal = AbortSignal.timeout(EXAMINE_MS);
  const relevant = checks.filter(({ name }) => name !== "Port");
  return runDoctor({ ...doctorSettings(config), asksModels: false }, { checks: relevant, signal });
}
