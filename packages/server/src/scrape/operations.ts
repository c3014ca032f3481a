import { Readable } from "node:stream";

import { z } from "zod";

import { codedStatuses } from "../api/error-codes.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { scrapeIdPart } from "../api/example-values.ts";
import { limits as wire } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { TeamCall } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import { JsonParts, Outgoing } from "../api/outgoing.ts";
import { scrapeAnswer, storedAnswer } from "./answer/shape.ts";
import { archivedScrape, earlierJson } from "./replay.ts";
import { type ScrapeJob, startJob } from "./request/job.ts";
import { documentedScrapeRequest } from "./request/schema.ts";
import type { CachedAnswers } from "./cached-answers.ts";
import { writeWarc } from "./warc.ts";
import { runScrape, type RunServices } from "./run.ts";
import type { ProviderTools } from "../tools/open.ts";
import { asksForTools, toolAnswer, toolRequest } from "../api/provider-tools.ts";
import type { Credits } from "../accounts/credits.ts";
import type { Answer } from "./answer/answer.ts";
import type { ScrapeFacts } from "../api/answer.ts";

/** Fewer credits may not last for the rest of a task. */
const FEW_CREDITS = 100;

interface ScrapeOperationServices {
  readonly services: RunServices;
  readonly tools: ProviderTools;
  /** Adds the `Server-Timing` header. */
  readonly showsTimings: boolean;
  /** Keeps answers so that equal requests need no new work. */
  readonly cachedAnswers: Pick<CachedAnswers, "keep">;
}

/** Calls with equal bodies share one parse (`openPlanner`). */
const scrapeRequest = defineShape(
  "ScrapeRequest",
  () => z.unknown(),
  {
    url: "https://example.com",
    formats: ["markdown", "links"],
  },
  documentedScrapeRequest,
);

const scrape = defineOperation({
  line: "POST /v2/scrape",
  tag: "Scraping",
  summary: "Scrape a page, or call provider tools",
  description:
    "Fetches one page or document and answers with the formats that were asked for. With `alexandria` it calls provider tools instead.",
  endpoint: "scrape",
  rate: "scrape",
  isPaid: true,
  body: scrapeRequest,
  answer: scrapeAnswer,
  or: { body: toolRequest, answer: toolAnswer },
  errors: codedStatuses,
  async handle(call, { services, tools, showsTimings, cachedAnswers }: ScrapeOperationServices) {
    if (asksForTools(call.body)) return tools.answer(call);
    const { id, caller, linkBase, startedAtMs } = call;
    if (leavesNothing(call)) call.keepPrivate();
    const job = startJob(services.plan(call.body), { id, caller, linkBase, startedAtMs });
    const { domainTools: wantsTools, toolDetail: detail } = job.request;
    if (wantsTools) {
      tools.require(caller.team, leavesNothing(call));
      await tools.prepareDomain({ url: job.request.url, caller });
    }
    const scraped = await runScrape(job, services, call.signal);
    const { answer, facts } = scraped;
    recordScrape(call, job, facts.cacheState);
    if (showsTimings) call.setHeader("server-timing", serverTiming(answer.timings));
    else await cachedAnswers.keep(call.body, job, scraped);
    const found = wantsTools ? await tools.ofDomain({ url: answer.capture.url, detail, caller }) : {};
    const mayInteract = !leavesNothing(call);
    const hints = await agentHints(call, { answer, facts, mayInteract }, services.credits);
    return new JsonParts(await answer.encode(facts, { ...found, hints }));
  },
});

export const readScrape = defineOperation({
  line: "GET /v2/scrape/{id}",
  tag: "Scraping",
  summary: "Read the data of an earlier scrape, stored for 24 hours",
  description: "The document of an earlier scrape, within 24 hours; nothing is fetched.",
  endpoint: "scrape",
  params: { id: scrapeIdPart },
  answer: storedAnswer,
  errors: [400, 404, 408],
  async handle({ params: { id }, caller, linkBase, signal: gone }, { services }: ScrapeOperationServices) {
    if (!isUuid(id)) throw invalidId();
    if (caller.team.flags.zeroDataRetention === "forced") throw nothingKept();
    const { signal, clear } = startDeadline(wire.timeoutMs.default, timedOut, gone);
    const deadlineMs = Date.now() + wire.timeoutMs.default;
    const recalled = earlierJson(id, services, { linkBase, caller, signal, deadlineMs });
    const json = await untilAborted(recalled, signal).finally(clear);
    if (!json) throw new NotFoundError("Job not found.");
    return new JsonParts([Buffer.from('{"success":true,"data":'), ...json, Buffer.from("}")]);
  },
});

