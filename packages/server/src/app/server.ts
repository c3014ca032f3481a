import type { RequestListener } from "node:http";

import type { FastifyInstance } from "fastify";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Access } from "../api/operation-shape.ts";
import { batch1 } from "../batch/version-1.ts";
import { reporter } from "../config/context.ts";
import { crawl1 } from "../crawl/version-1.ts";
import { Shares } from "../files/shares.ts";
import { addBehind, type Door } from "../http/add-behind.ts";
import { addAuthenticatedRoutes } from "../http/caller.ts";
import { leave } from "../http/leave.ts";
import { openClientAddress } from "../http/live/client-address.ts";
import { serveNodes } from "../http/nodes/open.ts";
import { openHttpServer } from "../http/open.ts";
import { openReference } from "../http/reference.ts";
import { addDocsAssets } from "../http/routes/docs.ts";
import { joinUpgrades, type Upgrades } from "../http/upgrades.ts";
import { addRecordingRoutes } from "../interact/live/recordings.ts";
import { addLiveRoutes } from "../interact/live/routes.ts";
import { openSessionSockets } from "../interact/live/session-sockets.ts";
import { openJobSockets } from "../jobs/live/job-sockets.ts";
import { addMcpRoutes } from "../mcp/routes.ts";
import { keyCheck, openAdminKey } from "../operator/admin-key.ts";
import { type Dashboard, openDashboard } from "../operator/dashboard.ts";
import { startAlerts } from "../operator/health/start-alerts.ts";
import { OperatorLogin } from "../operator/operator-login.ts";
import { CachedAnswers } from "../scrape/cached-answers.ts";
import type { ServiceContext } from "./app.ts";
import * as mcpTools from "./mcp-tools.ts";
import { servedGroups, type ServiceParts } from "./operations.ts";

export interface OpenedServer {
  readonly server: FastifyInstance;
  /** The operator's key, when this start created it. */
  readonly freshAdminKey: string | undefined;
  /** Announces the end, and waits until no client depends on this process. */
  leave(): Promise<void>;
}

/** By then it is told that the service listens. */
const AFTER_START_MS = 100;

/** Creates the server with all its routes. It does not listen yet. */
export async function openServer(context: ServiceContext): Promise<OpenedServer> {
  const { config, resources, interact, nodes, drain, services } = context;
  // The key comes before the server, which begins to load its routes at the first await.
  const adminKey = await openAdminKey(config.accounts.adminKey, config.accounts.adminKeyFile);
  const login = new OperatorLogin({ adminKey, operators: context.operators });
  const dashboard = await openDashboard({ ...context, login, adminKey });
  const cachedAnswers = new CachedAnswers(services);
  const parts = { ...context, reference: referenceOf(context, dashboard), cachedAnswers };
  const upgrades = joinUpgrades([openSessionSockets(interact.find, nodes?.passing), watchRuns(context)]);
  const server = openHttpServer(context, { upgrades, cachedAnswers });
  server.decorate("audit", context.audit);
  addDocsAssets(server);
  addLiveRoutes(server, interact.find);
  addOperationsFor("anyone", parts)(server);
  addBehind(metricsDoor(context, login), server, addOperationsFor("metrics", parts));
  const operatorDoor = dashboard?.door ?? login;
  addBehind((request) => operatorDoor.require(request), server, addOperationsFor("operator", parts));
  addCallersRoutes(server, parts);
  dashboard?.addRoutes(server);
  // A process that listens also works on jobs. Commands that open the service for themselves do not.
  server.addHook("onListen", async () => {
    const handler: RequestListener = (request, response) => server.routing(request, response);
    const figures = () => ({ ...context.status(), sessions: interact.count() });
    await serveNodes(context, { drain, handler, upgrades, figures });
    if (!config.nodes.roles.has("work")) return;
    context.families.work();
    startAlerts(context);
  });
  // Nobody waits for it. A page that comes before takes a moment longer, and tells what is wrong.
  const prepare = () => void context.client.prepare().catch(() => undefined);
  server.addHook("onListen", async () => void setTimeout(prepare, AFTER_START_MS).unref());
  resources.add(server, (opened) => opened.close());
  const { fresh: freshAdminKey } = adminKey;
  return { server, freshAdminKey, leave: () => leave(config, drain, () => interact.count()) };
}

function watchRuns(context: ServiceContext): Upgrades {
  const { config, admission, nodes } = context;
  return openJobSockets({
    ...context,
    ...admission,
    routes: [...context.kinds, crawl1, batch1].flatMap(({ routes }) => routes ?? []),
    clientAddress: openClientAddress(config.server.trustedProxies),
    stores: context.families.runs.stores,
    passing: nodes?.passing,
    onError: reporter(context.log, "A run could not be watched."),
  });
}

function addOperationsFor(access: Access, parts: ServiceParts): (scope: FastifyInstance) => void {
  return (scope) => {
    for (const group of servedGroups(parts)) group.addTo(scope, parts, access);
  };
}

/** Describes the available operations, except those of the dashboard alone. */
function referenceOf(context: ServiceContext, dashboard: Dashboard | undefined) {
  const { config } = context;
  return openReference({
    auth: config.accounts.auth,
    hasDashboard: dashboard !== undefined,
    publicUrl: config.server.publicUrl,
    operations: servedGroups(context).flatMap((group) => group.operations),
  });
}

/** Metrics reveal the use and state of a service, so they need a key unless `metricsKey` is `open`. */
function metricsDoor({ config: { accounts } }: ServiceContext, login: OperatorLogin): Door {
  const { metricsKey } = accounts;
  if (metricsKey === "open") return async () => {};
  const isMetricsKey = metricsKey === undefined ? undefined : keyCheck(sha256Hex(metricsKey));
  return (request) => login.require(request, isMetricsKey);
}

/** Adds operations that require a key, or are public in open mode. */
function addCallersRoutes(server: FastifyInstance, parts: ServiceParts): void {
  const { config, authenticate, admission, onRefused, services, families, tools, interact } = parts;
  const connections =
    config.accounts.auth === "keys" ? new Shares(Math.ceil(config.server.maxConnections / 2)) : undefined;
  const checks = { authenticate, onRefused, connections, ...admission };
  void addAuthenticatedRoutes(server, checks, (scope) => {
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
