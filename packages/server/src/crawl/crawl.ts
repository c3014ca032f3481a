import { z } from "zod";

import { givenAddress } from "@pergamon-dev/kit/address";

import type { Caller } from "../accounts/callers.ts";
import { ForbiddenError } from "../api/errors.ts";
import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { refuseBadPatterns } from "../fetch/urls/pattern-lists.ts";
import type { ListPart, NextTask, Task } from "../jobs/job-handler.ts";
import { defineJobKind, type JobCall, type PlacedContext } from "../jobs/job-kind.ts";
import { giveUpPage } from "../jobs/make-page.ts";
import { STOPPED } from "../jobs/page-rows.ts";
import { getJob, type Job } from "../jobs/job-rows.ts";
import { PatternsTooSlow } from "../scrape/page/match-small-here.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import type { Statements } from "../storage/database/database.ts";
import { AnyOptions, type CrawlContext, crawlOperationsAt } from "./operations.ts";
import { CrawlPage, type CrawlTask } from "./page.ts";
import { type CrawlProposal, proposeOptions } from "./prompt.ts";
import {
  type CrawlOptions,
  type CrawlPlan,
  type CrawlRequest,
  crawlRequestSchema,
  DEFAULT_MAX_LIMIT,
  optionsOf,
  planCrawl,
} from "./request.ts";
import { countOutcomes } from "./outcomes.ts";
import { endSitemaps, readSitemaps } from "./sitemaps.ts";
import {
  countUrls,
  type Crawl,
  getCrawl,
  insertCrawl,
  insertUrls,
  listOpenUrls,
  moveStage,
  readUrl,
  reserveNumbers,
  ROWS,
  takeAllWaiting,
  takeUrls,
  UrlState,
} from "./frontier.ts";
import { identityKey, KnownLinks, UrlPolicy } from "./url-policy.ts";

/** Payload of the task that reads sitemaps. The payloads of pages are their numbers. */
const SITEMAPS = "sitemaps";
/** Payload of the task that reports the pages which are not visited any more. */
const REST = "rest";
/** Maximum number of errors that clients are shown. */
const MAX_LISTED = 10_000;
/** Pages at once, unless the request or the team has a limit. A site has few hosts, which are visited less often. */
const MAX_AT_ONCE = 64;
const NO_CREDITS = {
  code: "insufficient_credits",
  message: "The credits are used up, so the page was not made.",
};

type Placed = PlacedContext<
  CrawlContext & { readonly knownLinks: KnownLinks },
  CrawlRequest,
  CrawlOptions,
  CrawlPlan
>;

