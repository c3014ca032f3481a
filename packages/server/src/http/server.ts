import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from "fastify";

import { limits } from "../api/limits.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { HeldBodies } from "../api/held-bodies.ts";
import { acceptJsonBodies, rememberBodies } from "./body.ts";
import { type ConnectionLimits, Connections, usualConnectionLimits } from "./connections.ts";
import { CrossOrigin, type TrustedPages } from "./cross-origin.ts";
import { drainBeforeClosing } from "./drain-body.ts";
import { EarlyAnswers, type EarlyAnswerServices } from "../scrape/early-answers.ts";
import { answerError } from "./error-handler.ts";
import type { Metrics } from "../operator/health/metrics.ts";
import type { Passing } from "./passing.ts";
import { normalPath } from "./request-path.ts";
import { addLastHeaders } from "./send-json.ts";
import { joinUpgrades, refuseUpgrade, type Upgrades } from "./upgrades.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the error that ended the request, if any. */
    failure: string | undefined;
    /** Value that was thrown instead of a response. */
    thrown: unknown;
    /** True when neither the request nor its outcome may be logged. */
    isPrivate: boolean;
    /** Additional fields of the log line; never a secret. */
    notes: Record<string, unknown> | undefined;
  }
}

interface ServerParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /**
   * Addresses and CIDR blocks of reverse proxies, which may state the client's address and the service's
   * name.
   */
  readonly trustedProxies?: readonly string[];
  /** Pages that open mode trusts. When undefined, every page may use the service, as with keys. */
  readonly trustedPages?: TrustedPages | undefined;
  /** WebSocket handlers. The first that wants a request gets it. */
  readonly upgrades?: readonly Upgrades[];
  /** Forwards requests that this process cannot answer. */
  readonly passing?: Pick<Passing, "answer"> | undefined;
  /** Services for requests that are answered before the framework. */
  readonly early?: EarlyAnswerServices;
  /** Counter for the bytes of request bodies. */
  readonly bodies?: HeldBodies | undefined;
  /** Limits that differ from the defaults. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

/**
 * Creates a server without routes but with everything that they share: bodies, errors, CORS, ids, timing, one
 * log line per request.
 */
export function createServer({ log, metrics, ...parts }: ServerParts): FastifyInstance {
  const { trustedProxies = [], upgrades: takers = [] } = parts;
  const loggerInstance: FastifyBaseLogger = log;
  const connectionLimits = { ...usualConnectionLimits, ...parts.connectionLimits };
  const connections = new Connections(connectionLimits, (most) =>
    log.warn({ connections: most }, "Connections were refused: MAX_CONNECTIONS are open."),
  );
  const crossOrigin = new CrossOrigin(parts.trustedPages);
  const upgrades = takers.length > 0 ? refuseStrangeNames(joinUpgrades(takers), crossOrigin) : undefined;
  const remembered = rememberBodies();
  const isListening = () => app.server.listening;
  const early =
    parts.early &&
    new EarlyAnswers(parts.early, { bodies: remembered, crossOrigin, metrics, log, isListening });
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request themselves, because a logger per request costs more than the line.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    serverFactory: (handler) => connections.createServer(early?.before(handler) ?? handler, upgrades),
    forceCloseConnections: "idle",
    genReqId: () => uuidV7(),
    rewriteUrl: (request) => normalPath(request.url ?? "/"),
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    routerOptions: { maxParamLength: limits.profileNameLength },
    frameworkErrors(failure, request, reply) {
      // No hook runs for a malformed path.
      crossOrigin.share(request, reply);
      addLastHeaders(reply);
      return answerError(failure, request, reply);
    },
    return503OnClosing: true,
  });
  app.decorateRequest("failure", undefined);
  app.decorateRequest("thrown", undefined);
  app.decorateRequest("notes", undefined);
  app.decorateRequest("operatorSession", undefined);
  app.decorateRequest("operator", undefined);
  app.decorateRequest("isPrivate", false);
  app.addHook("preClose", (done) => {
    upgrades?.close();
    connections.closeUnused();
    done();
  });
  acceptJsonBodies(app, { remembered, held: parts.bodies });
  app.setErrorHandler(errorHandlerOf(parts.passing));
  crossOrigin.watch(app);
  answerUnknownRoutes(app);
  app.addHook("onSend", (_request, reply, payload, done) => {
    addLastHeaders(reply);
    done(null, payload);
  });
  drainBeforeClosing(app, connectionLimits.drain);
  logRequests(app, metrics);
  return app;
}

function errorHandlerOf(passing: ServerParts["passing"]): typeof answerError | PassingErrorHandler {
  if (!passing) return answerError;
  return async (failure, request, reply) =>
    (await passing.answer(failure, request, reply)) ?? answerError(failure, request, reply);
}

type PassingErrorHandler = (...args: Parameters<typeof answerError>) => Promise<FastifyReply>;

