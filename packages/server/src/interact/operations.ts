import { ServiceError } from "../api/errors.ts";
import { DAY, scrapeIdPart, SESSION_ID, sessionIdPart, success } from "../api/example-values.ts";
import type { Interact } from "./interact.ts";
import type { CodeResult } from "./languages/code-runner.ts";
import type { Session, SessionEnd } from "./session.ts";
import type { SessionStatus } from "./sessions.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { TeamCall } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import { z } from "zod";
import {
  BrowserAnswer,
  BrowserRequest,
  ExecuteAnswer,
  ExecuteRequest,
  InteractAnswer,
  InteractRequest,
  SessionAnswer,
  SessionEndAnswer,
  SessionsAnswer,
  sessionStatuses,
} from "../api/interact.ts";
import { defineShape } from "../api/operation-shape.ts";

const views = {
  cdpUrl: "ws://127.0.0.1:3002/cdp/4k1c…",
  liveViewUrl: "http://127.0.0.1:3002/live/8Zr0…",
  interactiveLiveViewUrl: "http://127.0.0.1:3002/live/Lq3x…",
};
const outcome = { stdout: "", result: "Example Domain", stderr: "", exitCode: 0, killed: false };
const sessionExample = {
  id: SESSION_ID,
  status: "active",
  ...views,
  streamWebView: true,
  createdAt: DAY,
  lastActivity: DAY,
};

const interactRequest = defineShape("InteractRequest", InteractRequest, {
  code: "await page.title()",
});
const browserRequest = defineShape("BrowserRequest", BrowserRequest, {
  ttl: 600,
  profile: { name: "shop" },
});
const executeRequest = defineShape("ExecuteRequest", ExecuteRequest, {
  code: "await page.goto('https://example.com'); await page.title()",
});
const interactAnswer = defineShape("InteractAnswer", InteractAnswer, {
  success,
  sessionId: SESSION_ID,
  ...views,
  ...outcome,
});
const sessionEnd = defineShape("SessionEnd", SessionEndAnswer, {
  success,
  status: "destroyed",
  sessionDurationMs: 90_000,
  creditsBilled: 3,
  cleanupQueued: true,
});
const openedSession = defineShape("Browser", BrowserAnswer, {
  success,
  id: SESSION_ID,
  ...views,
  expiresAt: DAY,
});
const oneSession = defineShape("Session", SessionAnswer, { success, ...sessionExample });
const allSessions = defineShape("Sessions", SessionsAnswer, { success, sessions: [sessionExample] });
const executed = defineShape("Execute", ExecuteAnswer, { success, ...views, ...outcome });

const SessionsQuery = z.object({
  status: z
    .enum(sessionStatuses)
    .optional()
    .describe("Return only sessions with this status. Default: all sessions of the last day."),
});

/** Loads the sessions with the first call. */
type LoadInteract = () => Promise<Interact>;

const OPENING = [402, 408, 409, 500, 502, 503];
const RUNNING = [402, 404, 408, 410, 502, 503];

const interactWithScrape = defineOperation({
  line: "POST /v2/scrape/{id}/interact",
  tag: "Sessions",
  summary: "Interact with a scraped page, by code or prompt",
  description:
    "Opens the page of an earlier scrape again, and runs code or a task in natural language on it. It stays open for further calls.",
  endpoint: "interact",
  rate: "scrape",
  params: { id: scrapeIdPart },
  body: interactRequest,
  answer: interactAnswer,
  errors: [...new Set([...OPENING, ...RUNNING])],
  permit: ({ params }) => refuseOtherIds(params.id),
  async handle(call, load: LoadInteract) {
    const { id } = call.params;
    const interact = await prepare(call, load);
    const context = { caller: call.caller, signal: call.signal };
    const { session, result } = await interact.onScrape(id, call.body, context);
    return {
      success: result.exitCode === 0 && !result.killed,
      sessionId: session.facts.id,
      ...viewsOf(session, call.linkBase),
      ...(result.output !== undefined && { output: result.output }),
      ...outcomeOf(result),
    };
  },
});

const endOfScrape = defineOperation({
  line: "DELETE /v2/scrape/{id}/interact",
  tag: "Sessions",
  summary: "End the browser session of a scraped page",
  endpoint: "interact",
  params: { id: scrapeIdPart },
  answer: sessionEnd,
  errors: [400, 404, 502],
  permit: ({ params }) => refuseOtherIds(params.id),
  async handle(call, load: LoadInteract) {
    const { sessions } = await prepare(call, load);
    const end = await sessions.endOfScrape(call.params.id, call.caller);
    return { ...endAnswer(end), cleanupQueued: true as const };
  },
});

type SessionPath = "/v2/browser" | "/v2/interact";

