import type { FastifyInstance } from "fastify";

import { openFilesLimit } from "@pergamon-dev/kit/process/open-files-limit";
import type { Accounts } from "../accounts/open.ts";
import type { Context } from "../config/context.ts";
import type { History } from "../history/open.ts";
import { openRefusals } from "../history/refusals.ts";
import type { Health } from "../operator/health/open.ts";
import type { CachedAnswers } from "../scrape/cached-answers.ts";
import type { Scraping } from "../scrape/open.ts";
import type { Admission } from "./admission.ts";
import { type Authenticate, keyedAuthentication, openAuthentication } from "./authenticate.ts";
import type { Refused } from "./caller.ts";
import type { NodeContext } from "./nodes/open.ts";
import { refuseCalls, refuseUpgrades } from "./nodes/role-door.ts";
import { createServer } from "./server.ts";
import type { Upgrades } from "./upgrades.ts";

interface Entry {
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  /** Counts refused calls. */
  readonly onRefused: (call: Refused) => void;
}

export function openEntry(context: Context & Accounts & History & Health & Scraping): Entry {
  const { config, callers, team, limits, credits, pressure } = context;
  return {
    authenticate:
      config.accounts.auth === "keys" ? keyedAuthentication(callers) : openAuthentication(callers, team.id),
    admission: { limits, pressure, credits },
    onRefused: refusalsOf(context),
  };
}

/** Counts refused calls, except those that ended work, which the charge already counts. */
function refusalsOf({ figures, records, services }: History & Scraping): Entry["onRefused"] {
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

interface ServedParts {
  readonly upgrades: Upgrades;
  readonly cachedAnswers: CachedAnswers;
}

/** Creates a server without routes that does not listen yet. */
export function openHttpServer(
  context: Context & NodeContext & Health & Entry,
  { upgrades, cachedAnswers }: ServedParts,
): FastifyInstance {
  const { config, authenticate, admission, nodes, drain } = context;
  const { publicUrl, trustedProxies, corsOrigins } = config.server;
  const answersCalls = config.nodes.roles.has("api");
  const isOpen = () => !drain.hasBegun;
  const early = { cachedAnswers, authenticate, admission, publicUrl, isOpen };
  const server = createServer({
    log: context.log,
    metrics: context.metrics,
    bodies: context.bodies,
    trustedProxies,
    trustedPages: config.accounts.auth === "open" ? { publicUrl, corsOrigins } : undefined,
    connectionLimits: { connections: connectionsOf(context) },
    upgrades: [answersCalls ? upgrades : refuseUpgrades(upgrades)],
    passing: nodes?.passing,
    ...(answersCalls && { early }),
  });
  if (!answersCalls) refuseCalls(server, config.nodes.roles);
  // Clients and load balancers that keep connections must reconnect, to another node.
  server.addHook("onRequest", (_request, reply, done) => {
    if (drain.hasBegun) reply.header("connection", "close");
    done();
  });
  return server;
}

/** File descriptors reserved for uses other than client connections. */
const FILES_LEFT = 256;

/**
 * Returns the configured number, or as many as the limit of open files allows. Where that limit is very low,
 * it is a quarter of the limit.
 */
function connectionsOf({ config, log }: Context): number {
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
