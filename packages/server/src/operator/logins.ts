import { z } from "zod";

import type { Administration } from "../accounts/administration.ts";
import { PLAYGROUND_KEY } from "../accounts/keys.ts";
import type { OperatorSession, OperatorSessions } from "../accounts/operator-sessions.ts";
import { done } from "../api/common-shapes.ts";
import { NotFoundError, UnauthorizedError } from "../api/errors.ts";
import { API_KEY, DAY, LATER, success, TEAM_ID, WEEK_LATER } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Id, Success, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import type { Call } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import type { AdminKey } from "./admin-key.ts";
import type { EventStream } from "./event-stream.ts";
import type { LoginTries } from "./login-tries.ts";

/**
 * Every dashboard request that changes something carries this header, which forms and links of other sites
 * cannot send.
 */
export const DASHBOARD_HEADER = { name: "x-pergamon", value: "dashboard" } as const;
export const SESSION_COOKIE = "pergamon_session";

/** `POST /admin/session` takes the operator's key, or the token of a login link. */
const LogInRequest = z.union([
  z.strictObject({ key: z.string().min(1).max(1000) }),
  z.strictObject({
    token: z.string().min(1).max(200),
  }),
]);

const Session = z.strictObject({
  sessionId: Id,
  /** True for the session of this request. */
  isOwn: z.boolean(),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Time,
  address: z.string(),
  userAgent: z.string(),
});

/** `POST` and `GET /admin/session` answer with facts that every dashboard page needs. */
export const SessionAnswer = answerOf(
  z.strictObject({
    session: Session.nullable(),
    auth: z.enum(["open", "keys"]),
    version: z.string(),
    defaultTeamId: Id,
    baseUrl: z.string(),
    kinds: z.array(z.strictObject({ name: z.string(), title: z.string(), endpoint: z.string() })),
  }),
);

/** `GET /admin/api/logins`, newest first. */
export const LoginsAnswer = answerOf(z.array(Session));

const PlaygroundKeyRequest = z.strictObject({ teamId: Id.max(100) });

/** A key for the playground, which belongs to the team. */
const PlaygroundKeyAnswer = z.strictObject({
  success: Success,
  apiKey: z.string(),
  expiresAt: Time,
});

type LogInRequest = z.output<typeof LogInRequest>;
export type SessionAnswer = z.output<typeof SessionAnswer>;
export type LoginsAnswer = z.output<typeof LoginsAnswer>;
type PlaygroundKeyAnswer = z.output<typeof PlaygroundKeyAnswer>;

const shownSession = {
  sessionId: "019a1feb-0000-7000-8000-000000000004",
  isOwn: true,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: WEEK_LATER,
  address: "192.0.2.1",
  userAgent: "Mozilla/5.0",
};

const operatorLogin = defineShape("OperatorLogin", SessionAnswer, {
  success,
  data: {
    session: shownSession,
    auth: "keys",
    version: "1.0.0",
    defaultTeamId: "default",
    baseUrl: "https://scrape.test",
    kinds: [{ name: "batch_scrape", title: "Batch scrape", endpoint: "batch" }],
  },
});

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

/** The only dashboard operation without a login, because it creates one. */
export const login = defineOperation({
  line: "POST /admin/session",
  audit: "login.begun",
  access: "login",
  tag: "Operator",
  body: defineShape("LogInRequest", LogInRequest, {
    key: "pa-0123456789abcdef0123456789abcdef0123456789abcdef",
  }),
  answer: operatorLogin,
  errors: [403, 429],
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
  ...forOperator,
  line: "GET /admin/session",
  answer: operatorLogin,
  handle: (call, services: LoginServices) => describe(call, call.operatorSession, services),
});

const logout = defineOperation({
  ...forOperator,
  line: "DELETE /admin/session",
  audit: "login.ended",
  answer: done,
  async handle(call, services: LoginServices) {
    if (call.operatorSession) await end(call.operatorSession.id, services);
    setCookie(call, undefined);
    return { success: true };
  },
});

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/logins",
  answer: defineShape("Logins", LoginsAnswer, { success, data: [shownSession] }),
  async handle({ operatorSession }, { sessions }: LoginServices) {
    const found = await sessions.list();
    return { success: true, data: found.map((session) => showSession(session, operatorSession)) };
  },
});

const ending = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/logins/{id}",
  audit: "login.ended",
  answer: done,
  errors: [404],
  async handle({ params }, services: LoginServices) {
    if (!(await end(params.id, services))) throw new NotFoundError("Session not found.");
    return { success: true };
  },
});

const playgroundKey = defineOperation({
  ...forOperator,
  line: "POST /admin/api/playground-key",
  audit: "key.created",
  tells: ["teamId"],
  body: defineShape("PlaygroundKeyRequest", PlaygroundKeyRequest, { teamId: TEAM_ID }),
  answer: defineShape("PlaygroundKey", PlaygroundKeyAnswer, { success, apiKey: API_KEY, expiresAt: LATER }),
  errors: [404],
  async handle({ body: { teamId } }, { administration }: LoginServices) {
    const expiresAtMs = Date.now() + PLAYGROUND_KEY_MS;
    const { apiKey } = await administration.createKey({ teamId, name: PLAYGROUND_KEY, expiresAtMs });
    return { success: true, apiKey, expiresAt: iso(expiresAtMs) };
  },
});

export const loginOperations = [current, logout, list, ending, playgroundKey];

async function end(id: string, { sessions, stream }: LoginServices): Promise<boolean> {
  const isEnded = await sessions.end(id);
  stream.endSession(id);
  return isEnded;
}

/** @throws UnauthorizedError for a wrong key, and for a link that was used or has expired. */
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

/**
 * `SameSite=Strict` keeps the cookie from requests of other sites. Its path limits it to the operator's
 * interface.
 */
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
