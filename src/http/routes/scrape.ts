import type { FastifyInstance, FastifyRequest } from "fastify";

import { NotFoundError, ServiceError } from "../../contract/errors.ts";
import { limits as wire } from "../../contract/limits.ts";
import { startDeadline } from "../../kit/deadline.ts";
import { untilAborted } from "../../kit/single-flight.ts";
import { isUuid } from "../../kit/uuid.ts";
import { recall } from "../../scrape/recall.ts";
import { type ScrapeJob, startJob } from "../../scrape/request/job.ts";
import { type RunServices, runScrape } from "../../scrape/run.ts";
import { clientGone } from "../client-gone.ts";
import { linkBase } from "../link-base.ts";
import { sendJsonParts } from "../send-json.ts";
import { domainTools, prepareDomainTools } from "../../tools/discovery/domain-tools.ts";
import { requireProviderTools } from "../../tools/requests/gates.ts";
import type { ToolServices } from "../../tools/run-tools.ts";
import { answerTools, asksForTools } from "./provider-tools.ts";

export interface ScrapeRoutes {
  readonly services: RunServices;
  readonly tools: ToolServices;
  /** Adds the `Server-Timing` header. */
  readonly showsTimings: boolean;
  /** What links to this service begin with; undefined: what the client calls it. */
  readonly publicUrl: string | undefined;
}

export function addScrapeRoutes(app: FastifyInstance, routes: ScrapeRoutes): void {
  const { services } = routes;

  const scrapeOptions = {
    config: { endpoint: "scrape", counts: "scrape" } as const,
    // Before the body is looked at (contract, section 4.1).
    onRequest: ({ caller }: FastifyRequest) => services.credits.requireAny(caller.payer),
  };
  app.post("/v2/scrape", scrapeOptions, async (request, reply) => {
    if (asksForTools(request)) return answerTools(request, reply, routes);
    const { id, caller } = request;
    request.isPrivate = leavesNothing(request);
    const job = startJob(services.plan(request.body), {
      id,
      caller,
      linkBase: linkBase(request, reply, routes.publicUrl),
    });
    const { domainTools: wantsTools, toolDetail, zeroDataRetention } = job.request;
    const { catalogue, isOnByDefault } = routes.tools;
    if (wantsTools) {
      requireProviderTools(job.caller.team, isOnByDefault, zeroDataRetention);
      prepareDomainTools(job.request.url, catalogue);
    }
    const { answer, facts } = await runScrape(job, services, clientGone(reply));
    noteScrape(request, job, facts.cacheState);
    if (routes.showsTimings) reply.header("server-timing", serverTiming(answer.timings));
    const found = wantsTools ? await domainTools(answer.capture.url, toolDetail, catalogue) : {};
    sendJsonParts(reply, answer.encode(facts, found));
  });

  const recallOptions = { config: { endpoint: "scrape" } as const };
  app.get<{ Params: { id: string } }>("/v2/scrape/:id", recallOptions, async (request, reply) => {
    const { id } = request.params;
    if (!isUuid(id)) throw invalidId();
    if (request.caller.team.flags.zeroDataRetention === "forced") throw nothingKept();
    const context = { linkBase: linkBase(request, reply, routes.publicUrl), caller: request.caller };
    const { signal, clear } = startDeadline(wire.timeoutMs.default, timedOut, clientGone(reply));
    const deadlineMs = Date.now() + wire.timeoutMs.default;
    const recalled = recall(id, services, { ...context, signal, deadlineMs });
    const data = await untilAborted(recalled, signal).finally(clear);
    if (!data) throw new NotFoundError("Job not found.");
    return { success: true, data };
  });
}

/** Whether an unexpected failure may be told in the log, known before the body is understood. */
function leavesNothing({ body, caller }: FastifyRequest): boolean {
  const wishes = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const isWished = wishes["zeroDataRetention"] === true || wishes["lockdown"] === true;
  return isWished || caller.team.flags.zeroDataRetention === "forced";
}

function timedOut(): ServiceError {
  return new ServiceError("SCRAPE_TIMEOUT");
}

function invalidId(): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}

function nothingKept(): ServiceError {
  const message = "Your team has zero data retention: scrapes cannot be fetched again.";
  return new ServiceError("BAD_REQUEST", { message });
}

/** What the log line of a scrape tells. The host is enough to understand it; paths and queries may hold secrets. */
function noteScrape(
  request: FastifyRequest,
  { id, plan, retention }: ScrapeJob,
  cacheState: string | undefined,
): void {
  if (retention === "none") return;
  request.notes = { scrapeId: id, host: plan.host, ...(cacheState && { cache: cacheState }) };
}

/** Format of the `Server-Timing` header (W3C Server Timing). */
function serverTiming(timings: ReadonlyMap<string, number>): string {
  return [...timings].map(([stage, durationMs]) => `${stage};dur=${durationMs.toFixed(2)}`).join(", ");
}
