import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { NotFoundError, ServiceError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { startDeadline } from "../../kit/deadline.ts";
import { untilAborted } from "../../kit/single-flight.ts";
import { isUuid } from "../../kit/uuid.ts";
import { scrapeFromMemory } from "../../scrape/from-memory.ts";
import { notAvailable } from "../../scrape/not-implemented.ts";
import { recall } from "../../scrape/recall.ts";
import { scrapeRequestSchema } from "../../scrape/request.ts";
import { openPlanner, type ScrapeJob, startJob } from "../../scrape/job.ts";
import { type Scraped, type ScrapeServices, scrape } from "../../scrape/scrape.ts";
import type { Metrics } from "../metrics.ts";
import { sendJsonParts } from "../send-json.ts";

export interface ScrapeRoutes {
  readonly services: ScrapeServices;
  readonly metrics: Metrics;
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
  const plan = openPlanner(scrapeRequestSchema(routes.admitsHost));

  app.post("/v2/scrape", async (request, reply) => {
    refuseProviderTools(request.body);
    const { id, caller } = request;
    const job = startJob(plan(request.body), { id, caller, linkBase: linkBase(request, routes) });
    const { document, facts } = await runJob(job, reply, routes);
    noteScrape(request, job, facts.cacheState);
    if (routes.showsTimings) reply.header("server-timing", serverTiming(document.timings));
    sendJsonParts(reply, document.encode(facts));
  });

  app.get<{ Params: { id: string } }>("/v2/scrape/:id", async (request, reply) => {
    const { id } = request.params;
    if (!isUuid(id)) throw invalidId();
    const { services } = routes;
    const base = linkBase(request, routes);
    const data = await untilGone(reply, limits.timeoutMs.default, (signal) =>
      recall(id, request.caller.teamId, services, { linkBase: base, signal }),
    );
    if (!data) throw new NotFoundError("Job not found.");
    return { success: true, data };
  });

  for (const method of ["POST", "DELETE"] as const) {
    app.route({
      method,
      url: "/v2/scrape/:id/interact",
      handler: async () => {
        throw notAvailable("Interacting with a scraped page");
      },
    });
  }
}

function refuseProviderTools(body: unknown): void {
  const isObject = typeof body === "object" && body !== null;
  if (isObject && Object.hasOwn(body, "alexandria")) throw notAvailable("Provider-tool mode (alexandria)");
}

function invalidId(): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}

function linkBase({ protocol, host }: FastifyRequest, { publicUrl }: ScrapeRoutes): string {
  return publicUrl ?? `${protocol}://${host}`;
}

async function runJob(job: ScrapeJob, reply: FastifyReply, routes: ScrapeRoutes): Promise<Scraped> {
  const timeoutMs = job.plan.timeoutMs - ANSWER_MARGIN_MS;
  try {
    const scraped =
      scrapeFromMemory(job, routes.services) ??
      (await untilGone(reply, timeoutMs, (signal) => scrape(job, routes.services, signal)));
    routes.metrics.countScrape({ result: "ok", cacheState: scraped.facts.cacheState ?? "none" });
    return scraped;
  } catch (failure) {
    const result = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
    routes.metrics.countScrape({ result, cacheState: "none" });
    throw failure;
  }
}

/** Works until the deadline, or until the client goes away. @throws ServiceError when it is either. */
async function untilGone<T>(
  reply: FastifyReply,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, () => new ServiceError("SCRAPE_TIMEOUT"));
  const clientGone = () => {
    if (!reply.raw.writableFinished) deadline.cancel(new ServiceError("SCRAPE_JOB_CANCELLED"));
  };
  reply.raw.once("close", clientGone);
  try {
    return await untilAborted(work(deadline.signal), deadline.signal);
  } finally {
    deadline.clear();
    reply.raw.off("close", clientGone);
  }
}

/** What the log line of a scrape tells. The host is enough to understand it; paths and queries may hold secrets. */
function noteScrape(request: FastifyRequest, { id, plan }: ScrapeJob, cacheState: string | undefined): void {
  if (plan.lockdown) return;
  request.notes = { scrapeId: id, host: plan.host, ...(cacheState && { cache: cacheState }) };
}

/** Format of the `Server-Timing` header (W3C Server Timing). */
function serverTiming(timings: ReadonlyMap<string, number>): string {
  return [...timings].map(([stage, durationMs]) => `${stage};dur=${durationMs.toFixed(2)}`).join(", ");
}
