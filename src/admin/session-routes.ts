import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Administration } from "../accounts/administration.ts";
import type { OperatorSession, OperatorSessions } from "../accounts/operator-sessions.ts";
import { NotFoundError, UnauthorizedError } from "../contract/errors.ts";
import {
  LogInRequest,
  PlaygroundKeyRequest,
  SESSION_COOKIE,
  type SessionAnswer,
} from "../contract/operator/session.ts";
import type { AdminKey } from "./admin-key.ts";
import type { EventStream } from "./event-stream.ts";
import type { LoginTries } from "./login-tries.ts";
import type { OperatorDoor } from "./operator-door.ts";

export interface SessionRoutes {
  readonly door: OperatorDoor;
  readonly sessions: OperatorSessions;
  readonly tries: LoginTries;
  readonly stream: EventStream;
  readonly adminKey: AdminKey;
  readonly administration: Administration;
  readonly about: Omit<SessionAnswer["data"], "session" | "baseUrl">;
  /** Undefined: what the client calls it. */
  readonly publicUrl: string | undefined;
}

interface WithId {
  Params: { id: string };
}

const LONGEST_USER_AGENT = 300;
const PLAYGROUND_KEY_MS = 60 * 60 * 1000;

/** The only route below `/admin` that needs no login: it makes one. */
export function addLoginRoute(app: FastifyInstance, routes: SessionRoutes): void {
  const { door, sessions, tries } = routes;

  const options = { onRequest: async (request: FastifyRequest) => door.requireOwnPage(request) };
  app.post("/admin/session", options, async (request, reply) => {
    tries.count(request.ip);
    await requireCredentials(request, routes);
    const { ip: address, headers } = request;
    const userAgent = (headers["user-agent"] ?? "").slice(0, LONGEST_USER_AGENT);
    const { secret, session } = await sessions.start({ address, userAgent });
    request.log.info({ requestId: request.id, address, sessionId: session.id }, "The operator logged in.");
    setCookie(reply, secret, routes);
    return describe(request, session, routes);
  });
}

/** What the operator's own sessions are, for who is logged in. */
export function addSessionRoutes(app: FastifyInstance, routes: SessionRoutes): void {
  const { sessions, stream, administration } = routes;
  const end = async (id: string) => {
    const isEnded = await sessions.end(id);
    stream.endSession(id);
    return isEnded;
  };

  app.get("/admin/session", async (request) => describe(request, request.operatorSession, routes));

  app.delete("/admin/session", async ({ operatorSession }, reply) => {
    if (operatorSession) await end(operatorSession.id);
    setCookie(reply, undefined, routes);
    return { success: true };
  });

  app.get("/admin/api/logins", async ({ operatorSession }) => {
    const found = await sessions.list();
    return { success: true, data: found.map((session) => showSession(session, operatorSession)) };
  });

  app.delete<WithId>("/admin/api/logins/:id", async ({ params }) => {
    if (!(await end(params.id))) throw new NotFoundError("Session not found.");
    return { success: true };
  });

  app.post("/admin/api/playground-key", async ({ body }) => {
    const { teamId } = PlaygroundKeyRequest.parse(body);
    const expiresAtMs = Date.now() + PLAYGROUND_KEY_MS;
    const { apiKey } = await administration.createKey({ teamId, name: "Playground", expiresAtMs });
    return { success: true, apiKey, expiresAt: iso(expiresAtMs) };
  });
}

/** @throws UnauthorizedError for a wrong key, and for a link that was used or is too old. */
async function requireCredentials(
  request: FastifyRequest,
  { sessions, adminKey }: SessionRoutes,
): Promise<void> {
  const { body, log, id, ip: address } = request;
  const given = LogInRequest.parse(body);
  const isGood = "key" in given ? adminKey.isValid(given.key) : await sessions.useLoginToken(given.token);
  if (isGood) return;
  log.warn({ requestId: id, address }, "An operator's login failed.");
  throw new UnauthorizedError(
    "key" in given
      ? "Unauthorized: this is not the operator's key."
      : "Unauthorized: this login link was used already, or is older than 10 minutes. Make a new one: npx pergamon dashboard",
  );
}

/** Strict: no other site's request carries it. Its path keeps it from everything but the operator's interface. */
function setCookie(reply: FastifyReply, secret: string | undefined, { publicUrl }: SessionRoutes): void {
  const isSecure = reply.request.protocol === "https" || publicUrl?.startsWith("https:");
  const parts = [
    `${SESSION_COOKIE}=${secret ?? ""}`,
    "Path=/admin",
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
    ...(secret === undefined ? ["Max-Age=0"] : [`Max-Age=${7 * 24 * 60 * 60}`]),
  ];
  reply.header("set-cookie", parts.join("; ")).header("cache-control", "no-store");
}

function describe(
  { protocol, host }: FastifyRequest,
  session: OperatorSession | undefined,
  { about, publicUrl }: SessionRoutes,
): SessionAnswer {
  const shown = session ? showSession(session, session) : null;
  return { success: true, data: { ...about, session: shown, baseUrl: publicUrl ?? `${protocol}://${host}` } };
}

function showSession(session: OperatorSession, own: OperatorSession | undefined) {
  return {
    sessionId: session.id,
    isOwn: session.id === own?.id,
    createdAt: iso(session.createdAtMs),
    lastUsedAt: iso(session.lastUsedAtMs),
    expiresAt: iso(session.expiresAtMs),
    address: session.address,
    userAgent: session.userAgent,
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