export const crawl = defineJobKind({
  name: "crawl",
  title: "Crawl",
  path: "/v2/crawl",
  endpoint: "crawl",
  summary: "Scrape the pages of a site",
  body: defineShape(
    "CrawlRequest",
    () => z.unknown(),
    { url: "https://example.com", limit: 100 },
    () => crawlRequestSchema(documentedScrapeRequest(), DEFAULT_MAX_LIMIT),
  ),
  answer: defineShape(
    "CrawlAnswer",
    () =>
      z.strictObject({
        success: Success,
        id: z.uuid(),
        url: z.string().describe("Where its state and documents are."),
        promptGeneratedOptions: AnyOptions().optional().describe("What a model made of the prompt."),
        finalCrawlerOptions: AnyOptions()
          .optional()
          .describe("The options that hold, where there was a prompt."),
      }),
    { success, id: SCRAPE_ID, url: `${EXAMPLE_URL}v2/crawl/${SCRAPE_ID}` },
  ),
  errors: [402, 403, 409],
  tables: [
    {
      name: "crawls",
      key: "number",
      rows: [
        { name: "crawl_urls", owner: "crawl", key: "sequence" },
        { name: "crawl_marks", owner: "crawl", key: "mark" },
        { name: "crawl_origins", owner: "crawl", key: "origin" },
      ],
      keptUntil: "expired",
    },
  ],

  request: ({ scrapeSchema, maxCrawlLimit }: CrawlContext) =>
    crawlRequestSchema(scrapeSchema(), maxCrawlLimit),

  plan: planCrawl,

  open: () => ({ knownLinks: new KnownLinks() }),

  async accept(call, context) {
    const { caller, signal } = call;
    const { request, body, proposed } = await readRequest(call, context);
    await refuseBadPatterns(request, context.matchPatterns, signal);
    const options = optionsOf(request, body);
    refuseRobots(options, caller, context);
    const left = (await context.scraping.credits.left(caller.payer)) ?? options.limit;
    // Whether any credits are left is checked later.
    const limit = Math.max(1, Math.min(options.limit, Math.floor(left)));
    const delayMs = Math.ceil((options.delay ?? 0) * 1000);
    return {
      options,
      credits: 1,
      page: planCrawl(options).pages.for(options.url),
      total: 1,
      maxConcurrency: delayMs > 0 ? 1 : (options.maxConcurrency ?? MAX_AT_ONCE),
      webhook: request.webhook,
      warnings: limit < options.limit ? [`The limit was lowered to ${limit} by the remaining credits.`] : [],
      proposed,
      limit,
      delayMs,
    };
  },

  reply({ proposed, options }, url) {
    const prompted = { promptGeneratedOptions: { ...proposed }, finalCrawlerOptions: { ...options } };
    return { url, ...(proposed && prompted) };
  },

  async start(tx, { id: jobId, teamId }, { options, limit, delayMs }) {
    const url = new URL(options.url);
    url.hash = "";
    const isByLevel = options.maxDiscoveryDepth !== undefined;
    const started = await insertCrawl(tx, { jobId, teamId, siteUrl: url.href, limit, delayMs, isByLevel });
    const identity = identityKey(url, options);
    const first = { order: 0, url: givenAddress(options.url), identity, depth: 0, chain: 0 };
    await insertUrls(tx, started, await reserveNumbers(tx, started, 1), [first]);
  },

  maxBlock: 16,

  async next(tx, job, count, context) {
    const found = await getCrawl(tx, job.id);
    if (!found || found.stage === "over") return [];
    if (job.warnings.includes(STOPPED)) {
      await moveStage(tx, found, "over");
      return [{ payload: REST }];
    }
    if (found.stage === "sitemaps") {
      await moveStage(tx, found, "reading");
      return [{ payload: SITEMAPS }];
    }
    return nextPages(tx, { job, found, count }, context);
  },

  async run(task, context) {
    if (isPage(task)) return (await openPage(task, context))?.make(context);
    const crawling = await openTask(task, context);
    if (!crawling) return undefined;
    if (task.payload === REST) return failRest(crawling);
    const matchPatterns = matcherOf(crawling, context);
    const job = await siteJob(crawling, context);
    if (job) await readSitemaps(crawling, job, { ...context.scraping, matchPatterns });
    else await endSitemaps(crawling);
    return undefined;
  },

  async fail(task, reason, context) {
    const page = isPage(task) ? await openPage(task, context) : undefined;
    if (page) return giveUpPage(page.asPageTask(), reason);
    const crawling = await openTask(task, context);
    if (!crawling) return;
    if (task.payload === REST) await endTask(crawling);
    else if (task.payload === SITEMAPS) await endSitemaps(crawling);
  },

  async pending(statements, { id }, part: ListPart) {
    const found = await getCrawl(statements, id);
    return found ? listOpenUrls(statements, found, part) : [];
  },

  async outcomes(statements, job) {
    const found = await getCrawl(statements, job.id);
    return found && (await countOutcomes(statements, found, job)).outcomes;
  },

  /** Adds the hint for narrow crawls that found almost nothing. A start that was refused says why. */
  async ended(tx, job, { options: sealed, store }) {
    const { options } = sealed.of(job);
    const { pathname, hostname } = new URL(options.url);
    if (job.state !== "completed" || job.completed > 1 || options.limit === 1) return;
    if (pathname === "/" || options.crawlEntireDomain) return;
    if ((await getCrawl(tx, job.id))?.stage === "over") return;
    const narrow = `Only ${job.completed} result(s) found. For broader coverage, crawl ${hostname}, or set crawlEntireDomain=true.`;
    await store.dispatcher.warn(tx, job.id, narrow);
  },

  operations: crawlOperationsAt,
});

interface ReadRequest {
  readonly request: CrawlRequest;
  readonly body: unknown;
  /** Options that a model proposed for the prompt, if there was one. */
  readonly proposed: CrawlProposal | undefined;
}

/** The request with the options that a model finds in its prompt. Fields of the request win. */
async function readRequest(
  { body, caller: { teamId }, signal }: JobCall,
  { request: read, scraping, models }: Pick<Placed, "request" | "scraping" | "models">,
): Promise<ReadRequest> {
  if (typeof body === "object" && body !== null) scraping.blockedSites.refuseBody(body);
  const request = read(body);
  const { url, prompt } = request;
  if (prompt === undefined) return { request, body, proposed: undefined };
  const proposed = await proposeOptions({ url, prompt, teamId }, models, signal);
  const whole = { ...proposed, ...(body as object) };
  return { request: read(whole), body: whole, proposed };
}

