import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { tellOfChange } from "../accounts/audit-actor.ts";
import type { Callers } from "../accounts/callers.ts";
import { possibleElsewhere } from "../api/elsewhere.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { DAY, lastPage, LATER, SCRAPE_ID, SESSION_ID, success, TEAM_ID } from "../api/example-values.ts";
import { ExecuteRequest } from "../api/interact.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import {
  answerOf,
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  TeamQuery,
  Time,
} from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
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

const State = z.enum(["active", "destroyed", "error"]);

/** `GET /admin/api/sessions`, newest first. */
const BrowserSessionQuery = z.object({
  team: TeamQuery,
  state: State.optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

export const BrowserSession = lazy(() =>
  z.strictObject({
    id: Id,
    teamId: Id,
    keyId: Id.nullable(),
    scrapeId: Id.nullable(),
    url: z.string().nullable(),
    state: State,
    isHere: z.boolean(),
    isPrompted: z.boolean(),
    viewers: Count,
    createdAt: Time,
    lastUsedAt: Time,
    expiresAt: Time,
    endedAt: Time.nullable(),
    endReason: z
      .enum([
        "stopped",
        "expired",
        "idle",
        "browser-lost",
        "credits",
        "revoked",
        "shutdown",
        "crashed",
        "lost",
      ])
      .nullable(),
    credits: z.number().min(0).nullable(),
  }),
);

export const BrowserSessionsAnswer = () => pageOf(BrowserSession());

/** `GET /admin/api/sessions/{id}`. */
export const BrowserSessionAnswer = () => answerOf(BrowserSession());

const SessionStep = lazy(() =>
  z.strictObject({
    number: Count,
    kind: z.enum(["node", "python", "bash", "prompt"]),
    by: z.string().nullable(),
    text: z.string(),
    startedAt: Time,
    durationMs: Count.nullable(),
    problem: z.string().nullable(),
  }),
);

export const SessionActivityAnswer = () =>
  answerOf(
    z.strictObject({
      url: z.string().nullable(),
      clients: Count,
      viewers: Count,
      steps: z.array(SessionStep()),
    }),
  );
export type SessionActivityAnswer = z.output<ReturnType<typeof SessionActivityAnswer>>;

/** `POST /admin/api/sessions/{id}/view` answers with the URL of a page that shows the browser. */
const SessionViewRequest = () =>
  z.strictObject({
    isInteractive: z.boolean().default(false),
  });
export const SessionViewAnswer = () =>
  answerOf(
    z.strictObject({
      path: z.string(),
    }),
  );

/** `POST /admin/api/sessions/{id}/run` works like the team's own call, and the team pays for it. */
const SessionRunRequest = () =>
  z.union([
    ExecuteRequest().pick({ code: true, language: true, timeout: true }).strict(),
    z.strictObject({
      prompt: z.string().min(1).max(limits.promptLength),
      timeout: ExecuteRequest().shape.timeout,
    }),
  ]);

export const SessionRunAnswer = () =>
  answerOf(
    z.strictObject({
      stdout: z.string(),
      stderr: z.string(),
      result: z.string(),
      output: z.string().nullable(),
      exitCode: z.int(),
      killed: z.boolean(),
      truncated: z.boolean(),
      error: z.string().nullable(),
      durationMs: Count,
    }),
  );

/** `DELETE /admin/api/sessions/{id}`. */
export const SessionEndedAnswer = () =>
  answerOf(z.strictObject({ durationMs: Count, credits: z.number().min(0) }));

export type BrowserSession = z.output<ReturnType<typeof BrowserSession>>;
export type BrowserSessionsAnswer = z.output<ReturnType<typeof BrowserSessionsAnswer>>;
export type BrowserSessionAnswer = z.output<ReturnType<typeof BrowserSessionAnswer>>;
export type SessionViewAnswer = z.output<ReturnType<typeof SessionViewAnswer>>;
type SessionRunRequest = z.output<ReturnType<typeof SessionRunRequest>>;
export type SessionRunAnswer = z.output<ReturnType<typeof SessionRunAnswer>>;
export type SessionEndedAnswer = z.output<ReturnType<typeof SessionEndedAnswer>>;

const browserSession = {
  id: SESSION_ID,
  teamId: TEAM_ID,
  keyId: null,
  scrapeId: SCRAPE_ID,
  url: "https://example.com/",
  state: "active",
  isHere: true,
  isPrompted: false,
  viewers: 1,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: LATER,
  endedAt: null,
  endReason: null,
  credits: 2,
};

export interface BrowserSessionServices {
  readonly database: Database;
  readonly callers: Callers;
  readonly interact: {
    load(): Promise<Interact>;
    /** A session of this process. */
    live(id: string): Session | undefined;
  };
}

/** A page that draws nothing within this time has no picture. */
const PICTURE_LIMIT_MS = 5000;

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/sessions",
  query: BrowserSessionQuery,
  answer: defineShape("OperatorSessions", BrowserSessionsAnswer, { ...lastPage, data: [browserSession] }),
  errors: [400],
  async handle({ query: { team: teamId, ...filter } }, services: BrowserSessionServices) {
    const { data, cursor } = await searchSessions(services.database, { teamId, ...filter });
    return { success: true, data: data.map((row) => showSession(row, services)), cursor };
  },
});

