import { z } from "zod";

import { SessionAnswer } from "../../packages/server/src/operator/logins.ts";
import { NodesAnswer } from "../../packages/server/src/operator/nodes.ts";
import { OverviewAnswer, SetupAnswer } from "../../packages/server/src/operator/overview.ts";
import { CompareAnswer } from "../../packages/server/src/history/operator/compare-requests.ts";
import {
  FailuresAnswer,
  RequestAnswer,
  RequestsAnswer,
} from "../../packages/server/src/history/operator/show-request.ts";
import { SettingsAnswer } from "../../packages/server/src/operator/settings.ts";
import { UsageAnswer } from "../../packages/server/src/operator/usage/usage.ts";
import { type Answers, type Asked, scraped } from "./screens.ts";

/** When the pictures are taken. */
export const NOW = new Date("2026-11-22T14:02:30Z");

const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();
const idOf = (index: number) => `01993a7e-52c1-7d30-8a00-00000000000${index}`;

const rows = (
  [
    ["https://journals.example/lichens-2026.pdf", 200, null, 14, 2360, "http"],
    ["https://shop.example/p/linen-apron", 200, null, 1, 210, "browser"],
    ["https://shop.example/p/linen-apron", 200, null, 1, 190, "http"],
    ["https://news.example/live/election", null, "SCRAPE_TIMEOUT", 0, 60_000, "browser"],
    ["https://docs.example.dev/guide/start", 200, null, 1, 40, "cache"],
    ["https://store.example/basket", 403, null, 1, 1920, "enhanced"],
    ["https://forum.example/t/4411", 200, null, 5, 330, "http"],
  ] as const
).map(([url, statusCode, errorCode, creditsUsed, durationMs, way], index) => ({
  id: idOf(index),
  teamId: "default",
  keyId: "nightly-import",
  kind: "scrape",
  url,
  status: errorCode === null ? ("completed" as const) : ("failed" as const),
  statusCode,
  errorCode,
  creditsUsed,
  durationMs,
  cacheState: way === "cache" ? ("hit" as const) : ("miss" as const),
  origin: "js-sdk@4.42.0",
  formats: ["markdown"],
  way,
  replayOf: index === 1 ? idOf(2) : null,
  parentId: null,
  isPartial: false,
  createdAt: ago(20 + index * 97),
}));

function figures(pages: number) {
  return {
    pages,
    failed: Math.round(pages * 0.05),
    refused: Math.round(pages * 0.002),
    cacheHits: Math.round(pages * 0.41),
    credits: Math.round(pages * 1.4),
    p50Ms: 310,
    p95Ms: 3900,
  };
}

const days = Array.from({ length: 30 }, (_, day) => ({
  start: new Date(Date.UTC(2026, 9, 24 + day)).toISOString(),
  ...figures(520 + ((day * 7919) % 260) - (day % 7 > 4 ? 280 : 0)),
}));

/** What the service says of itself each second. */
export const seconds = Array.from({ length: 90 }, (_, second) => ({
  uptimeSeconds: 259_200,
  fetching: 14 + ((second * 7) % 9) + (second > 30 && second < 50 ? 9 : 0),
  fetchingLimit: 50,
  waiting: 0,
  memoryBytes: 412e6,
  eventLoopLagMs: 2,
  overloaded: null,
  sessions: 2,
  viewers: 1,
}));

const checks = (
  [
    ["Browser", "found", "Chromium 147, 3 of 8 tabs", null, null],
    ["Database", "found", "SQLite, 412 MB", null, null],
    ["OCR", "found", "tesseract 5.3: eng, deu", null, null],
    [
      "Language model",
      "missing",
      "not set",
      "summary, json and prompts use the built-in rules",
      "Set LLM_BASE_URL, LLM_MODEL, and LLM_API_KEY if the model requires one (Ollama works).",
    ],
    ["Disk", "found", "31 of 200 GB used", null, null],
  ] as const
).map(([name, status, detail, cost, remedy]) => ({ name, status, detail, cost, remedy }));

const settings = (
  [
    ["PORT", "Server", "3002", "environment", "3002", "0 to 65535", "the port to listen on"],
    ["HOST", "Server", null, "default", "127.0.0.1", null, "the address to listen on"],
    ["ADMIN_KEY", "Accounts", null, "file", null, "at least 16 characters", "the operator's key"],
    [
      "CACHE_MAX_BYTES",
      "Stores",
      "20000000000",
      "dashboard",
      "10 GB",
      null,
      "how much the page cache may hold",
    ],
  ] as const
).map(([name, part, value, origin, usual, allowed, help]) => ({
  name,
  part,
  value,
  isSet: origin !== "default",
  isSecret: name === "ADMIN_KEY",
  origin,
  usual,
  allowed,
  help,
  isWritable: name === "CACHE_MAX_BYTES",
  whyFixed: null,
}));