const open = (path: SessionPath) =>
  defineOperation({
    line: `POST ${path}`,
    tag: "Sessions",
    summary: "Open a browser session",
    endpoint: "interact",
    rate: "scrape",
    body: browserRequest,
    answer: openedSession,
    errors: OPENING,
    async handle(call, load: LoadInteract) {
      const { ttl, activityTtl, profile, streamWebView: streams } = call.body;
      const { sessions } = await prepare(call, load);
      const life = { ttlMs: ttl * 1000, idleMs: activityTtl * 1000 };
      const options = { caller: call.caller, ...life, isPrompted: false, profile, streams };
      const session = await sessions.openOwn(options, call.signal);
      const { id, expiresAtMs } = session.facts;
      const expiresAt = new Date(expiresAtMs).toISOString();
      return { success: true, id, ...viewsOf(session, call.linkBase), expiresAt };
    },
  });

const list = (path: SessionPath) =>
  defineOperation({
    line: `GET ${path}`,
    tag: "Sessions",
    summary: "List the browser sessions of the team",
    endpoint: "interact",
    query: SessionsQuery,
    answer: allSessions,
    errors: [400],
    async handle(call, load: LoadInteract) {
      const { sessions } = await prepare(call, load);
      const { linkBase } = call;
      const found = await sessions.list(call.caller, call.query.status);
      return { success: true, sessions: found.map((one) => sessionAnswer(one, linkBase)) };
    },
  });

const read = (path: SessionPath) =>
  defineOperation({
    line: `GET ${path}/{id}`,
    tag: "Sessions",
    summary: "Read a browser session",
    endpoint: "interact",
    params: { id: sessionIdPart },
    answer: oneSession,
    errors: [404],
    async handle(call, load: LoadInteract) {
      const { sessions } = await prepare(call, load);
      const found = await sessions.status(call.params.id, call.caller);
      return { success: true, ...sessionAnswer(found, call.linkBase) };
    },
  });

const execute = (path: SessionPath) =>
  defineOperation({
    line: `POST ${path}/{id}/execute`,
    tag: "Sessions",
    summary: "Run code in a browser session",
    endpoint: "interact",
    rate: "scrape",
    params: { id: sessionIdPart },
    body: executeRequest,
    answer: executed,
    errors: RUNNING,
    async handle(call, load: LoadInteract) {
      const { timeout, ...code } = call.body;
      const interact = await prepare(call, load);
      const session = await interact.sessions.byId(call.params.id, call.caller);
      const result = await interact.execute(session, { ...code, timeoutMs: timeout * 1000 }, call.signal);
      return { success: true, ...viewsOf(session, call.linkBase), ...outcomeOf(result) };
    },
  });

const end = (path: SessionPath) =>
  defineOperation({
    line: `DELETE ${path}/{id}`,
    tag: "Sessions",
    summary: "End a browser session and save its profile",
    endpoint: "interact",
    params: { id: sessionIdPart },
    answer: sessionEnd,
    errors: [404, 502],
    async handle(call, load: LoadInteract) {
      const { sessions } = await prepare(call, load);
      return endAnswer(await sessions.endById(call.params.id, call.caller));
    },
  });

const ownSessions = (path: SessionPath) => [open(path), list(path), read(path), execute(path), end(path)];

/**
 * Operations of sessions on a scraped page, and of sessions without a scrape (contract, sections 3.32 and
 * 3.33).
 */
export const interactOperations = [
  interactWithScrape,
  endOfScrape,
  ...ownSessions("/v2/browser"),
  ...ownSessions("/v2/interact"),
];

/** Nothing of the sessions of a team without retention is logged. */
function prepare(call: TeamCall, load: LoadInteract): Promise<Interact> {
  if (call.caller.team.flags.zeroDataRetention === "forced") call.keepPrivate();
  return load();
}

/** URLs with the tokens of a session. They need no key. */
function viewsOf({ tokens }: Session, base: string) {
  return {
    cdpUrl: `${base.replace(/^http/, "ws")}/cdp/${tokens.cdp}`,
    liveViewUrl: `${base}/live/${tokens.liveView}`,
    interactiveLiveViewUrl: `${base}/live/${tokens.interactiveLiveView}`,
  };
}

function outcomeOf({ stdout, result, stderr, exitCode, killed, truncated, error }: CodeResult) {
  return {
    stdout,
    // Clients show the first of `result` and `stdout` that is present.
    ...((result !== "" || stdout === "") && { result }),
    stderr,
    exitCode,
    killed,
    ...(truncated && { truncated }),
    ...(error !== undefined && { error }),
  };
}

function endAnswer({ durationMs, credits }: SessionEnd) {
  return {
    success: true as const,
    status: "destroyed" as const,
    sessionDurationMs: durationMs,
    creditsBilled: credits,
  };
}

const NO_VIEWS = { cdpUrl: "", liveViewUrl: "", interactiveLiveViewUrl: "" };

function sessionAnswer({ row, live }: SessionStatus, base: string) {
  return {
    id: row.id,
    status: row.state === "opening" ? ("active" as const) : row.state,
    ...(live ? viewsOf(live, base) : NO_VIEWS),
    streamWebView: row.streams === 1,
    createdAt: new Date(row.createdAtMs).toISOString(),
    lastActivity: new Date(live?.lastUsedAtMs ?? row.lastUsedAtMs).toISOString(),
  };
}

function refuseOtherIds(id: string): void {
  if (isUuid(id)) return;
  throw new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}
