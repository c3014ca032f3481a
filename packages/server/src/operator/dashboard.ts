import type { FastifyInstance } from "fastify";

import type { Accounts } from "../accounts/open.ts";
import type { Access, OperationDescription } from "../api/operation-shape.ts";
import { readVersion } from "../api/version.ts";
import type { Config } from "../config/config.ts";
import { type Context, reporter } from "../config/context.ts";
import { fetchAdList } from "../fetch/ad-lists.ts";
import type { FileContext } from "../files/open.ts";
import type { History } from "../history/open.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import { addBehind } from "../http/add-behind.ts";
import { addOperations } from "../http/add-operations.ts";
import type { NodeContext, NodePart } from "../http/nodes/open.ts";
import type { InteractContext } from "../interact/open.ts";
import type { JobStores } from "../jobs/job-store.ts";
import { hostNamesOf } from "../net/guard/known-host.ts";
import type { Net } from "../net/open.ts";
import type { ProfileContext } from "../profiles/open.ts";
import type { Scraping } from "../scrape/open.ts";
import type { Storage } from "../storage/open.ts";
import type { AdminKey } from "./admin-key.ts";
import type { DashboardServices } from "./dashboard-operations.ts";
import type { SettingsContext } from "./live-settings.ts";
import type { Operator } from "./open.ts";
import type { OperatorLogin } from "./operator-login.ts";
import type { DoctorResult } from "./health/check.ts";
import type { LiveStatus } from "./overview.ts";
import type { SettingOrder } from "./settings.ts";
import type { NodeFacts } from "../storage/coordination/nodes.ts";

type RepeatedWork = DashboardServices["repeated"][string];

interface Above {
  readonly families: {
    readonly runs: { readonly stores: JobStores };
    readonly map: RepeatedWork;
    readonly search: RepeatedWork;
  };
  readonly tools: { readonly rows: DashboardServices["toolAnswers"] };
  readonly login: OperatorLogin;
  readonly adminKey: AdminKey;
}

type Below = Context &
  Storage &
  SettingsContext &
  Net &
  Accounts &
  NodeContext &
  History &
  FileContext &
  ProfileContext &
  Scraping &
  InteractContext &
  Operator &
  Above;

export interface Dashboard {
  /** Accepts logged-in browsers as well as the operator's key. */
  readonly door: Pick<OperatorLogin, "require">;
  readonly operations: readonly OperationDescription[];
  addRoutes(server: FastifyInstance): void;
}

