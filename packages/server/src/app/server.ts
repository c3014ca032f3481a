import type { RequestListener } from "node:http";

import type { FastifyInstance } from "fastify";

import { keyCheck, openAdminKey } from "../operator/admin-key.ts";
import { OperatorLogin } from "../operator/operator-login.ts";
import type { Config } from "../config/config.ts";
import type { Access } from "../api/operation-shape.ts";
import { addBehind, type Door } from "../http/add-behind.ts";
import { type Authenticate, keyedAuthentication, openAuthentication } from "../http/authenticate.ts";
import { addAuthenticatedRoutes, type Refused } from "../http/caller.ts";
import { openClientAddress } from "../http/live/client-address.ts";
import { openRunSockets } from "../jobs/live/run-sockets.ts";
import { openSessionSockets } from "../interact/live/session-sockets.ts";
import type { Metrics } from "../operator/health/metrics.ts";
import { batch1 } from "../batch/version-1.ts";
import { crawl1 } from "../crawl/version-1.ts";
import { openReference } from "../http/reference.ts";
import { addDocsAssets } from "../http/routes/docs.ts";
import { addLiveRoutes } from "../interact/live/routes.ts";
import { addMcpRoutes } from "../mcp/routes.ts";
import { addRecordingRoutes } from "../interact/live/recordings.ts";
import { refuseCalls, refuseUpgrades } from "../http/nodes/role-door.ts";
import { createServer } from "../http/server.ts";
import { Shares } from "../files/shares.ts";
import { joinUpgrades, type Upgrades } from "../http/upgrades.ts";
import type { Drain } from "@pergamon-dev/kit/drain";
import { openFilesLimit } from "@pergamon-dev/kit/process/open-files-limit";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import * as mcpTools from "./mcp-tools.ts";
import { CachedAnswers } from "../scrape/cached-answers.ts";
import type { RunServices } from "../scrape/run.ts";
import type { Accounts } from "./accounts.ts";
import { startAlerts } from "./alerts.ts";
import { type AppContext, reporter } from "./context.ts";
import { type Dashboard, openDashboard } from "./dashboard.ts";
import type { Families } from "./families.ts";
import type { InteractPart } from "./interact.ts";
import { jobKinds } from "./job-kinds.ts";
import { leave } from "./leave.ts";
import type { LiveSettings } from "./live-settings.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import type { NodePart } from "./nodes.ts";
import { servedGroups, type ServiceParts } from "./operations.ts";
import { serveNodes } from "./serve-nodes.ts";
import type { Stores } from "./stores.ts";
import type { OpenedTools } from "./tools.ts";
import { refusalsOf, watchedParts } from "./watched-parts.ts";

interface ServerNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly services: RunServices;
  readonly families: Families;
  readonly tools: OpenedTools;
  readonly network: Network;
  readonly interact: InteractPart;
  readonly metrics: Metrics;
  readonly settings: LiveSettings;
  readonly nodes: NodePart | undefined;
  readonly drain: Drain;
  readonly pressure: Pressure;
}

/** Counts refused calls, by whichever way they came. */
interface Watched {
  readonly onRefused: (call: Refused) => void;
}

export interface OpenedServer extends Pick<ReturnType<typeof watchedParts>, "administration"> {
  readonly server: ReturnType<typeof createServer>;
  /** The operator's key, when it was made by this start. */
  readonly freshAdminKey: string | undefined;
  /** Announces the end, and waits until no client depends on this process. */
  leave(): Promise<void>;
}

/** The server with all its routes, not listening yet. */
export async function openServer(context: AppContext, needs: ServerNeeds): Promise<OpenedServer> {
  const { config, resources } = context;
  const { pressure } = needs;
  // Before the server is made: it begins to load its routes as soon as anything is waited for.
  const adminKey = await openAdminKey(config.accounts.adminKey, config.accounts.adminKeyFile);
  const login = new OperatorLogin({ adminKey });
  const watched = watchedParts(needs, pressure);
  const onRefused = refusalsOf(needs);
  const dashboard = await openDashboard(context, {
    ...needs,
    ...watched,
    login,
    adminKey,
  });
  const cachedAnswers = new CachedAnswers(needs.services);
  const parts = { ...needs, ...watched, config, reference: referenceOf(config, dashboard), cachedAnswers };
  const upgrades = joinUpgrades([
    openSessionSockets(needs.interact.find, needs.nodes?.passing),
    watchRuns(context, { ...needs, onRefused }, pressure),
  ]);
  const server = listenTo(context, needs, { upgrades, pressure, cachedAnswers });
  addDocsAssets(server);
  addLiveRoutes(server, needs.interact.find);
  addOperationsFor("anyone", parts)(server);
  addBehind(metricsDoor(config, login), server, addOperationsFor("metrics", parts));
  const operatorDoor = dashboard?.door ?? login;
  addBehind((request) => operatorDoor.require(request), server, addOperationsFor("operator", parts));
  addCallersRoutes(server, { ...parts, onRefused }, pressure);
  dashboard?.addRoutes(server);
  // A process that listens also works on jobs. Commands that open the service for themselves do not.
  server.addHook("onReady", () => needs.network.client.prepare());
  server.addHook("onListen", async () => {
    const { nodes, drain, interact } = needs;
    const handler: RequestListener = (request, response) => server.routing(request, response);
    const figures = () => ({ ...watched.status(), sessions: interact.count() });
    if (nodes) await serveNodes(context, { nodes, drain, handler, upgrades, figures });
    if (!config.nodes.roles.has("work")) return;
    needs.families.work();
    startAlerts(context, { ...needs, asked: watched.asked });
  });
  resources.add(server, (opened) => opened.close());
  return {
    server,
    administration: watched.administration,
    freshAdminKey: adminKey.fresh,
    leave: () => leave(config, needs.drain, () => needs.interact.count()),
  };
}