const markdown = {
  isCut: false,
  hunks: [
    {
      aLine: 1,
      bLine: 1,
      lines: [
        { kind: "same" as const, text: "# Linen apron" },
        { kind: "same" as const, text: "" },
        { kind: "removed" as const, text: "Price: **€ 39.00**" },
        { kind: "added" as const, text: "Price: **€ 34.00** (was € 39.00)" },
        { kind: "same" as const, text: "" },
        { kind: "same" as const, text: "Heavy linen, two pockets, washed soft." },
        { kind: "removed" as const, text: "In stock, delivered in 2 days." },
        { kind: "added" as const, text: "Few left, delivered in 4 days." },
      ],
    },
  ],
};

const success = true as const;
const noTokens = { inputTokens: null, outputTokens: null };
const team = { flags: {}, limits: {}, threatPolicy: {}, version: "1", createdAt: ago(9e6) };

const blocks = (
  [
    ["title", [0.08, 0.06, 0.92, 0.13], "# Growth of lichens on basalt"],
    ["text", [0.08, 0.15, 0.48, 0.182], "A. Rowan, M. Ilić, 2026"],
    ["text", [0.08, 0.21, 0.48, 0.41], "Colonies were measured every nine days on four slopes …"],
    ["section_header", [0.08, 0.43, 0.48, 0.465], "## Sites and methods"],
    ["text", [0.08, 0.48, 0.48, 0.74], "Each site holds twelve marked plots …"],
    ["figure", [0.52, 0.21, 0.92, 0.45], ""],
    ["caption", [0.52, 0.46, 0.92, 0.5], "Figure 1. Growth on four slopes."],
    [
      "table",
      [0.52, 0.53, 0.92, 0.75],
      "| Slope | Plots | mm a year |\n| --- | ---: | ---: |\n| North | 12 | 0.41 |",
    ],
    ["formula", [0.08, 0.78, 0.92, 0.86], "$$ r(t) = r_0 e^{-kt} + c $$"],
    ["page_number", [0.44, 0.93, 0.56, 0.954], "1"],
  ] as const
).map(([type, bbox, content], readingOrder) => ({
  id: `p1.b${readingOrder}`,
  type,
  label: null,
  bbox,
  content,
  markdownSpan: null,
  readingOrder,
  source: "native_text",
  confidence: { layout: 0.94, ocr: null },
}));

/** What the playground's scrape is answered with. */
const scrapedDocument = scraped(
  {
    markdown: "# Growth of lichens on basalt\n\nColonies were measured every nine days on four slopes.",
    blocks: [{ pageNumber: 1, width: 1700, height: 2200, status: "ok", items: blocks }],
  },
  { scrapeId: idOf(0), creditsUsed: 14, numPages: 14 },
);

function detailOf(index: number) {
  const stages = [
    ["queue", 0, 3],
    ["cache", 3, 1],
    ["visit", 4, 612],
    ["document", 616, 1560],
    ["markdown", 2176, 180],
  ] as const;
  return RequestAnswer().parse({
    success,
    data: {
      request: rows[index],
      body: { url: rows[index]?.url, formats: ["markdown"] },
      masked: [],
      explanation: { what: "The request succeeded.", cause: null, remedy: null },
      timings: stages.map(([name, startMs, durationMs]) => ({ name, startMs, durationMs })),
      climbed:
        rows[index]?.way === "browser" ? { from: "http", because: "the static page had no text" } : null,
      hasAnswer: true,
      pageImages: 0,
      replays: [],
    },
  });
}

const keys = ["nightly-import", "shop feed", "old script"].map((name, index) => ({
  keyId: `01993a7e-aaaa-7d30-8a00-00000000000${index}`,
  teamId: "default",
  name,
  restrictions: index === 0 ? { requestsPerMinute: 60, credits: 50_000 } : {},
  ending: ["9a23", "77c1", "0be4"][index],
  creditsUsedThisMonth: [12_480, 6_300, 0][index],
  oldTextUntil: null,
  expiresAt: null,
  createdAt: ago(1e6 * (index + 1)),
  lastUsedAt: index === 2 ? null : ago(60),
  revokedAt: index === 2 ? ago(1e5) : null,
  version: "1",
}));

const empty = { success, data: [], cursor: null };

