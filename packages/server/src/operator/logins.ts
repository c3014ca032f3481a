import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import type { Administration } from "../accounts/administration.ts";
import { tellOfChange } from "../accounts/audit-actor.ts";
import { PLAYGROUND_KEY } from "../accounts/keys.ts";
import type { Callers } from "../accounts/callers.ts";
import type { OperatorSession, OperatorSessions } from "../accounts/operator-sessions.ts";
import { MAIN_OPERATOR, type Operator, type Operators } from "../accounts/operators.ts";
import { done } from "../api/common-shapes.ts";
import { NotFoundError, UnauthorizedError } from "../api/errors.ts";
import { API_KEY, DAY, KEY_ID, LATER, success, TEAM_ID, WEEK_LATER } from "../api/example-values.ts";
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

/** Cookies know hosts, not ports: two services on one host would log each other out. */
export function sessionCookieAt(host: string): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? "pergamon_session" : `pergamon_session_${port}`;
}

/** `POST /admin/session` takes the operator's key, or the token of a login link. */
const LogInRequest = () =>
  z.union([
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
  name: z.string().nullable(),
});

/** A person with an operator key of their own. */
const OperatorEntry = lazy(() =>
  z.strictObject({
    id: Id,
    name: z.string().min(1).max(200),
    role: z.enum(["admin", "viewer"]),
    createdAt: Time,
  }),
);
const OperatorsAnswer = () => answerOf(z.array(OperatorEntry()));
const NewOperator = () => OperatorEntry().pick({ name: true, role: true });

/** `POST` and `GET /admin/session` answer with facts that every dashboard page needs. */
export const SessionAnswer = answerOf(
  z.strictObject({
    session: Session.nullable(),
    operator: z.strictObject({
      name: z.string().nullable(),
      role: z.enum(["admin", "viewer", "team"]),
      teamId: Id.nullable(),
    }),
    auth: z.enum(["open", "keys"]),
    version: z.string(),
    defaultTeamId: Id,
    creditPrice: z.strictObject({ amount: z.number(), currency: z.string() }).nullable(),
    baseUrl: z.string(),
    kinds: z.array(z.strictObject({ name: z.string(), title: z.string(), endpoint: z.string() })),
  }),
);

/** `GET /admin/api/logins`, newest first. */
export const LoginsAnswer = () => answerOf(z.array(Session));

const PlaygroundKeyRequest = () => z.strictObject({ teamId: Id.max(100) });

/** A key for the playground, which belongs to the team. */
const PlaygroundKeyAnswer = () =>
  z.strictObject({
    success: Success,
    apiKey: z.string(),
    expiresAt: Time,
  });

type LogInRequest = z.output<ReturnType<typeof LogInRequest>>;
export type SessionAnswer = z.output<typeof SessionAnswer>;
export type OperatorsAnswer = z.output<ReturnType<typeof OperatorsAnswer>>;
export type LoginsAnswer = z.output<ReturnType<typeof LoginsAnswer>>;
type PlaygroundKeyAnswer = z.output<ReturnType<typeof PlaygroundKeyAnswer>>;

const shownSession = {
  sessionId: "019a1feb-0000-7000-8000-000000000004",
  isOwn: true,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: WEEK_LATER,
  address: "192.0.2.1",
  name: "Ada",
  userAgent: "Mozilla/5.0",
};

const operatorLogin = defineShape("OperatorLogin", SessionAnswer, {
  success,
  data: {
    session: shownSession,
    operator: { name: "Ada", role: "admin", teamId: null },
    auth: "keys",
    version: "1.0.0",
    defaultTeamId: "default",
    creditPrice: { amount: 0.002, currency: "EUR" },
    baseUrl: "https://scrape.test",
    kinds: [{ name: "batch_scrape", title: "Batch scrape", endpoint: "batch" }],
  },
});

export interface LoginServices {
  readonly sessions: OperatorSessions;
  readonly tries: LoginTries;
  readonly stream: EventStream;
  readonly adminKey: AdminKey;
  readonly operators: Operators;
  readonly callers: Callers;
  readonly administration: Administration;
  readonly about: Omit<SessionAnswer["data"], "session" | "operator" | "baseUrl">;
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
    const operator = await requireCredentials(call, services);
    succeeded();
    const userAgent = (headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_LENGTH);
    const { secret, session } = await services.sessions.start({ address, userAgent, operator });
    log.info(
      { requestId: id, address, sessionId: session.id, name: operator.name },
      "An operator logged in.",
    );
    setCookie(call, secret);
    return describe(call, { session, operator }, services);
  },
});

const current = defineOperation({
  ...forOperator,
  line: "GET /admin/session",
  least: "team",
  answer: operatorLogin,
  handle: (call, services: LoginServices) =>
    describe(call, { session: call.operatorSession, operator: call.operator }, services),
});

