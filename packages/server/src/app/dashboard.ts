import type { FastifyInstance } from "fastify";

import type { Administration } from "../accounts/administration.ts";
import type { AdminKey } from "../operator/admin-key.ts";
import type { DashboardServices } from "../operator/dashboard-operations.ts";
import type { OperatorLogin } from "../operator/operator-login.ts";
import type { LiveStatus } from "../operator/overview.ts";
import type { SettingOrder } from "../operator/settings.ts";
import type { Config } from "../config/config.ts";
import type { Access, OperationDescription } from "../api/operation-shape.ts";
import { readVersion } from "../api/version.ts";
import { addBehind } from "../http/add-behind.ts";
import { addOperations } from "../http/add-operations.ts";
import { fetchAdList } from "../fetch/ad-lists.ts";
import { hostNamesOf } from "../net/guard/known-host.ts";
import type { RunServices } from "../scrape/run.ts";
import type { RequestFilter, RequestPage } from "../history/record-search.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Families } from "./families.ts";
import type { InteractPart } from "./interact.ts";
import type { LiveSettings } from "./live-settings.ts";
import type { Network } from "./network.ts";
import { watchAllNodes } from "./news-of-nodes.ts";
import type { NodePart } from "./nodes.ts";
import type { RetainedData } from "./retained-data.ts";
import { statusOfAll } from "./status-of-nodes.ts";
import type { Stores } from "./stores.ts";

/** Of each kind, as many are looked at for changes that other nodes have made. */
const LATEST_OF_NODES = 20;

interface DashboardNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly settings: LiveSettings;
  readonly services: RunServices;
  readonly families: Pick<Families, "runs">;
  readonly interact: Pick<InteractPart, "count" | "live" | "load" | "watch">;
  readonly network: Network;
  readonly login: OperatorLogin;
  readonly adminKey: AdminKey;
  readonly administration: Administration;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  /** The state of the service. */
  readonly status: () => Omit<LiveStatus, "fetchingLimit" | "sessions" | "viewers">;
  readonly nodes: NodePart | undefined;
}

/** The operator's pages, and what only they ask for. */
export interface Dashboard {
  /** Lets in who is logged in in a browser, too. */
  readonly door: Pick<OperatorLogin, "require">;
  readonly operations: readonly OperationDescription[];
  addRoutes(server: FastifyInstance): void;
}

/** Undefined when they are off: nothing of them is loaded then. */
export async function openDashboard(
  context: AppContext,
  needs: DashboardNeeds,
): Promise<Dashboard | undefined> {
  const { config } = context;
  if (!config.server.hasDashboard) return undefined;
  const {
    dashboardOperations,
    EventStream,
    LoginTries,
    OperatorAuth,
    latestNews,
    Setup,
    showRecord,
    watchJobs,
  } = await import("../operator/dashboard-operations.ts");
  const { addDashboardPages } = await import("../http/routes/dashboard.ts");
  const { publicUrl, corsOrigins } = config.server;
  const names = hostNamesOf([...(publicUrl === undefined ? [] : [publicUrl]), ...corsOrigins]);
  const sessions = needs.kept.operatorSessions;
  const door = new OperatorAuth({ login: needs.login, sessions, names, publicUrl });
  const now = (): LiveStatus =>
    statusOfAll(needs.nodes, {
      ...needs.status(),
      fetchingLimit: config.scraping.concurrency,
      sessions: needs.interact.count(),
      viewers: stream.viewers,
    });
  const onError = reporter(context.log, "Jobs could not be read for the dashboard.");
  const watchRuns = (tell: (job: object) => void) => watchJobs(needs.families.runs, tell, onError);
  const watchHere = watching(needs, { showRecord, watchRuns });
  const { requests, families, stores } = needs;
  const latest = latestNews({ requests, runs: families.runs, database: stores.database }, LATEST_OF_NODES);
  const watchAll: typeof watchHere = (tell) => watchAllNodes(latest, tell, onError);
  const watch = needs.nodes ? watchAll : watchHere;
  const stream = new EventStream({ status: now, watch });
  const setup = new Setup({ config, health: needs.kept.health });
  const tries = new LoginTries();
  const services = await dashboardServices(context, needs, { stream, now, setup, tries });
  const addFor = (access: Access) => (scope: FastifyInstance) => {
    const operations = dashboardOperations.filter((operation) => operation.access === access);
    addOperations(scope, operations, services, publicUrl);
  };
  return {
    door,
    operations: dashboardOperations,
    addRoutes(server) {
      addDashboardPages(server);
      server.addHook("preClose", async () => stream.close());
      addBehind(async (request) => door.requireOwnPage(request), server, addFor("login"));
      addBehind((request) => door.require(request), server, addFor("operator"));
    },
  };
}

type OpenedParts = Pick<DashboardServices, "stream" | "now" | "tries" | "setup">;

async function dashboardServices(
  context: AppContext,
  needs: DashboardNeeds,
  opened: OpenedParts,
): Promise<DashboardServices> {
  const { config } = context;
  const { accounts, kept } = needs;
  return {
    sessions: kept.operatorSessions,
    ...opened,
    adminKey: needs.adminKey,
    administration: needs.administration,
    about: { auth: config.accounts.auth, version: readVersion(), defaultTeamId: accounts.team.id },
    figures: kept.figures,
    modelTokens: kept.modelTokens,
    requests: needs.requests,
    services: needs.services,
    callers: accounts.callers,
    files: kept.files,
    clock: Date.now,
    database: needs.stores.database,
    nodes: needs.nodes,
    interact: needs.interact,
    profiles: kept.profiles,
    get cacheMaxBytes() {
      return config.stores.cacheMaxBytes;
    },
    ...(await settingServices(config, needs)),
    backups: await openBackups(context, needs),
  };
}

async function settingServices(config: Config, needs: DashboardNeeds) {
  const { accounts, network, settings: live } = needs;
  const { changeSettings, listSettings, openSettingsTests } = await import("./change-settings.ts");
  const tryAdList = async (url: string, signal: AbortSignal) =>
    void (await fetchAdList(url, network.client, signal));
  return {
    settings: () => listSettings(live),
    changeSettings: (order: SettingOrder) =>
      changeSettings(order, { live, audit: accounts.audit, tryAdList }),
    trials: openSettingsTests(config, network),
  };
}

async function openBackups({ config, resources }: AppContext, { stores, accounts }: DashboardNeeds) {
  const { BackupDesk } = await import("../operator/data/backup-desk.ts");
  const desk = new BackupDesk({ config, database: stores.database, audit: accounts.audit });
  return resources.add(desk, (opened) => opened.close());
}

interface Watched {
  readonly showRecord: (record: ScrapeRecord) => object;
  readonly watchRuns: (tell: (job: object) => void) => () => void;
}

/** Events for open pages: requests that end, sessions that begin and end, jobs that move on. */
function watching({ kept, interact }: DashboardNeeds, { showRecord, watchRuns }: Watched) {
  return (tell: (event: string, data: () => object) => void) => {
    const ends = [
      kept.records.watch((record) => tell("request", () => showRecord(record))),
      interact.watch((change) => tell("session", () => change)),
      watchRuns((job) => tell("job", () => job)),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
}
