import { browserSessionExamples } from "./browser-session-examples.ts";
import { DAY, LATER, WEEK_LATER } from "./example-ids.ts";
import type { dashboardAnswers, dashboardRequests } from "./dashboard-schemas.ts";

const TEAM_ID = "019a1feb-0000-7000-8000-000000000001";
const SESSION_ID = "019a1feb-0000-7000-8000-000000000004";
const REPLAY_ID = "019a1feb-b000-7000-8000-000000000005";
const API_KEY = "fc-0123456789abcdef0123456789abcdef";
const success = true;
const session = {
  sessionId: SESSION_ID,
  isOwn: true,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: WEEK_LATER,
  address: "192.0.2.1",
  userAgent: "Mozilla/5.0",
};

const figures = { pages: 120, failed: 3, cacheHits: 40, credits: 130, p50Ms: 412, p95Ms: 3100 };
const now = {
  uptimeSeconds: 86_400,
  fetching: 2,
  fetchingLimit: 8,
  waiting: 0,
  memoryBytes: 150_000_000,
  eventLoopLagMs: 1,
  overloaded: null,
  sessions: 0,
  viewers: 1,
};
const request = {
  id: "019a1feb-a30f-7a27-af2c-143e82602e53",
  teamId: TEAM_ID,
  keyId: null,
  url: "https://example.com/",
  status: "completed",
  statusCode: 200,
  errorCode: null,
  creditsUsed: 1,
  durationMs: 412,
  cacheState: "miss",
  origin: "api",
  formats: ["markdown"],
  way: "http",
  replayOf: null,
  createdAt: DAY,
};

/** What the operator's pages may send, by the name of the schema. */
export const dashboardRequestExamples: Readonly<Record<keyof typeof dashboardRequests, unknown>> = {
  LogInRequest: { key: "pa-0123456789abcdef0123456789abcdef0123456789abcdef" },
  PlaygroundKeyRequest: { teamId: TEAM_ID },
  PurgeRequest: { url: "https://example.com/" },
  SessionViewRequest: { isInteractive: true },
  SessionRunRequest: { code: "await page.title()", language: "node", timeout: 30 },
  ReplayRequest: { fill: { "headers.authorization": "Bearer …" } },
};

/** What is answered then. */
export const dashboardAnswerExamples: Readonly<Record<keyof typeof dashboardAnswers, unknown>> = {
  OperatorLogin: {
    success,
    data: {
      session,
      auth: "keys",
      version: "1.0.0",
      defaultTeamId: "default",
      baseUrl: "https://scrape.test",
    },
  },
  Logins: { success, data: [session] },
  PlaygroundKey: { success, apiKey: API_KEY, expiresAt: LATER },
  RequestDetail: {
    success,
    data: {
      request,
      body: { url: "https://example.com", headers: { authorization: "***" } },
      masked: ["headers.authorization"],
      explanation: { what: "The page was answered as asked for.", cause: null, remedy: null },
      timings: [{ name: "visit", durationMs: 380.5 }],
      hasAnswer: true,
      pageImages: 0,
      replays: [],
    },
  },
  Replay: {
    success,
    data: { id: REPLAY_ID, replayOf: request.id, status: "completed", errorCode: null, error: null },
  },
  Compare: {
    success,
    data: {
      a: request,
      b: { ...request, id: REPLAY_ID, replayOf: request.id },
      isSame: false,
      request: [],
      outcome: [],
      markdown: {
        hunks: [
          {
            aLine: 1,
            bLine: 1,
            lines: [
              { kind: "removed", text: "# Old" },
              { kind: "added", text: "# New" },
            ],
          },
        ],
        isCut: false,
      },
      json: [{ path: "$.links[0]", a: "https://example.com/a" }],
      metadata: [],
      screenshots: null,
      missing: [],
    },
  },
  Usage: {
    success,
    data: {
      from: DAY,
      to: LATER,
      step: "day",
      by: "team",
      total: figures,
      series: [{ start: DAY, ...figures }],
      groups: [{ id: TEAM_ID, name: "Research", pages: 120, credits: 130 }],
      errors: [{ code: "SCRAPE_TIMEOUT", count: 3 }],
    },
  },
  OperatorProfiles: {
    success,
    data: [{ teamId: TEAM_ID, name: "shop", sizeBytes: 2048, isLocked: false, createdAt: DAY, savedAt: DAY }],
    cursor: null,
  },
  CacheVersions: {
    success,
    data: [
      {
        id: request.id,
        url: "https://example.com",
        statusCode: 200,
        sizeBytes: 20_480,
        screenshot: "none",
        teamId: TEAM_ID,
        isShared: true,
        storedAt: DAY,
      },
    ],
    cursor: null,
  },
  CacheSize: { success, data: { versions: 1, bytes: 20_480, maxBytes: 5_368_709_120 } },
  CacheCompare: { success, data: { markdown: { hunks: [], isCut: false } } },
  Purged: { success, removed: 1 },
  ...browserSessionExamples,
  Settings: {
    success,
    data: {
      settings: [
        {
          name: "PORT",
          part: "Server",
          value: "8080",
          isSet: true,
          isSecret: false,
          origin: "environment",
          usual: "3002",
          help: "port to listen on",
        },
      ],
    },
  },
  Tested: {
    success,
    data: { part: "model", ok: true, detail: "It answers.", remedy: null, durationMs: 640 },
  },
  Overview: {
    success,
    data: {
      from: DAY,
      to: LATER,
      total: figures,
      previous: figures,
      days: [{ start: DAY, ...figures }],
      lastHour: [{ start: DAY, pages: 2, failed: 0 }],
      now,
      latest: [request],
    },
  },
  Setup: {
    success,
    data: {
      checkedAt: DAY,
      checks: [
        {
          name: "Language model",
          status: "missing",
          detail: "not configured",
          cost: "No structured data by prompt or schema.",
          remedy: "Set LLM_BASE_URL.",
        },
      ],
    },
  },
};
