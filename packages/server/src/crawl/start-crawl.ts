import type { Caller } from "../accounts/callers.ts";
import { givenAddress } from "@pergamon-dev/kit/address";
import { ForbiddenError, ServiceError } from "../api/errors.ts";
import type { RunPlace, RunPlaces } from "../jobs/run-place.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { Statements } from "../storage/database/database.ts";
import { startJob } from "../scrape/request/job.ts";
import type { RunServices } from "../scrape/run.ts";
import { refuseBadPatterns } from "../fetch/urls/pattern-lists.ts";
import { acceptRun, placeFor } from "../jobs/accept-run.ts";
import { teamConcurrency } from "../jobs/job-service.ts";
import { CRAWL } from "./crawl-family.ts";
import type { CrawlPlan, CrawlPlans } from "./crawl-plans.ts";
import { type CrawlOptions, type CrawlRequest, optionsOf } from "./crawl-request.ts";
import { type CrawlProposal, proposeOptions } from "./crawl-prompt.ts";
import { insertCrawl, reserveNumbers } from "./crawl-rows.ts";
import { identityKey } from "./find-links.ts";
import { insertUrls } from "./frontier.ts";

export interface CrawlServices {
  readonly places: RunPlaces;
  readonly scraping: RunServices;
  readonly plans: CrawlPlans;
  readonly matchPatterns: MatchPatterns;
  /** @throws ZodError for an invalid body. */
  readonly request: (body: unknown) => CrawlRequest;
  /** Whether everybody may pass robots.txt: without keys, the service is for those who run it. */
  readonly mayPassRobots: boolean;
  /** Undefined when the operator has set none. */
  readonly models: LanguageModels;
  /** Which processes work on what is started. Default: those of the service. */
  readonly lane?: string;
}

/** Who wants a crawl of what. */
export interface CrawlCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: unknown;
  /** Asked for when everything else is known to be right. @throws ServiceError for one that is not a UUID. */
  readonly idempotencyKey: () => string | undefined;
  readonly signal: AbortSignal;
  /** Rows of the caller's, in the transaction that starts the crawl. @throws to start none. */
  readonly within?: (inside: Statements, crawlId: string) => Promise<void>;
}

export interface StartedCrawl {
  readonly id: string;
  readonly options: CrawlOptions;
  /** What a model made of the prompt, if there was one. */
  readonly proposed: CrawlProposal | undefined;
}

/**
 * Starts a crawl. When it resolves, the crawl is written down; nothing has been fetched yet.
 * @throws ZodError for an invalid body; ServiceError, ForbiddenError and ConflictError in the order of the
 * contract of the families, section 1.12.
 */
export async function startCrawl(call: CrawlCall, services: CrawlServices): Promise<StartedCrawl> {
  const { caller, linkBase, signal } = call;
  const { request, body, proposed } = await readRequest(call, services);
  await refuseBadPatterns(request, services.matchPatterns, signal);
  const plan = services.plans.planOf(optionsOf(request, body));
  const { options } = plan;
  const { request: pageRequest } = startJob(plan.pages.for(options.url), { kind: "crawl", caller, linkBase });
  refuseRobots(options, caller, services);
  const idempotencyKey = call.idempotencyKey();
  const place = await placeFor(services.places, pageRequest, caller);
  const limit = await affordableLimit(options.limit, caller, services);
  const id = uuidV7();
  const concurrency = await teamConcurrency(caller, services.scraping);
  await acceptRun(
    { places: services.places, place },
    { id, teamId: caller.teamId, family: CRAWL, idempotencyKey },
    async (inside) => {
      await call.within?.(inside, id);
      await begin(inside, { id, call, request, plan, place, limit, concurrency }, services);
    },
  );
  return { id, options, proposed };
}

interface ReadRequest {
  readonly request: CrawlRequest;
  readonly body: unknown;
  readonly proposed: CrawlProposal | undefined;
}

/** The request, with the options that a model finds in its prompt; fields that were sent win. */
async function readRequest(
  { body, caller: { teamId }, signal }: CrawlCall,
  { request: read, scraping, models }: CrawlServices,
): Promise<ReadRequest> {
  if (typeof body === "object" && body !== null) scraping.blockedSites.refuseBody(body);
  const request = read(body);
  const { url, prompt } = request;
  if (prompt === undefined) return { request, body, proposed: undefined };
  const proposed = await proposeOptions({ url, prompt, teamId }, models, signal);
  const whole = { ...proposed, ...(body as object) };
  return { request: read(whole), body: whole, proposed };
}

/** @throws ForbiddenError when the team has to heed robots.txt. */
function refuseRobots(
  { ignoreRobotsTxt, robotsUserAgent }: CrawlOptions,
  { team }: Caller,
  { mayPassRobots }: CrawlServices,
): void {
  if (mayPassRobots || team.flags.passRobots === true) return;
  const field = ignoreRobotsTxt
    ? "ignoreRobotsTxt"
    : robotsUserAgent === undefined
      ? undefined
      : "robotsUserAgent";
  if (field !== undefined) throw new ForbiddenError(`${field} is not enabled for your team.`);
}

/** As many pages as there are credits. @throws ServiceError insufficient_credits when there are none. */
async function affordableLimit(
  limit: number,
  { payer }: Caller,
  { scraping: { credits } }: CrawlServices,
): Promise<number> {
  const left = (await credits.left(payer)) ?? limit;
  if (left < 1) throw new ServiceError("insufficient_credits");
  return Math.min(limit, Math.floor(left));
}

interface Beginning {
  readonly id: string;
  readonly call: CrawlCall;
  readonly request: CrawlRequest;
  readonly plan: CrawlPlan;
  readonly place: RunPlace;
  readonly limit: number;
  readonly concurrency: number | undefined;
}

async function begin(
  inside: Statements,
  { id, call, request, plan: { options }, place, limit, concurrency }: Beginning,
  { plans, lane }: CrawlServices,
): Promise<void> {
  const { caller, linkBase } = call;
  const { teamId, keyId } = caller;
  const url = new URL(options.url);
  url.hash = "";
  const delayMs = Math.ceil((options.delay ?? 0) * 1000);
  const isByLevel = options.maxDiscoveryDepth !== undefined;
  const crawl = await insertCrawl(inside, {
    runId: id,
    teamId,
    siteUrl: url.href,
    limit,
    delayMs,
    isByLevel,
  });
  const identity = identityKey(url, options);
  const start = { order: 0, url: givenAddress(options.url), identity, depth: 0, chain: 0 };
  await insertUrls(inside, crawl, await reserveNumbers(inside, crawl, 1), [start]);
  await place.dispatcher.start(inside, {
    id,
    teamId,
    keyId,
    family: CRAWL,
    lane,
    options: plans.seal(id, options),
    linkBase,
    total: 1,
    maxConcurrency: delayMs > 0 ? 1 : options.maxConcurrency,
    teamConcurrency: concurrency,
    webhook: request.webhook,
  });
  if (limit < options.limit) {
    const lowered = `The limit was lowered to ${limit} by the remaining credits.`;
    await place.dispatcher.warn(inside, id, lowered);
  }
}