interface ListeningParts {
  readonly upgrades: Upgrades;
  readonly pressure: Pressure;
  readonly cachedAnswers: CachedAnswers;
}

/** Descriptors that connections of clients leave to everything else. */
const FILES_LEFT = 256;

/** As many as are set, or as the limit of open files allows; where that is very low a quarter of it. */
function connectionsOf({ config, log }: AppContext): number {
  const { maxConnections } = config.server;
  const openFiles = openFilesLimit() ?? Infinity;
  const possible = Math.max(openFiles - FILES_LEFT, Math.floor(openFiles / 4));
  if (possible >= maxConnections) return maxConnections;
  log.warn(
    { openFiles, maxConnections, connections: possible },
    "The limit of open files allows fewer connections than MAX_CONNECTIONS. Raise it with ulimit -n.",
  );
  return possible;
}

/** A server without routes. */
function listenTo(
  context: AppContext,
  needs: ServerNeeds,
  { upgrades, pressure, cachedAnswers }: ListeningParts,
): OpenedServer["server"] {
  const { config, log, bodies } = context;
  const { limits, credits } = needs.accounts;
  const { publicUrl, trustedProxies, corsOrigins } = config.server;
  const answersCalls = config.nodes.roles.has("api");
  const early = {
    cachedAnswers,
    authenticate: authenticationOf(config, needs.accounts),
    admission: { limits, pressure, credits },
    publicUrl,
    isOpen: () => !needs.drain.hasBegun,
  };
  const server = createServer({
    log,
    metrics: needs.metrics,
    bodies,
    trustedProxies,
    trustedPages: config.accounts.auth === "open" ? { publicUrl, corsOrigins } : undefined,
    connectionLimits: { connections: connectionsOf(context) },
    upgrades: [answersCalls ? upgrades : refuseUpgrades(upgrades)],
    passing: needs.nodes?.passing,
    ...(answersCalls && { early }),
  });
  if (!answersCalls) refuseCalls(server, config.nodes.roles);
  endConnectionsWhile(server, needs.drain);
  return server;
}

/** Clients and balancers that keep connections shall come again over a new one, to another node. */
function endConnectionsWhile(server: FastifyInstance, drain: Drain): void {
  server.addHook("onRequest", (_request, reply, done) => {
    if (drain.hasBegun) reply.header("connection", "close");
    done();
  });
}

function watchRuns(context: AppContext, needs: ServerNeeds & Watched, pressure: Pressure): Upgrades {
  const { limits, credits } = needs.accounts;
  const { places, records } = needs.families.jobs;
  return openRunSockets({
    routes: [...jobKinds, crawl1, batch1].flatMap(({ routes }) => routes ?? []),
    authenticate: authenticationOf(context.config, needs.accounts),
    clientAddress: openClientAddress(context.config.server.trustedProxies),
    places,
    records,
    limits,
    credits,
    pressure,
    passing: needs.nodes?.passing,
    onRefused: needs.onRefused,
    onError: reporter(context.log, "A run could not be watched."),
  });
}

function authenticationOf({ accounts: { auth } }: Config, { callers, team }: Accounts): Authenticate {
  return auth === "keys" ? keyedAuthentication(callers) : openAuthentication(callers, team.id);
}

function addOperationsFor(access: Access, parts: ServiceParts): (scope: FastifyInstance) => void {
  return (scope) => {
    for (const group of servedGroups(parts.config)) group.addTo(scope, parts, access);
  };
}

/** The reference describes what is there: the dashboard may be off. */
function referenceOf(config: Config, dashboard: Dashboard | undefined) {
  const operations = servedGroups(config).flatMap((group) => group.operations);
  return openReference({
    auth: config.accounts.auth,
    hasDashboard: dashboard !== undefined,
    publicUrl: config.server.publicUrl,
    operations: [...operations, ...(dashboard?.operations ?? [])],
  });
}

/** Figures tell how much a service is used, and how it does. */
function metricsDoor({ accounts: { metricsKey } }: Config, login: OperatorLogin): Door {
  if (metricsKey === "open") return async () => {};
  const isMetricsKey = metricsKey === undefined ? undefined : keyCheck(sha256Hex(metricsKey));
  return (request) => login.require(request, isMetricsKey);
}

/** Operations that require a key, or are public in open mode. */
function addCallersRoutes(
  server: FastifyInstance,
  parts: ServiceParts & Watched & Pick<ServerNeeds, "nodes">,
  pressure: Pressure,
): void {
  const { config, accounts, services, families, tools, interact } = parts;
  const { limits, credits } = accounts;
  const authenticate = authenticationOf(config, accounts);
  const admission = { limits, pressure, credits };
  const { onRefused } = parts;
  const connections =
    config.accounts.auth === "keys" ? new Shares(Math.ceil(config.server.maxConnections / 2)) : undefined;
  void addAuthenticatedRoutes(server, { authenticate, onRefused, connections, ...admission }, (scope) => {
    addOperationsFor("caller", parts)(scope);
    addRecordingRoutes(scope, interact.load);
    addMcpRoutes(scope, {
      services: { ...services, families, providers: tools, interact: interact.load },
      tools: mcpTools,
      publicUrl: config.server.publicUrl,
      asksOthers: parts.nodes !== undefined,
      onRefused,
      ...admission,
    });
  });
}
