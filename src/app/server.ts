import type { FastifyRequest } from "fastify";

import { keyCheck, openAdminKey } from "../admin/admin-key.ts";
import { OperatorLogin } from "../admin/operator-login.ts";
import { addAdminRoutes } from "../admin/routes.ts";
import type { Config } from "../config/config.ts";
import { ServiceError } from "../contract/errors.ts";
import { keyedAuthentication, openAuthentication } from "../http/authenticate.ts";
import { addAuthenticatedRoutes } from "../http/caller.ts";
import { openSessionSockets } from "../http/live/session-sockets.ts";
import type { Metrics } from "../http/metrics.ts";
import { addAccountRoutes } from "../http/routes/account.ts";
import { addDocsRoutes } from "../http/routes/docs.ts";
import { addExchangeRoutes } from "../http/routes/exchange.ts";
import { addFeedbackRoutes } from "../http/routes/feedback.ts";
import { addFileRoutes } from "../http/routes/files.ts";
import { addHealthRoutes } from "../http/routes/health.ts";
import { addInteractRoutes } from "../http/routes/interact.ts";
import { addLiveRoutes } from "../http/routes/live.ts";
import { addMcpRoutes } from "../http/routes/mcp.ts";
import { addProbeRoutes } from "../http/routes/probes.ts";
import { addProfileRoutes } from "../http/routes/profiles.ts";
import { addScrapeRoutes } from "../http/routes/scrape.ts";
import { addThreatProtectionRoutes } from "../http/routes/threat-protection.ts";
import { createServer } from "../http/server.ts";
import { sha256Hex } from "../kit/hash.ts";
import { type Pressure, watchPressure } from "../kit/pressure.ts";
import * as mcpTools from "../mcp/tools/all.ts";
import type { RunServices } from "../scrape/run.ts";
import { type RequestFilter, searchRequests } from "../stores/scrapes/record-search.ts";
import type { Accounts } from "./accounts.ts";
import { administrationOf } from "./administration.ts";
import type { AppContext } from "./context.ts";
import { openDashboard } from "./dashboard.ts";
import type { InteractPart } from "./interact.ts";
import type { KeptStores } from "./kept.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";
import type { OpenedTools } from "./tools.ts";

interface ServerNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: KeptStores;
  readonly services: RunServices;
  readonly tools: OpenedTools;
  readonly network: Network;
  readonly interact: InteractPart;
  readonly metrics: Metrics;
}

export interface OpenedServer {
  readonly server: ReturnType<typeof createServer>;
  /** The operator's key, when it was made by this start. */
  readonly freshAdminKey: string | undefined;
}

/** The server with all its routes, not listening yet. */
export async function openServer(context: AppContext, needs: ServerNeeds): Promise<OpenedServer> {
  const { config, log, resources } = context;
  const pressure = watchPressure({
    onBlocked: (blockedMs) => log.warn({ blockedMs: Math.round(blockedMs) }, "Nothing could be answered."),
  });
  resources.add(pressure, (watching) => watching.stop());
  const { metrics } = needs;
  // Before the server is made: it begins to load its routes as soon as anything is waited for.
  const adminKey = await openAdminKey(config.accounts.adminKey, config.accounts.adminKeyFile);
  const login = new OperatorLogin({ adminKey });
  const operated = operatorRoutes(needs, pressure);
  const dashboard = await openDashboard(context, {
    ...needs,
    ...operated,
    login,
    adminKey,
  });
  const { publicUrl, trustedProxies, corsOrigins, maxConnections } = config.server;
  const server = createServer({
    log,
    metrics,
    trustedProxies,
    trustedPages: config.accounts.auth === "open" ? { publicUrl, corsOrigins } : undefined,
    connectionLimits: { connections: maxConnections },
    upgrades: openSessionSockets(needs.interact.find),
  });
  const parts = healthChecks(needs.stores, pressure);
  addHealthRoutes(server, { parts, metrics, admitToMetrics: metricsDoor(config, login) });
  addProbeRoutes(server, config.accounts.auth === "keys");
  addDocsRoutes(server, { publicUrl, auth: config.accounts.auth });
  addFileRoutes(server, needs.kept.files);
  addLiveRoutes(server, needs.interact.find);
  addCallersRoutes(context, needs, server, pressure);
  addAdminRoutes(server, { ...operated, login: dashboard?.door ?? login });
  dashboard?.addRoutes(server);
  resources.add(server, (opened) => opened.close());
  return { server, freshAdminKey: adminKey.fresh };
}

function healthChecks({ database, blobs }: Stores, pressure: Pressure) {
  return [
    { name: "database", check: () => database.ping() },
    { name: "blobs", check: () => blobs.ping() },
    { name: "event loop", check: async () => refuseBlocked(pressure) },
  ];
}

function refuseBlocked(pressure: Pressure): void {
  if (pressure.wasBlocked()) {
    const message = "Nothing could be answered for a second or more.";
    throw new ServiceError("OVERLOADED", { message });
  }
}

/** Figures tell how much a service is used, and how it does. */
function metricsDoor({ accounts: { metricsKey } }: Config, login: OperatorLogin) {
  if (metricsKey === "open") return async () => {};
  const isMetricsKey = metricsKey === undefined ? undefined : keyCheck(sha256Hex(metricsKey));
  return (request: FastifyRequest) => login.require(request, isMetricsKey);
}

/** What needs a key, or is open to everybody in open mode. */
function addCallersRoutes(
  { config }: AppContext,
  { stores: { database }, accounts, kept, services, tools, interact }: ServerNeeds,
  server: OpenedServer["server"],
  pressure: Pressure,
): void {
  const { callers, limits, team, audit, credits } = accounts;
  const { publicUrl } = config.server;
  const { concurrency: scrapeConcurrency } = config.scraping;
  const { level } = config.logging;
  const authenticate =
    config.accounts.auth === "keys" ? keyedAuthentication(callers) : openAuthentication(callers, team.id);
  void addAuthenticatedRoutes(server, { authenticate, limits, pressure }, (scope) => {
    const showsTimings = level === "debug" || level === "trace";
    addScrapeRoutes(scope, { services, tools, showsTimings, publicUrl });
    addMcpRoutes(scope, {
      services: { ...services, providers: tools, interact: interact.load },
      tools: mcpTools,
      limits,
      pressure,
      publicUrl,
    });
    addExchangeRoutes(scope, tools);
    addInteractRoutes(scope, { interact: interact.load, publicUrl });
    addFeedbackRoutes(scope, kept);
    addProfileRoutes(scope, kept.profiles);
    addThreatProtectionRoutes(scope, { database, callers, audit });
    addAccountRoutes(scope, { database, records: kept.records, credits, limits, scrapeConcurrency });
  });
}

/** What the operator can see and do. */
function operatorRoutes(needs: ServerNeeds, pressure: Pressure) {
  const { records, gate } = needs.services;
  const { callers, audit, team } = needs.accounts;
  const { own, mount } = needs.tools;
  return {
    administration: administrationOf(needs),
    feedback: needs.kept.feedback,
    providers: { tools: needs.tools, callers, audit, defaultTeamId: team.id, own, mount },
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
