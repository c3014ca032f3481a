import { z } from "zod";

import {
  DAY,
  lastPage,
  LATER,
  SCRAPE_ID,
  SESSION_ID,
  sessionIdPart,
  success,
  TEAM_ID,
} from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { operatorOperation } from "../api/operator-operation.ts";
import { ExecuteRequest } from "../api/interact.ts";
import { limits } from "../api/limits.ts";
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

const State = z.enum(["active", "destroyed", "error"]);

/** `GET /admin/api/sessions`, newest first. */
export const BrowserSessionQuery = z.object({
  team: TeamQuery,
  state: State.optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

const BrowserSession = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  scrapeId: Id.nullable().describe(
    "The request that opened the session; null for a session without a request.",
  ),
  url: z.string().nullable().describe("URL of that page without credentials; null when unknown."),
  state: State,
  isHere: z
    .boolean()
    .describe("True when the answering process runs the session. Only then can it be viewed and used here."),
  isPrompted: z
    .boolean()
    .describe("True when any call used a prompt. The whole session is then charged at the higher price."),
  viewers: Count.describe("Current viewers."),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Time,
  endedAt: Time.nullable(),
  endReason: z
    .enum(["stopped", "expired", "idle", "browser-lost", "credits", "revoked", "shutdown", "crashed", "lost"])
    .nullable(),
  credits: z
    .number()
    .min(0)
    .nullable()
    .describe("Credits charged so far; null when another process runs the session."),
});

export const BrowserSessionsAnswer = pageOf(BrowserSession);

/** `GET /admin/api/sessions/{id}`. */
export const BrowserSessionAnswer = answerOf(BrowserSession);

const SessionStep = z.strictObject({
  number: Count.describe("Counts up within the session."),
  kind: z.enum(["node", "python", "bash", "prompt"]),
  by: z.string().nullable().describe("The operator who did it; null for callers of the team."),
  text: z.string().describe("First 500 characters; empty for a team whose data must not be kept."),
  startedAt: Time,
  durationMs: Count.nullable().describe("Null while it is under way."),
  problem: z.string().nullable().describe("How it failed; null otherwise."),
});

/** `GET /admin/api/sessions/{id}/activity`. */
export const SessionActivityAnswer = answerOf(
  z.strictObject({
    url: z
      .string()
      .nullable()
      .describe("Where the browser is now, without credentials; null when unknown or not to be kept."),
    clients: Count.describe("Programs that are connected to the browser."),
    viewers: Count,
    steps: z.array(SessionStep).describe("The latest 50 calls of all callers, newest first."),
  }),
);
export type SessionActivityAnswer = z.output<typeof SessionActivityAnswer>;

/** `POST /admin/api/sessions/{id}/view`: a page of this service that shows the browser. */
export const SessionViewRequest = z.strictObject({
  isInteractive: z.boolean().default(false).describe("True to pass on mouse and keyboard input."),
});
export const SessionViewAnswer = answerOf(
  z.strictObject({
    path: z.string().describe("Works without a login until the session ends. Keep it secret."),
  }),
);

const timeout = ExecuteRequest.shape.timeout;

/** `POST /admin/api/sessions/{id}/run`: as its team does, which pays for it. */
export const SessionRunRequest = z.union([
  z.strictObject({ code: ExecuteRequest.shape.code, language: ExecuteRequest.shape.language, timeout }),
  z.strictObject({
    prompt: z.string().min(1).max(limits.promptLength).describe("The task, in natural language."),
    timeout,
  }),
]);

export const SessionRunAnswer = answerOf(
  z.strictObject({
    stdout: z.string(),
    stderr: z.string(),
    result: z.string(),
    output: z.string().nullable().describe("Answer to a prompt."),
    exitCode: z.int(),
    killed: z.boolean(),
    truncated: z.boolean(),
    error: z.string().nullable(),
    durationMs: Count,
  }),
);

/** `DELETE /admin/api/sessions/{id}`. */
export const SessionEndedAnswer = answerOf(
  z.strictObject({ durationMs: Count, credits: z.number().min(0).describe("Credits charged.") }),
);

export type BrowserSession = z.output<typeof BrowserSession>;
export type BrowserSessionsAnswer = z.output<typeof BrowserSessionsAnswer>;
export type BrowserSessionAnswer = z.output<typeof BrowserSessionAnswer>;
export type SessionViewAnswer = z.output<typeof SessionViewAnswer>;
export type SessionRunRequest = z.output<typeof SessionRunRequest>;
export type SessionRunAnswer = z.output<typeof SessionRunAnswer>;
export type SessionEndedAnswer = z.output<typeof SessionEndedAnswer>;

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

export const listSessions = operatorOperation({
  line: "GET /admin/api/sessions",
  summary: "List the browser sessions of all teams, newest first",
  query: BrowserSessionQuery,
  answer: defineShape("OperatorSessions", BrowserSessionsAnswer, { ...lastPage, data: [browserSession] }),
  errors: [400],
});

export const readSession = operatorOperation({
  line: "GET /admin/api/sessions/{id}",
  summary: "Read a browser session",
  params: { id: sessionIdPart },
  answer: defineShape("OperatorSession", BrowserSessionAnswer, { success, data: browserSession }),
  errors: [404],
});

export const readSessionActivity = operatorOperation({
  line: "GET /admin/api/sessions/{id}/activity",
  summary: "Where the browser of a live session is, who uses it, and what was done in it",
  params: { id: sessionIdPart },
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
});

export const viewSession = operatorOperation({
  line: "POST /admin/api/sessions/{id}/view",
  summary: "Get the URL of a live view of a session, optionally with input",
  params: { id: sessionIdPart },
  body: defineShape("SessionViewRequest", SessionViewRequest, { isInteractive: true }),
  answer: defineShape("SessionView", SessionViewAnswer, {
    success,
    data: { path: "/live/q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k" },
  }),
  errors: [404, 410, 502],
});

export const runInSession = operatorOperation({
  line: "POST /admin/api/sessions/{id}/run",
  summary: "Run code or a prompt in a session on behalf of its team",
  params: { id: sessionIdPart },
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
});

export const endSession = operatorOperation({
  line: "DELETE /admin/api/sessions/{id}",
  summary: "End a session",
  params: { id: sessionIdPart },
  answer: defineShape("SessionEnded", SessionEndedAnswer, {
    success,
    data: { durationMs: 61_000, credits: 3 },
  }),
  errors: [404, 502],
});
