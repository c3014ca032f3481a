import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Limits } from "../../accounts/limits.ts";
import type { Revocations } from "../../accounts/revocations.ts";
import { NotFoundError, ServiceError } from "../../contract/errors.ts";
import { limits as wire } from "../../contract/limits.ts";
import { startDeadline } from "../../kit/deadline.ts";
import { untilAborted } from "../../kit/single-flight.ts";
import { isUuid } from "../../kit/uuid.ts";
import { scrapeFromMemory } from "../../scrape/from-memory.ts";
import { notAvailable } from "../../scrape/request/not-implemented.ts";
import { recall } from "../../scrape/recall.ts";
import { scrapeRequestSchema } from "../../scrape/request/schema.ts";
import { openPlanner, type ScrapeJob, startJob } from "../../scrape/request/job.ts";
import { type Scraped, type ScrapeServices, scrape } from "../../scrape/scrape.ts";
import type { Metrics } from "../metrics.ts";
import { sendJsonParts } from "../send-json.ts";

export interface ScrapeRoutes {
  readonly services: ScrapeServices;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly revocations: Revocations;
  /** Opens host names without a top-level domain. */
  readonly admitsHost: (url: URL) => boolean;
  /** Adds the `Server-Timing` header. */
  readonly showsTimings: boolean;
  /** What links to this service begin with; undefined: what the client calls it. */
  readonly publicUrl: string | undefined;
}

/** Clients give up at the very moment that their timeout ends; the answer has to be there before. */
const ANSWER_MARGIN_MS = 150;

export function addScrapeRoutes(app: FastifyInstance, routes: ScrapeRoutes): void {
  const plan = openPlanner(scrapeRequestSchema(routes.admitsHost), routes.services.blockedSites);

  const scrapeOptions = {
    config: { endpoint: "scrape", counts: "scrape" } as const,
    // Before the body is looked at (contract, section 4.1).
    onRequest: ({ caller }: FastifyRequest) => routes.services.credits.requireAny(caller.payer),
  };
  app.post("/v2/scrape", scrapeOptions, async (request, reply) => {
    refuseProviderTools(request.body);
    const { id, caller } = request;
    request.isPrivate = leavesNothing(request);
    const job = startJob(plan(request.body), { id, caller, linkBase: linkBase(request, routes) });
    const { answer, facts } = await runJob(job, reply, routes);
    noteScrape(request, job, facts.cacheState);
    if (routes.showsTimings) reply.header("server-timing", serverTiming(answer.timings));
    sendJsonParts(reply, answer.encode(facts));
  });

  const recallOptions = { config: { endpoint: "scrape" } as const };
  app.get<{ Params: { id: string } }>("/v2/scrape/:id", recallOptions, async (request, reply) => {
    const { id } = request.params;
    if (!isUuid(id)) throw invalidId();
    if (request.caller.team.flags.zeroDataRetention === "forced") throw nothingKept();
    const { services } = routes;
    const context = { linkBase: linkBase(request, routes), teamId: request.caller.teamId };
    const data = await withDeadline(reply, wire.timeoutMs.default, (signal) =>
      untilAborted(recall(id, services, { ...context, signal }), signal),
    );
    if (!data) throw new NotFoundError("Job not found.");
    return { success: true, data };
  });

  for (const method of ["POST", "DELETE"] as const) {
    app.route({
      method,
      url: "/v2/scrape/:id/interact",
      config: { endpoint: "interact" },
      handler: async () => {
        throw notAvailable("Interacting with a scraped page");
      },
    });
  }
}

/** Whether an unexpected failure may be told in the log, known before the body is understood. */
function leavesNothing({ body, caller }: FastifyRequest): boolean {
  const wishes = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const isWished = wishes["zeroDataRetention"] === true || wishes["lockdown"] === true;
  return isWished || caller.team.flags.zeroDataRetention === "forced";
}

function refuseProviderTools(body: unknown): void {
  const isObject = typeof body === "object" && body !== null;
  if (isObject && Object.hasOwn(body, "alexandria")) throw notAvailable("Provider-tool mode (alexandria)");
}

function invalidId(): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}

function nothingKept(): ServiceError {
  const message = "Your team has zero data retention: scrapes cannot be fetched again.";
  return new ServiceError("BAD_REQUEST", { message });
}

function linkBase({ protocol, host }: FastifyRequest, { publicUrl }: ScrapeRoutes): string {
  return publicUrl ?? `${protocol}://${host}`;
}

async function runJob(job: ScrapeJob, reply: FastifyReply, routes: ScrapeRoutes): Promise<Scraped> {
  const timeoutMs = job.plan.timeoutMs - ANSWER_MARGIN_MS;
  try {
    const scraped = await (scrapeFromMemory(job, routes.services) ??
      withDeadline(reply, timeoutMs, (signal, end) => {
        const forget = routes.revocations.watch(job.caller, end);
        return scrapeInTurn(job, routes, signal).finally(forget);
      }));
    routes.metrics.countScrape({ result: "ok", cacheState: scraped.facts.cacheState ?? "none" });
    return scraped;
  } catch (failure) {
    const result = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
    routes.metrics.countScrape({ result, cacheState: "none" });
    throw failure;
  }
}

/** Waits for the team's turn, then scrapes. The wait counts into the timeout. */
async function scrapeInTurn(job: ScrapeJob, routes: ScrapeRoutes, signal: AbortSignal): Promise<Scraped> {
  const slot = await routes.limits.enter(job.caller, job.plan.timeoutMs, signal);
  try {
    return await scrape({ ...job, queuedMs: slot.waitedMs }, routes.services, signal);
  } finally {
    slot.release();
  }
}

/**
 * Work whose signal aborts at the deadline, or when the client goes away, with a ServiceError that says which, or when
 * `end` is called.
 */
async function withDeadline<T>(
  reply: FastifyReply,
  timeoutMs: number,
  work: (signal: AbortSignal, end: (reason: Error) => void) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, () => new ServiceError("SCRAPE_TIMEOUT"));
  const clientGone = () => {
    if (!reply.raw.writableFinished) deadline.cancel(new ServiceError("SCRAPE_JOB_CANCELLED"));
  };
  reply.raw.once("close", clientGone);
  if (reply.raw.closed) clientGone();
  try {
    return await work(deadline.signal, deadline.cancel);
  } finally {
    deadline.clear();
    reply.raw.off("close", clientGone);
  }
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
