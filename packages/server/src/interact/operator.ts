import type { Callers } from "../accounts/callers.ts";
import { possibleElsewhere } from "../api/elsewhere.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { sessionIdPart } from "../api/example-values.ts";
import {
  type BrowserSession,
  endSession,
  listSessions,
  readSession,
  readSessionActivity,
  runInSession,
  type SessionRunAnswer,
  type SessionRunRequest,
  viewSession,
} from "./operator-shapes.ts";
import type { Interact } from "./interact.ts";
import { findSession, type FoundSession, searchSessions } from "./session-search.ts";
import type { Session } from "./session.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import type { Call } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import { Outgoing } from "../api/outgoing.ts";
import type { Database } from "../storage/database/database.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import { pictureHeaders } from "../history/operator/picture-headers.ts";

export interface BrowserSessionServices {
  readonly database: Database;
  readonly callers: Callers;
  readonly interact: {
    load(): Promise<Interact>;
    /** A session that lives in this process. */
    live(id: string): Session | undefined;
  };
}

/** A page that draws nothing for so long has no picture. */
const PICTURE_LIMIT_MS = 5000;

const list = defineOperation({
  ...listSessions,
  async handle({ query: { team: teamId, ...filter } }, services: BrowserSessionServices) {
    const { data, cursor } = await searchSessions(services.database, { teamId, ...filter });
    return { success: true, data: data.map((row) => showSession(row, services)), cursor };
  },
});

const read = defineOperation({
  ...readSession,
  async handle({ params: { id } }, services: BrowserSessionServices) {
    return { success: true, data: showSession(await sessionNamed(id, services), services) };
  },
});

const picture = defineOperation({
  line: "GET /admin/api/sessions/{id}/picture.jpg",
  access: "operator",
  tag: "Operator",
  summary: "Get a screenshot of the page of a session",
  params: { id: sessionIdPart },
  answer: { contentType: "image/jpeg", isBinary: true, example: "JPEG" },
  errors: [404, 410, 502],
  async handle({ params: { id }, signal: gone }, services: BrowserSessionServices) {
    const { browser } = await liveSession(id, services);
    const { oneFrame } = await import("@pergamon-dev/browser/screencast/one-frame");
    const nothing = () => new NotFoundError("The page of this session has not rendered within 5 seconds.");
    const { signal, clear } = startDeadline(PICTURE_LIMIT_MS, nothing, gone);
    const { jpeg } = await oneFrame(browser.screencast, signal).finally(clear);
    const headers = { ...pictureHeaders, "cache-control": "no-store" };
    return new Outgoing(jpeg, { type: "image/jpeg", headers });
  },
});

const view = defineOperation({
  ...viewSession,
  async handle({ params: { id }, body: { isInteractive } }, services: BrowserSessionServices) {
    const { tokens } = await liveSession(id, services);
    const token = isInteractive ? tokens.interactiveLiveView : tokens.liveView;
    return { success: true, data: { path: `/live/${token}` } };
  },
});

const activity = defineOperation({
  ...readSessionActivity,
  async handle({ params: { id } }, services: BrowserSessionServices) {
    const { browser, steps, caller } = await liveSession(id, services);
    const isPrivate = caller.team.flags.zeroDataRetention === "forced";
    const url = browser.pageUrl();
    return {
      success: true,
      data: {
        url: url === undefined || isPrivate ? null : maskUrl(url),
        clients: browser.confined.clients,
        viewers: browser.screencast.viewers,
        steps: steps.latest.map(({ startedAtMs, by = null, durationMs = null, problem = null, ...step }) => ({
          ...step,
          by,
          durationMs,
          problem,
          startedAt: iso(startedAtMs),
        })),
      },
    };
  },
});

const run = defineOperation({
  ...runInSession,
  async handle(call, services: BrowserSessionServices) {
    const session = await liveSession(call.params.id, services);
    if (session.caller.team.flags.zeroDataRetention === "forced") call.keepPrivate();
    return { success: true, data: await runIn(session, call, services) };
  },
});

const end = defineOperation({
  ...endSession,
  async handle({ params: { id } }, services: BrowserSessionServices) {
    const { teamId } = await sessionNamed(id, services);
    const { sessions } = await services.interact.load();
    return { success: true, data: await sessions.endById(id, await services.callers.ofTeam(teamId)) };
  },
});

/** Browsers that stay open between calls: whose they are, what they show, and an operator's hand in them. */
export const browserSessionOperations = [list, read, activity, picture, view, run, end];

/** Runs code or a prompt in a session. */
async function runIn(
  session: Session,
  { body: { timeout, ...work }, signal }: Pick<Call, "signal"> & { readonly body: SessionRunRequest },
  { interact }: BrowserSessionServices,
): Promise<SessionRunAnswer["data"]> {
  const runner = await interact.load();
  const startedAtMs = performance.now();
  const timeoutMs = timeout * 1000;
  const done =
    "code" in work
      ? { ...(await runner.execute(session, { ...work, timeoutMs }, signal)), output: null }
      : await runner.prompt(session, { ...work, timeoutMs }, signal);
  const { stdout, stderr, result, output, exitCode, killed, truncated, error = null } = done;
  const durationMs = Math.round(performance.now() - startedAtMs);
  return { stdout, stderr, result, output, exitCode, killed, truncated, error, durationMs };
}

async function sessionNamed(id: string, { database }: BrowserSessionServices): Promise<FoundSession> {
  const found = await findSession(database, id);
  if (!found) throw new NotFoundError("Session not found. Sessions are listed for one day after their end.");
  return found;
}

/** @throws NotFoundError; ServiceError when it has ended, or lives in another process. */
async function liveSession(id: string, services: BrowserSessionServices): Promise<Session> {
  const live = services.interact.live(id);
  if (live) return live;
  const { state, process } = await sessionNamed(id, services);
  if (state !== "active") throw new ServiceError("SESSION_DESTROYED");
  const message = "This session runs in another process of the service. View it there.";
  throw possibleElsewhere(new ServiceError("CODE_NOT_RUN", { message }), process);
}

function showSession(row: FoundSession, { interact }: BrowserSessionServices): BrowserSession {
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
