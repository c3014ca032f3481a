import type { Caller } from "../accounts/callers.ts";
import { credits } from "../api/credits.ts";
import { startJob } from "../scrape/request/job.ts";
import { highestPrice } from "../scrape/request/price.ts";
import { runsWithin, type Schedule } from "../jobs/schedule/schedule.ts";
import { planTarget } from "./plans.ts";
import { isJudging, type MonitorPlan } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import type { CrawlTarget, Target } from "./targets.ts";

/** Estimated pages of the first check of a crawl. Later checks use the number of known pages. */
const FIRST_CRAWL_PAGES = 10;
const RESULTS_OF_A_PRICE = 10;
const DAYS = 30;

interface EstimateOrder {
  readonly monitorId: string;
  readonly plan: MonitorPlan;
  readonly caller: Caller;
  readonly linkBase: string;
}

/** Highest expected price of a check: every page has changed and is judged. */
export async function estimateCheck(order: EstimateOrder, services: MonitorServices): Promise<number> {
  let sum = 0;
  for (const target of order.plan.targets) sum += await priceOfTarget(target, order, services);
  return sum;
}

/** Highest expected price of thirty days. */
export function estimateMonth(checkCredits: number, schedule: Schedule, fromMs: number): number {
  return checkCredits * runsWithin(schedule, { fromMs, days: DAYS });
}

async function priceOfTarget(
  target: Target,
  order: EstimateOrder,
  services: MonitorServices,
): Promise<number> {
  if (target.type === "search") {
    const { queries, maxResults } = target;
    const searched = Math.ceil(maxResults / RESULTS_OF_A_PRICE) * credits.searchResults;
    return queries.length * searched + (isJudging(order.plan) ? maxResults * credits.judgment : 0);
  }
  const first = target.type === "crawl" ? target.url : target.urls[0];
  const judged = isJudging(order.plan) ? credits.judgment : 0;
  const price = first === undefined ? 0 : pagePrice(target, first, order, services) + judged;
  if (target.type === "scrape") return target.urls.length * price;
  const { states, store } = services;
  const known = await states.count(store.database, order.monitorId, target.id);
  return (known > 0 ? known : firstPages(target)) * price;
}

function firstPages({ crawlOptions = {} }: CrawlTarget): number {
  const { limit } = crawlOptions as { readonly limit?: unknown };
  return typeof limit === "number" ? Math.min(limit, FIRST_CRAWL_PAGES) : FIRST_CRAWL_PAGES;
}

/** @throws ForbiddenError and ServiceError when the caller may not ask for such a page. */
function pagePrice(
  target: Target,
  url: string,
  { caller, linkBase }: EstimateOrder,
  { scraping }: MonitorServices,
): number {
  const planned = planTarget(target).pages.for(url);
  const job = startJob(planned, { kind: "monitor", caller, linkBase });
  return highestPrice(job, { threatScans: 0, hasModel: scraping.answers.asksModel });
}
