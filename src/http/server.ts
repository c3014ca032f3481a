import type { Socket } from "node:net";

import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";

import { limits } from "../contract/limits.ts";
import type { Log } from "../kit/log.ts";
import { uuidV7 } from "../kit/uuid.ts";
import { acceptJsonBodies } from "./body.ts";
import { answerError } from "./error-handler.ts";
import type { Metrics } from "./metrics.ts";
import { normalPath } from "./request-path.ts";
import { addLastHeaders } from "./send-json.ts";
import { answerUnknownRoutes } from "./unknown-route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the error that the request ended with, if any. */
    failure: string | undefined;
    /** True when neither the request nor what came of it may be told in the log. */
    isPrivate: boolean;
    /** What the log line says beside the usual; never a secret. */
    notes: Record<string, unknown> | undefined;
  }
}

/** Headers and bodies that drip in slower than this are cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

interface ServerParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Addresses and CIDR blocks of reverse proxies: who calls, and by which name, is what they say. */
  readonly trustedProxies?: readonly string[];
}

/** An empty server with everything that all routes share: bodies, errors, CORS, ids, timing, one log line each. */
export function createServer({ log, metrics, trustedProxies = [] }: ServerParts): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name the request themselves; a logger per request costs more than the line.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    genReqId: () => uuidV7(),
    rewriteUrl: (request) => normalPath(request.url ?? "/"),
    routerOptions: { maxParamLength: limits.profileNameLength },
    frameworkErrors(failure, request, reply) {
      // No hook runs for a path that cannot be read.
      shareAnswer(request, reply);
      addLastHeaders(reply);
      return answerError(failure, request, reply);
    },
    return503OnClosing: true,
  });
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  app.decorateRequest("failure", undefined);
  app.decorateRequest("notes", undefined);
  app.decorateRequest("isPrivate", false);
  closeUnusedConnections(app);
  acceptJsonBodies(app);
  app.setErrorHandler(answerError);
  shareHeaders(app);
  answerUnknownRoutes(app);
  logRequests(app, metrics);
  return app;
}

/**
 * Browsers and pools open connections ahead of their need. Node counts one that never carried a request as busy, and
 * would wait for it when the server closes.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  app.addHook("preClose", (done) => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

/** Other sites have no business with the operator's interface. */
const NOT_SHARED = /^\/admin(?:\/|$)/;

/** CORS is open (contract, section 1.0): keys travel in a header, never in a cookie. */
function shareHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!shareAnswer(request, reply) || request.method !== "OPTIONS") return done();
    const wished = request.headers["access-control-request-headers"];
    reply
      .header("access-control-allow-methods", "GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS")
      .header(
        "access-control-allow-headers",
        wished ?? "authorization,content-type,x-request-id,x-idempotency-key",
      )
      .header("access-control-max-age", "86400")
      .code(204)
      .send();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    addLastHeaders(reply);
    done(null, payload);
  });
}

/** @returns false for what other sites may not read. */
function shareAnswer({ url }: FastifyRequest, reply: FastifyReply): boolean {
  if (NOT_SHARED.test(url)) return false;
  reply.header("access-control-allow-origin", "*");
  return true;
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