/** Undefined when the dashboard is disabled. Then none of its code is loaded. */
export async function openDashboard(context: Below): Promise<Dashboard | undefined> {
  const { config, login, nodes, requests, interact, operatorSessions: sessions } = context;
  const { runs } = context.families;
  if (!config.server.hasDashboard) return undefined;
  const {
    dashboardOperations,
    EventStream,
    Incidents,
    LoginTries,
    OperatorAuth,
    Setup,
    showRecord,
    watchingNodes,
    watchJobs,
  } = await import("./dashboard-operations.ts");
  const { addDashboardPages } = await import("../http/routes/dashboard.ts");
  const { publicUrl, corsOrigins } = config.server;
  const names = hostNamesOf([...(publicUrl === undefined ? [] : [publicUrl]), ...corsOrigins]);
  const door = new OperatorAuth({ login, sessions, names, publicUrl });
  const now = (): LiveStatus =>
    statusOfAll(nodes, {
      ...context.status(),
      fetchingLimit: config.scraping.concurrency,
      sessions: interact.count(),
      viewers: stream.viewers,
    });
  const onError = reporter(context.log, "Jobs could not be read for the dashboard.");
  const watchRuns = (tell: (job: object) => void) => watchJobs(runs, tell, onError);
  const watchHere = watching(context, { showRecord, watchRuns });
  const watch = nodes ? watchingNodes({ requests, runs, interact }, onError) : watchHere;
  const stream = new EventStream({ status: now, watch });
  const setup = new Setup(context);
  const incidents = new Incidents({
    // What recovers by itself in a moment is no incident, as it is no alert.
    asked: context.asked.filter(({ isBrief }) => !isBrief),
    used: () => context.health.read(),
    looked: () => lookAround(config),
  });
  const tries = new LoginTries();
  const services = await dashboardServices(context, { stream, now, setup, incidents, tries });
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

/** What of the machine changes while the service runs. */
async function lookAround(config: Config): Promise<readonly DoctorResult[]> {
  const { doctorSettings, runDoctor } = await import("./health/check.ts");
  const { checks } = await import("./health/checks.ts");
  return runDoctor(
    doctorSettings(config),
    checks.filter(({ isQuick }) => isQuick),
  );
}

type OpenedParts = Pick<DashboardServices, "stream" | "now" | "tries" | "setup" | "incidents">;

async function dashboardServices(context: Below, opened: OpenedParts): Promise<DashboardServices> {
  const { config, operatorSessions: sessions, team } = context;
  return {
    ...context,
    ...opened,
    sessions,
    repeated: { map: context.families.map, search: context.families.search },
    toolAnswers: context.tools.rows,
    about: {
      auth: config.accounts.auth,
      version: readVersion(),
      defaultTeamId: team.id,
      creditPrice: config.accounts.creditPrice ?? null,
      kinds: context.kinds.map(({ name, title, endpoint }) => ({ name, title, endpoint })),
    },
    clock: Date.now,
    get cacheMaxBytes() {
      return config.stores.cacheMaxBytes;
    },
    ...(await settingServices(context)),
    backups: await openBackups(context),
  };
}

async function settingServices({ config, audit, client, guard, settings: live }: Below) {
  const { changeSettings, listSettings, openSettingsTests } = await import("./change-settings.ts");
  const tryAdList = async (url: string, signal: AbortSignal) => void (await fetchAdList(url, client, signal));
  return {
    settings: () => listSettings(live),
    changeSettings: (order: SettingOrder) => changeSettings(order, { live, audit, tryAdList }),
    trials: openSettingsTests(config, { guard }),
  };
}

async function openBackups(context: Below) {
  const { BackupService } = await import("./data/backup-service.ts");
  return context.resources.add(new BackupService(context), (opened) => opened.close());
}

interface Watched {
  readonly showRecord: (record: ScrapeRecord) => object;
  readonly watchRuns: (tell: (job: object) => void) => () => void;
}

/** Sends events to open pages: ended requests, sessions that begin or end, and progress of jobs. */
function watching({ records, interact }: Below, { showRecord, watchRuns }: Watched) {
  return (tell: (event: string, data: () => object) => void) => {
    const ends = [
      records.watch((record) => tell("request", () => showRecord(record))),
      interact.watch((change) => tell("session", () => change)),
      watchRuns((job) => tell("job", () => job)),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
}

/** The status of this process, merged with what the other nodes reported in their last heartbeat. */
function statusOfAll(nodes: NodePart | undefined, own: LiveStatus): LiveStatus {
  const others = nodes?.others().map(({ facts }) => facts) ?? [];
  if (others.length === 0) return own;
  const sum = (read: (facts: NodeFacts) => number) => others.reduce((total, facts) => total + read(facts), 0);
  return {
    ...own,
    fetching: own.fetching + sum(({ fetching }) => fetching),
    fetchingLimit: own.fetchingLimit + sum(({ fetchingLimit }) => fetchingLimit),
    waiting: own.waiting + sum(({ waiting }) => waiting),
    sessions: own.sessions + sum(({ sessions }) => sessions),
    memoryBytes: own.memoryBytes + sum(({ memoryBytes }) => memoryBytes),
    eventLoopLagMs: Math.max(own.eventLoopLagMs, ...others.map(({ eventLoopLagMs }) => eventLoopLagMs)),
    overloaded: own.overloaded ?? others.find(({ overloaded }) => overloaded !== null)?.overloaded ?? null,
  };
}