const read = defineOperation({
  ...forOperator,
  line: "GET /admin/api/sessions/{id}",
  answer: defineShape("OperatorSession", BrowserSessionAnswer, { success, data: browserSession }),
  errors: [404],
  async handle({ params: { id } }, services: BrowserSessionServices) {
    return { success: true, data: showSession(await sessionNamed(id, services), services) };
  },
});

const picture = defineOperation({
  line: "GET /admin/api/sessions/{id}/picture.jpg",
  access: "operator",
  tag: "Operator",
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
  ...forOperator,
  line: "POST /admin/api/sessions/{id}/view",
  audit: "session.viewed",
  tells: ["isInteractive"],
  body: defineShape("SessionViewRequest", SessionViewRequest, { isInteractive: true }),
  answer: defineShape("SessionView", SessionViewAnswer, {
    success,
    data: { path: "/live/q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k" },
  }),
  errors: [404, 410, 502],
  async handle({ params: { id }, body: { isInteractive } }, services: BrowserSessionServices) {
    const { tokens } = await liveSession(id, services);
    const token = isInteractive ? tokens.interactiveLiveView : tokens.liveView;
    return { success: true, data: { path: `/live/${token}` } };
  },
});

const activity = defineOperation({
  ...forOperator,
  line: "GET /admin/api/sessions/{id}/activity",
  answer: defineShape("SessionActivity", SessionActivityAnswer, {
    success,
    data: {
      url: "https://example.com/results",
      clients: 1,
      viewers: 1,
      steps: [
        {
          number: 1,
          kind: "node",
          by: null,
          text: "await page.title()",
          startedAt: DAY,
          durationMs: 12,
          problem: null,
        },
      ],
    },
  }),
  errors: [404, 410, 502],
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
  ...forOperator,
  line: "POST /admin/api/sessions/{id}/run",
  audit: "session.ran",
  tells: ["language", "code", "prompt"],
  body: defineShape("SessionRunRequest", SessionRunRequest, {
    code: "await page.title()",
    language: "node",
    timeout: 30,
  }),
  answer: defineShape("SessionRun", SessionRunAnswer, {
    success,
    data: {
      stdout: "",
      stderr: "",
      result: "Example Domain",
      output: null,
      exitCode: 0,
      killed: false,
      truncated: false,
      error: null,
      durationMs: 12,
    },
  }),
  errors: [402, 404, 408, 410, 429, 502, 503],
  async handle(call, services: BrowserSessionServices) {
    const session = await liveSession(call.params.id, services);
    if (session.caller.team.flags.zeroDataRetention === "forced") call.keepPrivate();
    return { success: true, data: await runIn(session, call, services) };
  },
});

const end = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/sessions/{id}",
  audit: "session.ended",
  answer: defineShape("SessionEnded", SessionEndedAnswer, {
    success,
    data: { durationMs: 61_000, credits: 3 },
  }),
  errors: [404, 502],
  async handle({ params: { id } }, services: BrowserSessionServices) {
    const { teamId } = await sessionNamed(id, services);
    const { sessions } = await services.interact.load();
    return { success: true, data: await sessions.endById(id, await services.callers.ofTeam(teamId)) };
  },
});

/** Operations on browser sessions: list, read, watch, use and end them. */
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
  tellOfChange({ teamId: found.teamId });
  return found;
}

/** @throws NotFoundError; ServiceError when the session has ended, or runs in another process. */
async function liveSession(id: string, services: BrowserSessionServices): Promise<Session> {
  const live = services.interact.live(id);
  if (live) {
    tellOfChange({ teamId: live.caller.teamId });
    return live;
  }
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
