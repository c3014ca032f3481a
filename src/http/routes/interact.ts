import type { FastifyInstance, FastifyRequest } from "fastify";

import { ServiceError } from "../../contract/errors.ts";
import { BrowserRequest, ExecuteRequest, InteractRequest } from "../../contract/interact.ts";
import type { Interact } from "../../interact/interact.ts";
import type { Session, SessionEnd } from "../../interact/session.ts";
import type { CodeResult } from "../../interact/languages/code-runner.ts";
import type { SessionStatus } from "../../interact/sessions.ts";
import { isUuid } from "../../kit/uuid.ts";
import { clientGone } from "../client-gone.ts";
import { linkBase } from "../link-base.ts";
import { SessionsQuery } from "../queries.ts";

export interface InteractRoutes {
  /** Loaded with the first call. */
  readonly interact: () => Promise<Interact>;
  /** What links to this service begin with; undefined: what the client calls it. */
  readonly publicUrl: string | undefined;
}

interface WithId {
  Params: { id: string };
}

/** Sessions on a scraped page, and sessions of their own (contract, sections 3.32 and 3.33). */
export function addInteractRoutes(app: FastifyInstance, routes: InteractRoutes): void {
  addScrapeSessions(app, routes);
  for (const path of ["/v2/browser", "/v2/interact"]) addOwnSessions(app, path, routes);
}

const config = { endpoint: "interact" } as const;
const worksConfig = { endpoint: "interact", counts: "scrape" } as const;

function addScrapeSessions(app: FastifyInstance, routes: InteractRoutes): void {
  const path = "/v2/scrape/:id/interact";

  app.post<WithId>(path, { config: worksConfig }, async (request, reply) => {
    const { id } = request.params;
    refuseOtherIds(id);
    const body = InteractRequest.parse(request.body);
    const interact = await prepare(request, routes);
    const context = { caller: request.caller, signal: clientGone(reply) };
    const { session, result } = await interact.onScrape(id, body, context);
    return {
      success: result.exitCode === 0 && !result.killed,
      sessionId: session.facts.id,
      ...viewsOf(session, linkBase(request, reply, routes.publicUrl)),
      ...(result.output !== undefined && { output: result.output }),
      ...outcomeOf(result),
    };
  });

  app.delete<WithId>(path, { config }, async (request) => {
    refuseOtherIds(request.params.id);
    const { sessions } = await prepare(request, routes);
    const end = await sessions.endOfScrape(request.params.id, request.caller);
    return { ...endAnswer(end), cleanupQueued: true };
  });
}

function addOwnSessions(app: FastifyInstance, path: string, routes: InteractRoutes): void {
  app.post(path, { config: worksConfig }, async (request, reply) => {
    const { ttl, activityTtl, profile, streamWebView: streams } = BrowserRequest.parse(request.body ?? {});
    const { sessions } = await prepare(request, routes);
    const life = { ttlMs: ttl * 1000, idleMs: activityTtl * 1000 };
    const wish = { caller: request.caller, ...life, isPrompted: false, profile, streams };
    const session = await sessions.openOwn(wish, clientGone(reply));
    const { id, expiresAtMs } = session.facts;
    const views = viewsOf(session, linkBase(request, reply, routes.publicUrl));
    return { success: true, id, ...views, expiresAt: new Date(expiresAtMs).toISOString() };
  });

  app.get(path, { config }, async (request, reply) => {
    const { status } = SessionsQuery.parse(request.query);
    const { sessions } = await prepare(request, routes);
    const base = linkBase(request, reply, routes.publicUrl);
    const found = await sessions.list(request.caller, status);
    return { success: true, sessions: found.map((one) => sessionAnswer(one, base)) };
  });

  app.get<WithId>(`${path}/:id`, { config }, async (request, reply) => {
    const { sessions } = await prepare(request, routes);
    const found = await sessions.status(request.params.id, request.caller);
    return { success: true, ...sessionAnswer(found, linkBase(request, reply, routes.publicUrl)) };
  });

  app.post<WithId>(`${path}/:id/execute`, { config: worksConfig }, async (request, reply) => {
    const { timeout, ...code } = ExecuteRequest.parse(request.body);
    const interact = await prepare(request, routes);
    const session = await interact.sessions.byId(request.params.id, request.caller);
    const result = await interact.execute(session, { ...code, timeoutMs: timeout * 1000 }, clientGone(reply));
    const views = viewsOf(session, linkBase(request, reply, routes.publicUrl));
    return { success: true, ...views, ...outcomeOf(result) };
  });

  app.delete<WithId>(`${path}/:id`, { config }, async (request) => {
    const { sessions } = await prepare(request, routes);
    return endAnswer(await sessions.endById(request.params.id, request.caller));
  });
}

/** Nothing that runs in sessions of a team without retention is told in the log. */
function prepare(request: FastifyRequest, { interact }: InteractRoutes): Promise<Interact> {
  request.isPrivate = request.caller.team.flags.zeroDataRetention === "forced";
  return interact();
}

/** Addresses with the tokens of a session, which need no key. */
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
    result,
    stderr,
    exitCode,
    killed,
    ...(truncated && { truncated }),
    ...(error !== undefined && { error }),
  };
}

function endAnswer({ durationMs, credits }: SessionEnd) {
  return {
    success: true,
    status: "destroyed",
    sessionDurationMs: durationMs,
    creditsBilled: credits,
  };
}

const NO_VIEWS = { cdpUrl: "", liveViewUrl: "", interactiveLiveViewUrl: "" };

function sessionAnswer({ row, live }: SessionStatus, base: string) {
  return {
    id: row.id,
    status: row.state,
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