/** Answers that never change. */
export const answers: Answers = {
  "GET /admin/session": SessionAnswer.parse({
    success,
    data: {
      session: null,
      operator: { name: null, role: "admin", teamId: null },
      auth: "keys",
      version: "0.1.0",
      defaultTeamId: "default",
      creditPrice: { amount: 0.002, currency: "EUR" },
      baseUrl: "http://127.0.0.1:3002",
      kinds: [{ name: "crawl", title: "Crawl", endpoint: "crawl" }],
    },
  }),
  "POST /admin/api/playground-key": { success, apiKey: "fc-of-the-pictures", expiresAt: ago(-3600) },
  "POST /v2/scrape": scrapedDocument,
  "GET /admin/api/overview": OverviewAnswer().parse({
    success,
    data: {
      from: days[0]?.start,
      to: NOW.toISOString(),
      step: "day",
      total: figures(18_402),
      previous: figures(17_300),
      days,
      now: seconds[0],
      lastHour: [],
      latest: rows,
    },
  }),
  "GET /admin/api/nodes": NodesAnswer.parse({
    success,
    data: { isShared: false, nodes: [], jobs: { due: 0, longestWaitMs: 0 }, leases: [] },
  }),
  "GET /admin/api/setup": SetupAnswer().parse({ success, data: { checkedAt: ago(60), checks } }),
  "GET /admin/api/requests": RequestsAnswer.parse({ success, data: rows, cursor: null, lookedBackTo: null }),
  "GET /admin/api/requests/{id}": ({ params }: Asked) =>
    detailOf(rows.findIndex(({ id }) => id === params["id"])),
  "GET /admin/api/compare": CompareAnswer.parse({
    success,
    data: {
      a: rows[2],
      b: rows[1],
      isSame: false,
      request: [],
      outcome: [],
      markdown,
      json: [],
      metadata: [],
      screenshots: null,
      missing: [],
    },
  }),
  "GET /admin/api/usage": UsageAnswer().parse({
    success,
    data: {
      from: days[0]?.start,
      to: NOW.toISOString(),
      step: "day",
      by: "team",
      total: figures(18_402),
      previous: figures(17_300),
      series: days,
      groups: [
        { id: "default", teamId: null, name: "Default", pages: 17_000, credits: 24_000, ...noTokens },
        { id: "research", teamId: null, name: "Research", pages: 1402, credits: 2000, ...noTokens },
      ],
      cache: { hits: 5200, savedMs: 7_400_000 },
      tokens: { calls: 310, input: 1_240_000, output: 86_000 },
      sessions: { count: 24, credits: 310 },
      errors: [
        { code: "SCRAPE_TIMEOUT", count: 140 },
        { code: "SCRAPE_DNS_RESOLUTION_ERROR", count: 91 },
      ],
      refusals: [{ code: "insufficient_credits", count: 37 }],
    },
  }),
  "GET /admin/api/names": {
    success,
    data: { teams: { default: "Default", research: "Research" }, keys: {} },
  },
  "GET /admin/api/running": {
    success,
    data: [
      { teamId: "default", running: 13, waiting: 0, limit: null },
      { teamId: "research", running: 3, waiting: 4, limit: 3 },
    ],
  },
  "GET /admin/api/teams": z
    .object({ success: z.literal(true) })
    .loose()
    .parse({
      ...empty,
      data: [
        {
          ...team,
          teamId: "default",
          name: "Default",
          isLimited: true,
          allowance: { credits: 100_000, period: "month" },
          remainingCredits: 81_220,
          creditsUsedThisMonth: 18_780,
        },
      ],
    }),
  "GET /admin/api/teams/{id}/keys": { ...empty, data: keys },
  "GET /admin/api/keys": { ...empty, data: keys },
  "GET /admin/api/failures": FailuresAnswer().parse({ success, total: 0, data: [] }),
  "GET /admin/api/settings": SettingsAnswer.parse({
    success,
    data: { version: "3", canChange: true, settings },
  }),
  "GET /admin/api/logins": { success, data: [] },
  "GET /admin/api/operators": { success, data: [] },
};

const nodeRows = [
  ["3f9a21bc", ["api"], 1200, 41, 0],
  ["90be114d", ["work"], 3900, 118, 0],
  ["c25d0d7a", ["work"], 14_200, 0, 0],
  ["e7706f12", ["api", "work"], 800, 7, 2],
] as const;

/** Four machines over a database: one of them is silent, one is going to end. */
export const nodesAnswer = NodesAnswer.parse({
  success,
  data: {
    isShared: true,
    nodes: nodeRows.map(([id, roles, heartbeatAgeMs, fetching, sessions], index) => ({
      id,
      isThisOne: index === 0,
      roles,
      version: "1.0.0",
      startedAt: ago(86_400),
      heartbeatAgeMs,
      isDraining: index === 3,
      allotments: { teams: sessions, credits: sessions * 2000 },
      fetching,
      waiting: 0,
      sessions,
      memoryBytes: 180_000_000 + index * 40_000_000,
      eventLoopLagMs: 2,
    })),
    jobs: { due: 1284, longestWaitMs: 2400 },
    leases: [
      { kind: "prune", count: 1 },
      { kind: "process", count: 4 },
    ],
  },
});