/** @throws ForbiddenError when the team must obey robots.txt. */
function refuseRobots(
  { ignoreRobotsTxt, robotsUserAgent }: CrawlOptions,
  { team }: Caller,
  { mayPassRobots }: Pick<CrawlContext, "mayPassRobots">,
): void {
  if (mayPassRobots || team.flags.passRobots === true) return;
  const field = ignoreRobotsTxt
    ? "ignoreRobotsTxt"
    : robotsUserAgent === undefined
      ? undefined
      : "robotsUserAgent";
  if (field !== undefined) throw new ForbiddenError(`${field} is not enabled for your team.`);
}

/** Never takes more pages than documents are allowed, because each may become one. */
async function nextPages(
  tx: Statements,
  { job, found, count }: { readonly job: Job; readonly found: Crawl; readonly count: number },
  { store }: Pick<Placed, "store">,
): Promise<readonly NextTask[]> {
  const { stage, limit, delayMs } = found;
  const isFirst = stage === "start";
  // Otherwise all pages that were found may become documents.
  const isNearLimit = isFirst || job.total > limit;
  const underWay = isNearLimit ? await countUrls(tx, found, UrlState.taken) : 0;
  const room = isFirst ? 1 - underWay : isNearLimit ? limit - job.completed - underWay : count;
  if (room <= 0) return [];
  const sequences = await takeUrls(tx, found, delayMs > 0 ? 1 : Math.min(room, count));
  const isPaused = delayMs > 0 && !isFirst;
  const time = isPaused ? { runAtMs: store.clock.now() + delayMs } : {};
  return sequences.map((sequence) => ({ payload: String(sequence), ...time }));
}

async function openTask(task: Task, { store, options }: Placed): Promise<CrawlTask | undefined> {
  const found = await getCrawl(store.database, task.job.id);
  return found && { task, store, crawl: found, plan: options.of(task.job) };
}

function isPage({ payload }: Task): boolean {
  return payload !== SITEMAPS && payload !== REST;
}

/** @returns undefined when the page was deleted with its crawl. */
async function openPage(task: Task, context: Placed): Promise<CrawlPage | undefined> {
  const { store, options } = context;
  const found = await readUrl(store.database, { jobId: task.job.id, sequence: Number(task.payload) });
  if (!found) return undefined;
  const { crawl: now, page } = found;
  const crawling: CrawlTask = { task, store, crawl: now, plan: options.of(task.job) };
  const judged = { crawling, page, siteJob: () => siteJob(crawling, context) };
  const policy = new UrlPolicy(judged, { ...context, matchPatterns: matcherOf(crawling, context) });
  return new CrawlPage(crawling, page, policy);
}

/** Patterns that are too slow for the links of one page are too slow for the next ones, so the crawl ends. */
function matcherOf({ task: { job }, store }: CrawlTask, { matchPatterns }: Placed): MatchPatterns {
  return async (matching, signal) => {
    try {
      return await matchPatterns(matching, signal);
    } catch (failure) {
      if (failure instanceof PatternsTooSlow)
        await store.database.transaction((tx) => store.dispatcher.fail(tx, job.id, failure.message));
      throw failure;
    }
  };
}

/** Job for fetching robots.txt and sitemaps. Undefined when its key is gone or lost its rights. */
async function siteJob(
  { task: { job }, crawl: { siteUrl }, plan }: CrawlTask,
  { callers }: Placed,
): Promise<ScrapeJob | undefined> {
  const caller = await callers.ofWork(job);
  if (!caller) return undefined;
  const { id, linkBase } = job;
  const parent = { id, class: "job" } as const;
  try {
    return startJob(plan.pages.for(siteUrl), { kind: "crawl", caller, linkBase, parent });
  } catch {
    return undefined;
  }
}

/**
 * Runs when the credits are used up: reports the pages that were still waiting, up to the number that clients
 * see.
 */
async function failRest(crawling: CrawlTask): Promise<undefined> {
  const { store, crawl: found, task } = crawling;
  const { job, signal } = task;
  let left = Math.min(MAX_LISTED, Math.max(0, found.limit - job.completed));
  while (left > 0) {
    signal.throwIfAborted();
    const failed = await store.database.transaction(async (tx) => {
      const now = await getJob(tx, job.id);
      if (now?.state !== "scraping") return 0;
      const outcome = { kind: "error", detail: NO_CREDITS.code } as const;
      const urls = await takeAllWaiting(tx, found, Math.min(left, ROWS), outcome);
      for (const url of urls) await store.dispatcher.addFailure(tx, job, { url, ...NO_CREDITS });
      return urls.length;
    });
    left = failed === 0 ? 0 : left - failed;
  }
  await endTask(crawling);
}

async function endTask({ task, store }: CrawlTask): Promise<void> {
  await store.database.transaction(async (tx) => {
    const job = await task.end(tx);
    if (job) await store.dispatcher.dispatchNext(tx, job);
  });
}
