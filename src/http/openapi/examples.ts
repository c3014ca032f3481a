import type { answerSchemas, otherAnswers } from "./answers.ts";
import { KEY_ID, SCRAPE_ID, SESSION_ID, TEAM_ID, key, accepted, feedback } from "./example-ids.ts";
import { dashboardAnswerExamples } from "./dashboard-examples.ts";
import { toolAnswerExamples } from "./tool-examples.ts";

const API_KEY = "fc-0123456789abcdef0123456789abcdef";
const URL = "https://example.com/";
const [DAY, MONTH, NEXT_MONTH] = [
  "2026-05-02T08:30:00.000Z",
  "2026-05-01T00:00:00.000Z",
  "2026-06-01T00:00:00.000Z",
];

const success = true;
const views = {
  cdpUrl: "ws://127.0.0.1:3002/cdp/4k1c…",
  liveViewUrl: "http://127.0.0.1:3002/live/8Zr0…",
  interactiveLiveViewUrl: "http://127.0.0.1:3002/live/Lq3x…",
};
const outcome = { stdout: "", result: "Example Domain", stderr: "", exitCode: 0, killed: false };
const session = {
  id: SESSION_ID,
  status: "active",
  ...views,
  streamWebView: true,
  createdAt: DAY,
  lastActivity: DAY,
};
const period = { startDate: MONTH, endDate: NEXT_MONTH };
const billing = { billingPeriodStart: MONTH, billingPeriodEnd: NEXT_MONTH };
const lastPage = { success, cursor: null };
const parts = [{ name: "database", ok: true }];
const threatPolicy = {
  mode: "normal",
  riskScoreThreshold: 75,
  blacklist: ["bad.example"],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: "closed",
  allowRequestOverrides: true,
};
const VERSION = "0".repeat(32);
const team = {
  teamId: TEAM_ID,
  version: VERSION,
  name: "Research",
  flags: {},
  limits: { concurrency: 10 },
  isLimited: true,
  allowance: { credits: 10_000, period: "month" },
  threatPolicy: { ...threatPolicy, mode: "off", blacklist: [] },
  remainingCredits: 9_995,
  creditsUsedThisMonth: 5,
  createdAt: DAY,
};

/** What is answered then. */
export const answerExamples: Readonly<
  Record<keyof typeof answerSchemas | keyof typeof otherAnswers, unknown>
> = {
  Cohorts: { cohorts: [{ cohort: "weather", about: "Open-Meteo" }] },
  ProviderTerms: { success, required: true, text: "Be kind.", ...accepted },
  TermsAccepted: { success, ...accepted, acceptedAt: DAY },
  ScrapeAnswer: {
    success,
    data: {
      markdown: "# Example Domain\n\nThis domain is for use in documents.",
      links: ["https://iana.org/domains/example"],
      metadata: {
        title: "Example Domain",
        sourceURL: "https://example.com",
        url: URL,
        statusCode: 200,
        contentType: "text/html",
        proxyUsed: "basic",
        scrapeId: SCRAPE_ID,
        creditsUsed: 1,
        concurrencyLimited: false,
        cacheState: "miss",
      },
    },
  },
  InteractAnswer: { success, sessionId: SESSION_ID, ...views, ...outcome },
  SessionEnd: {
    success,
    status: "destroyed",
    sessionDurationMs: 90_000,
    creditsBilled: 3,
    cleanupQueued: true,
  },
  Browser: { success, id: SESSION_ID, ...views, expiresAt: DAY },
  Session: { success, ...session },
  Sessions: { success, sessions: [session] },
  Execute: { success, ...views, ...outcome },
  Profiles: {
    success,
    profiles: [{ name: "shop", sizeBytes: 2048, createdAt: MONTH, savedAt: DAY, isLocked: false }],
  },
  CreditUsage: { success, data: { remainingCredits: 9_995, planCredits: 10_000, ...billing } },
  TokenUsage: { success, data: { remainingTokens: 149_925, planTokens: 150_000, ...billing } },
  CreditHistory: { success, periods: [{ ...period, creditsUsed: 5, totalCredits: 5 }] },
  TokenHistory: { success, periods: [{ ...period, tokensUsed: 75, totalTokens: 75 }] },
  QueueStatus: {
    success,
    jobsInQueue: 3,
    activeJobsInQueue: 2,
    waitingJobsInQueue: 1,
    maxConcurrency: 2,
    mostRecentSuccess: DAY,
  },
  Activity: {
    success,
    data: [{ id: SCRAPE_ID, endpoint: "scrape", api_version: "v2", created_at: DAY, target: URL }],
    cursor: null,
    has_more: false,
  },
  Concurrency: { success, concurrency: 2, maxConcurrency: 10 },
  ThreatPolicy: { success, data: { ...threatPolicy, configured: true, updatedAt: DAY } },
  FeedbackKept: { success, feedbackId: "019a1feb-b000-7000-8000-000000000003", creditsRefunded: 0 },
  MadeTeam: { success, teamId: TEAM_ID, keyId: KEY_ID, apiKey: API_KEY },
  MadeKey: { success, keyId: KEY_ID, apiKey: API_KEY },
  Team: { success, data: team },
  Teams: { ...lastPage, data: [team] },
  Remaining: { success, remainingCredits: 10_995 },
  Ledger: {
    ...lastPage,
    data: [{ id: SCRAPE_ID, from: "allowance", to: "used", amount: 5, keyId: KEY_ID, createdAt: DAY }],
  },
  Keys: {
    ...lastPage,
    data: [
      {
        keyId: KEY_ID,
        version: VERSION,
        teamId: TEAM_ID,
        ...key,
        createdAt: MONTH,
        lastUsedAt: DAY,
        revokedAt: null,
        expiresAt: null,
      },
    ],
  },
  Requests: {
    ...lastPage,
    data: [
      {
        id: SCRAPE_ID,
        teamId: TEAM_ID,
        keyId: KEY_ID,
        url: URL,
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
      },
    ],
  },
  FeedbackEntries: {
    ...lastPage,
    data: [
      { id: KEY_ID, teamId: TEAM_ID, keyId: KEY_ID, jobId: SCRAPE_ID, content: feedback, createdAt: DAY },
    ],
  },
  ProviderToolAnswer: {
    success,
    scrape_id: SCRAPE_ID,
    data: {
      alexandria: [
        {
          provider: "wikipedia",
          capability: "summary",
          creditsCost: 1,
          data: { title: "Pergamon" },
          upstreamStatus: 200,
        },
      ],
      creditsCost: 1,
    },
  },
  Status: {
    success,
    uptimeSeconds: 86_400,
    fetching: 2,
    waiting: 0,
    memoryBytes: 150_000_000,
    eventLoopLagMs: 1,
    overloaded: null,
  },
  ...toolAnswerExamples,
  ...dashboardAnswerExamples,
  Done: { success },
  Document: { openapi: "3.1.0" },
  Health: { status: "ok" },
  Production: { isProduction: true },
  Readiness: { status: "ready", parts },
  Error: { success: false, error: "Not Found" },
  RateLimit: { error: "Rate limit exceeded. Try again in 12 seconds." },
  text: "OK",
  page: "<!doctype html>",
  lines: `{"id":"${SCRAPE_ID}","time":"${DAY}","kind":"team.created","teamId":"${TEAM_ID}"}\n`,
  table: "start,pages\r\n2026-05-02T00:00:00.000Z,120\r\n",
  events: "event: status\ndata: {}\n\n",
  photo: "JPEG",
  picture: "PNG",
  file: "(bytes)",
};