const logout = defineOperation({
  ...forOperator,
  line: "DELETE /admin/session",
  least: "team",
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

const listOperators = defineOperation({
  ...forOperator,
  line: "GET /admin/api/operators",
  answer: defineShape("Operators", OperatorsAnswer, {
    success,
    data: [{ id: KEY_ID, name: "Ada", role: "admin", createdAt: DAY }],
  }),
  async handle(_call, { operators }: LoginServices) {
    const found = await operators.list();
    const data = found.map(({ createdAtMs, ...entry }) => ({ ...entry, createdAt: iso(createdAtMs) }));
    return { success: true, data };
  },
});

const addOperator = defineOperation({
  ...forOperator,
  line: "POST /admin/api/operators",
  audit: "operator.added",
  tells: ["name", "role"],
  body: defineShape("NewOperator", NewOperator, { name: "Ada", role: "viewer" }),
  answer: defineShape("MadeOperator", () => z.strictObject({ success: Success, id: Id, key: z.string() }), {
    success,
    id: KEY_ID,
    key: "po-0123456789abcdef0123456789abcdef0123456789abcdef",
  }),
  async handle({ body }, { operators }: LoginServices) {
    return { success: true, ...(await operators.add(body)) };
  },
});

const removeOperator = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/operators/{id}",
  audit: "operator.removed",
  answer: done,
  errors: [404],
  async handle({ params: { id } }, services: LoginServices) {
    const logins = await services.sessions.list();
    const person = (await services.operators.list()).find((one) => one.id === id);
    tellOfChange({ name: person?.name });
    if (!(await services.operators.remove(id))) throw new NotFoundError("Operator not found.");
    for (const session of logins) if (session.operator.id === id) await end(session.id, services);
    return { success: true };
  },
});

export const loginOperations = [
  current,
  logout,
  list,
  ending,
  playgroundKey,
  listOperators,
  addOperator,
  removeOperator,
];

async function end(id: string, { sessions, stream }: LoginServices): Promise<boolean> {
  const isEnded = await sessions.end(id);
  stream.endSession(id);
  return isEnded;
}

/** @throws UnauthorizedError for a wrong key, and for a link that was used or has expired. */
async function requireCredentials(
  { body: given, log, id, ip: address }: LogInCall,
  services: LoginServices,
): Promise<Operator> {
  const found =
    "key" in given
      ? await ownerOf(given.key, services)
      : (await services.sessions.useLoginToken(given.token)) && MAIN_OPERATOR;
  if (found) return found;
  log.warn({ requestId: id, address }, "An operator login failed.");
  throw new UnauthorizedError(
    "key" in given
      ? "Unauthorized: invalid operator key."
      : "Unauthorized: this login link has already been used, or is older than 10 minutes. To create a new one, run: npx pergamon dashboard",
  );
}

/** A key of a team opens its page, unless it is restricted: then it is for its purpose alone. */
async function ownerOf(
  key: string,
  { adminKey, operators, callers }: LoginServices,
): Promise<Operator | undefined> {
  if (adminKey.isValid(key)) return MAIN_OPERATOR;
  const person = await operators.find(key);
  if (person) return person;
  const { teamId, keyId, team, restrictions } = (await callers.byKey(key)) ?? {};
  if (teamId === undefined || keyId === undefined || team?.flags.banned) return undefined;
  if (restrictions?.endpoints || restrictions?.formats || restrictions?.banned || restrictions?.allowedIps)
    return undefined;
  return { id: keyId, name: null, role: "team", teamId };
}

/**
 * `SameSite=Strict` keeps the cookie from requests of other sites. Its path limits it to the operator's
 * interface.
 */
function setCookie(call: Call, secret: string | undefined): void {
  const isSecure = call.origin.startsWith("https:") || call.publicUrl?.startsWith("https:");
  const parts = [
    `${sessionCookieAt(new URL(call.origin).host)}=${secret ?? ""}`,
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
  { session, operator }: { readonly session: OperatorSession | undefined; readonly operator: Operator },
  { about }: LoginServices,
): SessionAnswer {
  const shown = session ? showSession(session, session) : null;
  const { name, role, teamId } = operator;
  const data = { ...about, session: shown, operator: { name, role, teamId }, baseUrl: publicUrl ?? origin };
  return { success: true, data };
}

function showSession(session: OperatorSession, own: OperatorSession | undefined) {
  return {
    sessionId: session.id,
    isOwn: session.id === own?.id,
    createdAt: iso(session.createdAtMs),
    lastUsedAt: iso(session.lastUsedAtMs),
    expiresAt: iso(session.expiresAtMs),
    address: session.address,
    name: session.operator.name,
    userAgent: session.userAgent,
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
