import type { Administration } from "../accounts/administration.ts";
import type { OperatorSession, OperatorSessions } from "../accounts/operator-sessions.ts";
import { NotFoundError, UnauthorizedError } from "../api/errors.ts";
import {
  endLogin,
  listLogins,
  logIn,
  type LogInRequest,
  logOut,
  makePlaygroundKey,
  readLogin,
  SESSION_COOKIE,
  type SessionAnswer,
} from "./session-shapes.ts";
import type { Call } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import type { AdminKey } from "./admin-key.ts";
import type { EventStream } from "./event-stream.ts";
import type { LoginTries } from "./login-tries.ts";

export interface LoginServices {
  readonly sessions: OperatorSessions;
  readonly tries: LoginTries;
  readonly stream: EventStream;
  readonly adminKey: AdminKey;
  readonly administration: Administration;
  readonly about: Omit<SessionAnswer["data"], "session" | "baseUrl">;
}

type LogInCall = Pick<Call, "log" | "id" | "ip"> & { readonly body: LogInRequest };

const MAX_USER_AGENT_LENGTH = 300;
const PLAYGROUND_KEY_MS = 60 * 60 * 1000;

/** The only operation of the dashboard that needs no login: it makes one. */
export const login = defineOperation({
  ...logIn,
  async handle(call, services: LoginServices) {
    const { id, ip: address, headers, log } = call;
    const succeeded = services.tries.count(address);
    await requireCredentials(call, services);
    succeeded();
    const userAgent = (headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_LENGTH);
    const { secret, session } = await services.sessions.start({ address, userAgent });
    log.info({ requestId: id, address, sessionId: session.id }, "The operator logged in.");
    setCookie(call, secret);
    return describe(call, session, services);
  },
});

const current = defineOperation({
  ...readLogin,
  handle: (call, services: LoginServices) => describe(call, call.operatorSession, services),
});

const logout = defineOperation({
  ...logOut,
  async handle(call, services: LoginServices) {
    if (call.operatorSession) await end(call.operatorSession.id, services);
    setCookie(call, undefined);
    return { success: true };
  },
});

const list = defineOperation({
  ...listLogins,
  async handle({ operatorSession }, { sessions }: LoginServices) {
    const found = await sessions.list();
    return { success: true, data: found.map((session) => showSession(session, operatorSession)) };
  },
});

const ending = defineOperation({
  ...endLogin,
  async handle({ params }, services: LoginServices) {
    if (!(await end(params.id, services))) throw new NotFoundError("Session not found.");
    return { success: true };
  },
});

const playgroundKey = defineOperation({
  ...makePlaygroundKey,
  async handle({ body: { teamId } }, { administration }: LoginServices) {
    const expiresAtMs = Date.now() + PLAYGROUND_KEY_MS;
    const { apiKey } = await administration.createKey({ teamId, name: "Playground", expiresAtMs });
    return { success: true, apiKey, expiresAt: iso(expiresAtMs) };
  },
});

/** What the operator's own sessions are, for who is logged in. */
export const loginOperations = [current, logout, list, ending, playgroundKey];

async function end(id: string, { sessions, stream }: LoginServices): Promise<boolean> {
  const isEnded = await sessions.end(id);
  stream.endSession(id);
  return isEnded;
}

/** @throws UnauthorizedError for a wrong key, and for a link that was used or is too old. */
async function requireCredentials(
  { body: given, log, id, ip: address }: LogInCall,
  { sessions, adminKey }: LoginServices,
): Promise<void> {
  const isGood = "key" in given ? adminKey.isValid(given.key) : await sessions.useLoginToken(given.token);
  if (isGood) return;
  log.warn({ requestId: id, address }, "An operator login failed.");
  throw new UnauthorizedError(
    "key" in given
      ? "Unauthorized: invalid operator key."
      : "Unauthorized: this login link has already been used, or is older than 10 minutes. To create a new one, run: npx pergamon dashboard",
  );
}

/** Strict: no other site's request carries it. Its path keeps it from everything but the operator's interface. */
function setCookie(call: Call, secret: string | undefined): void {
  const isSecure = call.origin.startsWith("https:") || call.publicUrl?.startsWith("https:");
  const parts = [
    `${SESSION_COOKIE}=${secret ?? ""}`,
    "Path=/admin",
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
    ...(secret === undefined ? ["Max-Age=0"] : [`Max-Age=${7 * 24 * 60 * 60}`]),
  ];
  call.setHeader("set-cookie", parts.join("; "));
  call.setHeader("cache-control", "no-store");
}

function describe(
  { publicUrl, origin }: Call,
  session: OperatorSession | undefined,
  { about }: LoginServices,
): SessionAnswer {
  const shown = session ? showSession(session, session) : null;
  return { success: true, data: { ...about, session: shown, baseUrl: publicUrl ?? origin } };
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
