import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Callers } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../contract/errors.ts";
import {
  type BrowserSession,
  type BrowserSessionAnswer,
  BrowserSessionQuery,
  type BrowserSessionsAnswer,
  type SessionEndedAnswer,
  type SessionRunAnswer,
  SessionRunRequest,
  type SessionViewAnswer,
  SessionViewRequest,
} from "../contract/operator/browser-sessions.ts";
import type { Interact } from "../interact/interact.ts";
import { findSession, type FoundSession, searchSessions } from "../interact/session-search.ts";
import type { Session } from "../interact/session.ts";
import { startDeadline } from "../kit/deadline.ts";
import type { Database } from "../platform/database/database.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import { viewerGone } from "./viewer-gone.ts";

export interface BrowserSessionRoutes {
  readonly database: Database;
  readonly callers: Callers;
  readonly interact: {
    load(): Promise<Interact>;
    /** A session that lives in this process. */
    live(id: string): Session | undefined;
  };
}

interface WithId {
  Params: { id: string };
}

/** A page that draws nothing for so long has no picture. */
const PICTURE_LIMIT_MS = 5000;

/** Browsers that stay open between calls: whose they are, what they show, and an operator's hand in them. */
export function addBrowserSessionRoutes(app: FastifyInstance, routes: BrowserSessionRoutes): void {
  addListRoutes(app, routes);
  addUseRoutes(app, routes);

  app.delete<WithId>("/admin/api/sessions/:id", async ({ params: { id } }): Promise<SessionEndedAnswer> => {
    const { teamId } = await sessionNamed(id, routes);
    const { sessions } = await routes.interact.load();
    return { success: true, data: await sessions.endById(id, await routes.callers.ofTeam(teamId)) };
  });
}

function addListRoutes(app: FastifyInstance, routes: BrowserSessionRoutes): void {
  app.get("/admin/api/sessions", async ({ query }): Promise<BrowserSessionsAnswer> => {
    const { team: teamId, ...filter } = BrowserSessionQuery.parse(query);
    const { data, cursor } = await searchSessions(routes.database, { teamId, ...filter });
    return { success: true, data: data.map((row) => showSession(row, routes)), cursor };
  });

  app.get<WithId>("/admin/api/sessions/:id", async ({ params }): Promise<BrowserSessionAnswer> => {
    return { success: true, data: showSession(await sessionNamed(params.id, routes), routes) };
  });

  app.get<WithId>("/admin/api/sessions/:id/picture.jpg", async ({ params }, reply) => {
    const { browser } = await liveSession(params.id, routes);
    const { oneFrame } = await import("../platform/browser/screencast/one-frame.ts");
    const nothing = () => new NotFoundError("The page of this session has shown nothing for 5 seconds.");
    const { signal, clear } = startDeadline(PICTURE_LIMIT_MS, nothing, viewerGone(reply));
    const { jpeg } = await oneFrame(browser.screencast, signal).finally(clear);
    return reply
      .header("content-security-policy", "default-src 'none'")
      .header("x-content-type-options", "nosniff")
      .header("cross-origin-resource-policy", "same-origin")
      .header("cache-control", "no-store")
      .type("image/jpeg")
      .send(jpeg);
  });
}

function addUseRoutes(app: FastifyInstance, routes: BrowserSessionRoutes): void {
  app.post<WithId>("/admin/api/sessions/:id/view", async ({ params, body }): Promise<SessionViewAnswer> => {
    const { isInteractive } = SessionViewRequest.parse(body ?? {});
    const { tokens } = await liveSession(params.id, routes);
    const token = isInteractive ? tokens.interactiveLiveView : tokens.liveView;
    return { success: true, data: { path: `/live/${token}` } };
  });

  app.post<WithId>("/admin/api/sessions/:id/run", async (request, reply): Promise<SessionRunAnswer> => {
    const session = await liveSession(request.params.id, routes);
    return { success: true, data: await run(session, { request, reply }, routes) };
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Runs code or a prompt in a session. Nothing of one of a team without retention is told in the log. */
async function run(
  session: Session,
  { request, reply }: Exchange,
  { interact }: BrowserSessionRoutes,
): Promise<SessionRunAnswer["data"]> {
  request.isPrivate = session.caller.team.flags.zeroDataRetention === "forced";
  const { timeout, ...work } = SessionRunRequest.parse(request.body);
  const runner = await interact.load();
  const startedAtMs = performance.now();
  const [timeoutMs, signal] = [timeout * 1000, viewerGone(reply)];
  const done =
    "code" in work
      ? { ...(await runner.execute(session, { ...work, timeoutMs }, signal)), output: null }
      : await runner.prompt(session, { ...work, timeoutMs }, signal);
  const { stdout, stderr, result, output, exitCode, killed, truncated, error = null } = done;
  const durationMs = Math.round(performance.now() - startedAtMs);
  return { stdout, stderr, result, output, exitCode, killed, truncated, error, durationMs };
}

async function sessionNamed(id: string, { database }: BrowserSessionRoutes): Promise<FoundSession> {
  const found = await findSession(database, id);
  if (!found) throw new NotFoundError("Session not found. Sessions are kept for a day after their end.");
  return found;
}

/** @throws NotFoundError; ServiceError when it has ended, or lives in another process. */
async function liveSession(id: string, routes: BrowserSessionRoutes): Promise<Session> {
  const live = routes.interact.live(id);
  if (live) return live;
  const { state } = await sessionNamed(id, routes);
  if (state !== "active") throw new ServiceError("SESSION_DESTROYED");
  const message = "This session belongs to another process of the service: look at it there.";
  throw new ServiceError("CODE_NOT_RUN", { message });
}

function showSession(row: FoundSession, { interact }: BrowserSessionRoutes): BrowserSession {
  const live = interact.live(row.id);
  return {
    id: row.id,
    teamId: row.teamId,
    keyId: row.keyId,
    scrapeId: row.scrapeId,
    url: row.url === null ? null : maskUrl(row.url),
    state: row.state === "opening" ? "active" : row.state,
    isHere: live !== undefined,
    isPrompted: row.prompted === 1,
    viewers: live?.browser.screencast.viewers ?? 0,
    createdAt: iso(row.createdAtMs),
    lastUsedAt: iso(live?.lastUsedAtMs ?? row.lastUsedAtMs),
    expiresAt: iso(row.expiresAtMs),
    endedAt: row.endedAtMs === null ? null : iso(row.endedAtMs),
    endReason: row.reason,
    credits: live?.price ?? row.credits,
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
