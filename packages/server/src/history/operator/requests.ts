import { Readable } from "node:stream";
import { z } from "zod";
import type { Caller } from "../../accounts/callers.ts";
import { lines, page } from "../../api/common-shapes.ts";
import { codedStatuses } from "../../api/error-codes.ts";
import { DAY, SCRAPE_ID, success } from "../../api/example-values.ts";
import { limits } from "../../api/limits.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { limitOf, TeamQuery } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { RequestQuery } from "./request-query-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { Database } from "../../storage/database/database.ts";
import { recordedBody, replay } from "../../scrape/replay.ts";
import { isScrape, readDetails } from "../../scrape/record.ts";
import { groupFailures, type RequestFilter, type RequestPage } from "../record-search.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";
import { CompareAnswer, CompareQuery, compareRequests } from "./compare-requests.ts";
import { explainRequest } from "./explain-request.ts";
import { countPageImages, pageImage, thumbnail } from "./page-images.ts";
import { type HistoryServices, keptAnswerOf, recordNamed, workAnswerOf } from "./request-history.ts";
import type { SearchServices } from "./request-list.ts";
import { pageBehind, requestPage } from "./request-page.ts";
import {
  FailuresAnswer,
  REPLAY_ID,
  ReplayAnswer,
  ReplayRequest,
  RequestAnswer,
  requestExample,
  requestFilterOf,
  showRecord,
  showRequest,
} from "./show-request.ts";
import { NotFoundError } from "../../api/errors.ts";
import { decodeMembers } from "@pergamon-dev/kit/decode-members";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { scrapeAnswer } from "../../scrape/answer/shape.ts";

/** Blocks scripts, styles, requests and forms of the page. Only embedded images are shown. */
const PREVIEW_POLICY = "sandbox; default-src 'none'; img-src data:";

const requestAnswer = defineOperation({
  line: "GET /admin/api/requests/{id}/answer",
  access: "operator",
  tag: "Operator",
  answer: scrapeAnswer,
  errors: [404],
  async handle({ params, signal }, services: HistoryServices) {
    const record = await recordNamed(params.id, services);
    const data = isScrape(record)
      ? await keptAnswerOf(record, services, signal)
      : await readAnswer(await workAnswerOf(record, services));
    if (!data)
      throw new NotFoundError(
        "The response of this request is not stored. Responses are stored for one day.",
      );
    return { success: true, data };
  },
});

const requestPreview = defineOperation({
  line: "GET /admin/preview/{id}",
  access: "operator",
  tag: "Operator",
  answer: page,
  errors: [404],
  async handle({ params, signal }, services: HistoryServices) {
    const record = await recordNamed(params.id, services);
    const data = await keptAnswerOf(record, services, signal);
    const html = data?.html ?? data?.rawHtml ?? (await pageBehind(record, services)).html;
    if (typeof html !== "string") throw new NotFoundError("The page of this request is not HTML.");
    return new Outgoing(html, {
      type: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": PREVIEW_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      },
    });
  },
});

export interface RequestServices extends HistoryServices, SearchServices, FailureServices {}

/** Rows per read of an export. */
const EXPORT_BATCH = 500;
const MAX_REPLAYS = 20;

const detail = defineOperation({
  ...forOperator,
  line: "GET /admin/api/requests/{id}",
  answer: defineShape("RequestDetail", RequestAnswer, {
    success,
    data: {
      request: requestExample,
      body: { url: "https://example.com", headers: { authorization: "***" } },
      masked: ["headers.authorization"],
      explanation: { what: "The request succeeded.", cause: null, remedy: null },
      timings: [{ name: "visit", durationMs: 380.5, startMs: 2.5 }],
      climbed: null,
      hasAnswer: true,
      pageImages: 0,
      replays: [],
    },
  }),
  errors: [404],
  async handle({ params }, services: RequestServices) {
    const record = await recordNamed(params.id, services);
    const replays = await services.requests({ replayOf: record.id, limit: MAX_REPLAYS });
    const pageImages = await countPageImages(record, services);
    const isRecent = Date.now() - record.createdAtMs < limits.keptMs.answers;
    const hasAnswer = isScrape(record)
      ? record.status === "completed" && isRecent
      : (await workAnswerOf(record, services)) !== undefined;
    return { success: true, data: describe(record, { replays, pageImages, hasAnswer }) };
  },
});

const exported = defineOperation({
  line: "GET /admin/api/requests.jsonl",
  access: "operator",
  tag: "Operator",
  query: RequestQuery,
  answer: lines,
  errors: [400],
  handle({ query }, { requests }: SearchServices) {
    const text = Readable.from(linesOf(requestFilterOf(query), requests), { objectMode: false });
    const headers = { "content-disposition": 'attachment; filename="requests.jsonl"' };
    return new Outgoing(text, { type: "application/x-ndjson", headers });
  },
});