const archiveScrape = defineOperation({
  line: "GET /v2/scrape/{id}/warc",
  tag: "Scraping",
  summary: "Download the page of an earlier scrape with its answer as WARC, stored for 24 hours",
  endpoint: "scrape",
  params: { id: scrapeIdPart },
  answer: { contentType: "application/warc", isBinary: true, example: "WARC" },
  errors: [400, 403, 404, 408],
  async handle({ params: { id }, caller, linkBase, signal: gone }, { services }: ScrapeOperationServices) {
    if (!isUuid(id)) throw invalidId();
    if (caller.team.flags.zeroDataRetention === "forced") throw nothingKept();
    const { signal, clear } = startDeadline(wire.timeoutMs.default, timedOut, gone);
    const deadlineMs = Date.now() + wire.timeoutMs.default;
    const archived = archivedScrape(id, services, { linkBase, caller, signal, deadlineMs });
    const page = await untilAborted(archived, signal).finally(clear);
    if (!page) throw new NotFoundError("Job not found, or its page is not stored any more.");
    const headers = { "content-disposition": `attachment; filename="scrape-${id}.warc.gz"` };
    return new Outgoing(Readable.from(writeWarc([page]), { objectMode: false }), {
      type: "application/warc",
      headers,
    });
  },
});

export const scraping = [scrape, readScrape, archiveScrape];

/** Whether an unexpected failure must stay out of the log. This is decided before the body is validated. */
export function leavesNothing({ body, caller }: Pick<TeamCall, "body" | "caller">): boolean {
  const options = (typeof body === "object" && body !== null ? body : {}) as Readonly<
    Record<string, unknown>
  >;
  const isRequested = options["zeroDataRetention"] === true || options["lockdown"] === true;
  return isRequested || caller.team.flags.zeroDataRetention === "forced";
}

function timedOut(): ServiceError {
  return new ServiceError("SCRAPE_TIMEOUT");
}

function invalidId(): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}

function nothingKept(): ServiceError {
  const message = "Your team has zero data retention: the data of its scrapes is not stored.";
  return new ServiceError("BAD_REQUEST", { message });
}

/** Fields for the log line of a scrape. It has only the host, because paths and queries may hold secrets. */
export function recordScrape(
  call: Pick<TeamCall, "note">,
  { id, plan, retention }: ScrapeJob,
  cacheState: string | undefined,
): void {
  if (retention === "none") return;
  call.note({ scrapeId: id, host: plan.host, ...(cacheState && { cache: cacheState }) });
}

/** Formats the `Server-Timing` header (W3C Server Timing). */
function serverTiming(timings: ReadonlyMap<string, number>): string {
  return [...timings].map(([stage, durationMs]) => `${stage};dur=${durationMs.toFixed(2)}`).join(", ");
}

interface Scraped {
  readonly answer: Pick<Answer, "capture" | "pageCounts">;
  readonly facts: Pick<ScrapeFacts, "scrapeId">;
  /** Whether the page can be opened again, to continue there. */
  readonly mayInteract: boolean;
}

/** Suggests next steps to language models, when their client asks for hints (contract, section 3.34). */
async function agentHints(
  { headers, caller }: Pick<TeamCall, "headers" | "caller">,
  { answer, facts, mayInteract }: Scraped,
  credits: Pick<Credits, "balance">,
): Promise<readonly string[]> {
  if (headers["x-firecrawl-agent-hints"] !== "true") return [];
  const { statusCode } = answer.capture;
  const { numPages = 0, totalPages = 0 } = answer.pageCounts ?? {};
  const { remaining } = await credits.balance(caller.team);
  const hints = [
    statusCode === 401 &&
      mayInteract &&
      `The page wants a login. Log in with POST /v2/scrape/${facts.scrapeId}/interact.`,
    (statusCode === 404 || statusCode === 410) &&
      "The page is not there. POST /v2/map lists the pages that its site has.",
    totalPages > numPages &&
      `${numPages} of ${totalPages} pages were read. For more, send the request again with a larger maxPages.`,
    remaining !== undefined && remaining < FEW_CREDITS && `The team has ${remaining} credits left.`,
  ];
  return hints.filter((hint) => hint !== false);
}
