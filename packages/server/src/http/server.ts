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
import { answerUnknownRoutes } from "./unknown-route.ts";
import { joinUpgrades, refuseUpgrade, type Upgrades } from "./upgrades.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the error that the request ended with, if any. */
    failure: string | undefined;
    /** What the request ended with instead of an answer. */
    thrown: unknown;
    /** True when neither the request nor what came of it may be logged. */
    isPrivate: boolean;
    /** Additional fields of the log line; never a secret. */
    notes: Record<string, unknown> | undefined;
  }
}

interface ServerParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Addresses and CIDR blocks of reverse proxies: who calls, and by which name, is what they say. */
  readonly trustedProxies?: readonly string[];
  /** What open mode trusts. Undefined: every page may use the service, as with keys. */
  readonly trustedPages?: TrustedPages | undefined;
  /** Takers of WebSockets; of several that want a request the first gets it. */
  readonly upgrades?: readonly Upgrades[];
  /** Asks other processes for what cannot be answered here. */
  readonly passing?: Pick<Passing, "answer"> | undefined;
  /** What is answered before the framework. */
  readonly early?: EarlyAnswerServices;
  /** Where bodies of requests count. */
  readonly bodies?: HeldBodies | undefined;
  /** Where they differ from the defaults. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

/** An empty server with everything that all routes share: bodies, errors, CORS, ids, timing, one log line each. */
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
    // Lines name the request themselves; a logger per request costs more than the line.
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
      // No hook runs for a path that cannot be read.
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

/** A page that goes by this service's address under another name reaches no WebSocket either. */
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
    request.log.info(
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

/** Routes declare no JSON Schema: operations check what they are sent. Without this, its compilers are loaded. */
function notNeeded(): never {
  throw new Error("A route declares a JSON Schema, which nothing here compiles.");
}