const again = defineOperation({
  ...forOperator,
  line: "POST /admin/api/requests/{id}/replay",
  audit: "request.replayed",
  body: defineShape("ReplayRequest", ReplayRequest, { fill: { "headers.authorization": "Bearer …" } }),
  answer: defineShape("Replay", ReplayAnswer, {
    success,
    data: {
      id: REPLAY_ID,
      replayOf: SCRAPE_ID,
      status: "completed",
      errorCode: null,
      error: null,
    },
  }),
  errors: [...codedStatuses, 429],
  async handle({ params, body, signal }, services: RequestServices) {
    const record = await recordNamed(params.id, services);
    const caller = await payerOf(record, services);
    const work = isScrape(record) ? undefined : ownProperty(services.repeated, record.kind ?? "");
    if (work) {
      const { id } = await work.run({ caller, linkBase: "", body: recordedBody(record, body) }, signal);
      const done = { id, status: "completed" as const, errorCode: null, error: null };
      return { success: true, data: { ...done, replayOf: record.id } };
    }
    const done = await replay(record, body, services.services, { caller, linkBase: "", signal });
    return { success: true, data: { ...done, replayOf: record.id } };
  },
});

const comparison = defineOperation({
  ...forOperator,
  line: "GET /admin/api/compare",
  query: CompareQuery,
  answer: defineShape("Compare", CompareAnswer, {
    success,
    data: {
      a: requestExample,
      b: { ...requestExample, id: REPLAY_ID, replayOf: requestExample.id },
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
  }),
  errors: [400, 404],
  async handle({ query: { a, b }, signal }, services: RequestServices) {
    const [first, second] = [await recordNamed(a, services), await recordNamed(b, services)];
    return { success: true, data: await compareRequests(first, second, services, signal) };
  },
});

const DAY_MS = 24 * 60 * 60 * 1000;

const failures = defineOperation({
  ...forOperator,
  line: "GET /admin/api/failures",
  query: z.object({
    team: TeamQuery,
    since: z.iso.datetime().optional(),
    limit: limitOf(20, 100),
  }),
  answer: defineShape("Failures", FailuresAnswer, {
    success,
    total: 41,
    data: [
      {
        code: "SCRAPE_TIMEOUT",
        host: "example.com",
        count: 41,
        firstAt: DAY,
        lastAt: DAY,
        newestId: SCRAPE_ID,
      },
    ],
  }),
  errors: [400],
  async handle({ query: { team, since, limit } }, { database }: FailureServices) {
    const sinceMs = since === undefined ? Date.now() - DAY_MS : Date.parse(since);
    const { total, groups } = await groupFailures(database, { teamId: team, sinceMs, limit });
    const iso = (timeMs: number) => new Date(timeMs).toISOString();
    const data = groups.map(({ errorCode, host, count, newestId, firstAtMs, lastAtMs }) => ({
      code: errorCode,
      host,
      count,
      newestId,
      firstAt: iso(firstAtMs),
      lastAt: iso(lastAtMs),
    }));
    return { success: true, total, data };
  },
});

export const requestOperations = [
  detail,
  requestAnswer,
  failures,
  again,
  exported,
  pageImage,
  thumbnail,
  comparison,
  requestPreview,
  requestPage,
];

interface FailureServices {
  readonly database: Database;
}

interface Found {
  readonly replays: RequestPage;
  readonly pageImages: number;
  readonly hasAnswer: boolean;
}

async function readAnswer(text: string | undefined): Promise<ScrapeData | undefined> {
  return text === undefined ? undefined : ((await decodeMembers(text)) as unknown as ScrapeData);
}

function describe(record: ScrapeRecord, { replays, pageImages, hasAnswer }: Found): RequestAnswer["data"] {
  const { kept, timings, message, climbed } = readDetails(record.details);
  return {
    request: showRecord(record),
    body: kept?.body ?? null,
    masked: kept?.masked ?? [],
    explanation: explainRequest(record, message),
    timings: timings.map(([name, durationMs, startMs = null]) => ({ name, durationMs, startMs })),
    climbed: climbed ?? null,
    hasAnswer,
    pageImages,
    replays: replays.data.map(({ id }) => id),
  };
}

/** The key of the request if it is still in use, so that the replay costs the same. Otherwise its team. */
async function payerOf({ keyId, teamId }: ScrapeRecord, { callers }: RequestServices): Promise<Caller> {
  return (await callers.ofWork({ teamId, keyId })) ?? callers.ofTeam(teamId);
}

/** One line per matching request. */
async function* linesOf(
  filter: RequestFilter,
  requests: RequestServices["requests"],
): AsyncGenerator<string> {
  let cursor = filter.cursor ?? null;
  do {
    const found = await requests({ ...filter, limit: EXPORT_BATCH, cursor: cursor ?? undefined });
    yield found.data.map((row) => `${JSON.stringify(showRequest(row))}\n`).join("");
    cursor = found.cursor;
  } while (cursor !== null);
}