/** Refuses WebSockets from pages that reach this service's address under a foreign name. */
function refuseStrangeNames(upgrades: Upgrades, crossOrigin: CrossOrigin): Upgrades {
  return {
    ...upgrades,
    take(request, socket, head) {
      if (crossOrigin.isOwnName(request.headers.host)) upgrades.take(request, socket, head);
      else refuseUpgrade(socket, 403);
    },
  };
}

function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    metrics.observeRequest({
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    // Clients that wait for a job ask again and again.
    const { rate = "" } = request.routeOptions.config;
    const isPoll = /^(?:crawl|agent)Status$/.test(rate) && reply.statusCode < 400;
    request.log[isPoll ? "debug" : "info"](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(request.failure && { code: request.failure }),
        ...request.notes,
      },
      "request",
    );
    done();
  });
}

/**
 * Routes declare no JSON Schema, because operations validate their input. Without this function, the
 * framework loads its schema compilers.
 */
function notNeeded(): never {
  throw new Error("A route declares a JSON Schema, which nothing here compiles.");
}

/** A family of the public API that is not served here, with its alternative (contract, section 7). */
interface MissingFamily {
  readonly name: string;
  readonly instead: string;
}

const USE_VERSION_2 = "Use version 2, such as POST /v2/scrape; /docs describes it.";
const ONE_BY_ONE = "Scrape pages one by one with POST /v2/scrape";

/** Families by the first part of the path after the version. */
const missingFamilies: Readonly<Record<string, MissingFamily>> = {
  agent: { name: "Agent", instead: `${ONE_BY_ONE}; its format links lists the pages to visit next.` },
  monitor: {
    name: "Monitor",
    instead: "Scrape the page regularly with POST /v2/scrape and maxAge 0.",
  },
  support: {
    name: "Support",
    instead: "Error messages say what to do; /docs lists all errors.",
  },
  keyless: { name: "Keyless access", instead: "Ask the operator of this service for a key." },
};

/** Answers unknown routes before reading the body, which may be anything. */
function answerUnknownRoutes(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const never = neverServed.find(({ path }) => path.test(request.url));
    if (never?.isGone) reply.code(410).send({ success: false, error: never.sentence });
    else if (never) reply.code(501).send({ success: false, code: "NOT_IMPLEMENTED", error: never.sentence });
    else reply.code(404).send({ success: false, error: unknownRouteError(app, request.url) });
  });
}

/** Paths that will never be served, with their alternatives. `isGone`: the public service has removed it, too. */
const neverServed: readonly { readonly path: RegExp; readonly sentence: string; readonly isGone?: true }[] = [
  {
    path: /^\/v2\/search\/research\/github(?:[/?]|$)/,
    sentence: 'This search was removed. POST /v2/search with categories ["developer"] searches GitHub.',
    isGone: true,
  },
  {
    path: /^\/v2\/search\/developer(?:[/?]|$)/,
    sentence:
      "There is no index of code and documentation here. POST /v2/search with includeDomains searches the sites that you name.",
  },
  {
    path: /^\/v2\/search\/research(?:[/?]|$)/,
    sentence:
      'There is no index of papers here. POST /v2/search with categories ["research"] searches sites of science.',
  },
  {
    path: /^\/v2\/search\/gov(?:[/?]|$)/,
    sentence:
      'There is no index of authorities here. POST /v2/search with categories ["gov"] searches their sites.',
  },
  {
    path: /^\/v1\/deep-research(?:[/?]|$)/,
    sentence: "Deep research is not served here. Use POST /v2/search with scrapeOptions, page by page.",
  },
  {
    path: /^\/v1\/llmstxt(?:[/?]|$)/,
    sentence: "llms.txt is not made here. Use POST /v2/map, and the format summary of POST /v2/scrape.",
  },
];

/** Families that are served, so that only single routes of them can be unknown. */
const SESSIONS = /^\/v2\/(?:browser|interact)(?:[/?]|$)/;
const NO_SUCH_ROUTE = "Not Found: unknown route of browser sessions. /docs lists their routes.";

/** Returns the error message for an unknown path. */
function unknownRouteError(app: FastifyInstance, url: string): string {
  const [, version = "", family = ""] = /^\/v(\d+)\/([^/?]+)/.exec(url) ?? [];
  if (SESSIONS.test(url)) return NO_SUCH_ROUTE;
  const missing = ownProperty(missingFamilies, family);
  if (missing && app.hasRoute({ method: "POST", url: `/v2/${family}` }))
    return `Not Found: unknown route of ${missing.name}. /docs lists its routes.`;
  if (missing) return `Not Found: ${missing.name} (/v2/${family}) is not available here. ${missing.instead}`;
  const isOtherVersion = version !== "" && version !== "2";
  return isOtherVersion
    ? `Not Found: version ${version} has no such route here. ${USE_VERSION_2}`
    : "Not Found";
}
