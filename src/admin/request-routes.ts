import { Readable } from "node:stream";

import type { FastifyInstance } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../contract/errors.ts";
import { CompareQuery, type CompareAnswer } from "../contract/operator/compare.ts";
import {
  type ReplayAnswer,
  ReplayRequest,
  type RequestAnswer,
  RequestQuery,
} from "../contract/operator/requests.ts";
import { limits } from "../contract/limits.ts";
import { readDetails } from "../scrape/details.ts";
import { replay } from "../scrape/replay.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import { compareRequests } from "./compare-requests.ts";
import { explainRequest } from "./explain-request.ts";
import { addPageImageRoute, countPageImages } from "./page-images.ts";
import { answerOf, type HistoryServices, recordNamed } from "./request-history.ts";
import { requestFilterOf, showRecord, showRequest } from "./show-request.ts";
import { viewerGone } from "./viewer-gone.ts";

export interface RequestRoutes extends HistoryServices {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
}

interface WithId {
  Params: { id: string };
}

/** Rows of an export between two looks at the database. */
const EXPORT_BATCH = 500;
const MOST_REPLAYS = 20;
/** Scripts, styles, requests and forms of a page do nothing here; only pictures that it carries itself show. */
const PREVIEW_POLICY = "sandbox; default-src 'none'; img-src data:";

/** What an operator can find out about single requests, and do again. */
export function addRequestRoutes(app: FastifyInstance, routes: RequestRoutes): void {
  addDetailRoutes(app, routes);
  addAnswerRoutes(app, routes);
  addPageImageRoute(app, routes);

  app.post<WithId>(
    "/admin/api/requests/:id/replay",
    async ({ params, body }, reply): Promise<ReplayAnswer> => {
      const record = await recordNamed(params.id, routes);
      const changes = ReplayRequest.parse(body);
      const caller = await payerOf(record, routes);
      const context = { caller, linkBase: "", signal: viewerGone(reply) };
      const done = await replay(record, changes, routes.services, context);
      return { success: true, data: { ...done, replayOf: record.id } };
    },
  );

  app.get("/admin/api/compare", async ({ query }, reply): Promise<CompareAnswer> => {
    const { a, b } = CompareQuery.parse(query);
    const [first, second] = [await recordNamed(a, routes), await recordNamed(b, routes)];
    return { success: true, data: await compareRequests(first, second, routes, viewerGone(reply)) };
  });
}

function addDetailRoutes(app: FastifyInstance, routes: RequestRoutes): void {
  const { requests } = routes;

  app.get<WithId>("/admin/api/requests/:id", async ({ params }): Promise<RequestAnswer> => {
    const record = await recordNamed(params.id, routes);
    const replays = await requests({ replayOf: record.id, limit: MOST_REPLAYS });
    const pageImages = await countPageImages(record, routes);
    return { success: true, data: describe(record, { replays, pageImages }) };
  });

  app.get("/admin/api/requests.jsonl", async ({ query }, reply) => {
    const filter = requestFilterOf(RequestQuery.parse(query));
    reply.type("application/x-ndjson").header("content-disposition", 'attachment; filename="requests.jsonl"');
    return reply.send(Readable.from(linesOf(filter, requests), { objectMode: false }));
  });
}

function addAnswerRoutes(app: FastifyInstance, routes: RequestRoutes): void {
  app.get<WithId>("/admin/api/requests/:id/answer", async ({ params }, reply) => {
    const record = await recordNamed(params.id, routes);
    const data = await answerOf(record, routes, viewerGone(reply));
    if (!data) throw new NotFoundError("The answer of this request is not kept: answers are for a day.");
    return { success: true, data };
  });

  app.get<WithId>("/admin/preview/:id", async ({ params }, reply) => {
    const record = await recordNamed(params.id, routes);
    const data = await answerOf(record, routes, viewerGone(reply));
    const html = data?.html ?? data?.rawHtml;
    if (typeof html !== "string") throw new NotFoundError("This request was not answered with HTML.");
    return reply
      .header("content-security-policy", PREVIEW_POLICY)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(html);
  });
}

interface Found {
  readonly replays: RequestPage;
  readonly pageImages: number;
}

function describe(record: ScrapeRecord, { replays, pageImages }: Found): RequestAnswer["data"] {
  const { kept, timings, message } = readDetails(record.details);
  const isRecent = Date.now() - record.createdAtMs < limits.answerRetentionMs;
  return {
    request: showRecord(record),
    body: kept?.body ?? null,
    masked: kept?.masked ?? [],
    explanation: explainRequest(record, message),
    timings: timings.map(([name, durationMs]) => ({ name, durationMs })),
    hasAnswer: record.status === "completed" && isRecent,
    pageImages,
    replays: replays.data.map(({ id }) => id),
  };
}

/** The key that the request was made with, as long as it is in use, so that it costs the same; else its team. */
async function payerOf({ keyId, teamId }: ScrapeRecord, { callers }: RequestRoutes): Promise<Caller> {
  const byKey = keyId === undefined ? undefined : await callers.byKeyId(keyId);
  return byKey ?? callers.ofTeam(teamId);
}

/** One line per request, all that fit the filter. */
async function* linesOf(filter: RequestFilter, requests: RequestRoutes["requests"]): AsyncGenerator<string> {
  let cursor = filter.cursor ?? null;
  do {
    const page = await requests({ ...filter, limit: EXPORT_BATCH, cursor: cursor ?? undefined });
    yield page.data.map((row) => `${JSON.stringify(showRequest(row))}\n`).join("");
    cursor = page.cursor;
  } while (cursor !== null);
}
