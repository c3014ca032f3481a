import { LRUCache } from "lru-cache";

import type { JobRun } from "../jobs/run-rows.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { PlannedScrape } from "../scrape/request/job.ts";
import { outlined } from "../scrape/request/outlined.ts";
import { planForAll, type PlannedOptions } from "../scrape/request/planned-options.ts";
import type { Plan } from "../scrape/request/plan.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { CrawlOptions } from "./crawl-request.ts";

/** What all pages of a crawl have in common. */
export interface CrawlPlan {
  readonly options: CrawlOptions;
  /** Of answers that tell where their pages lead, too. */
  readonly pages: PlannedOptions;
}

/** Of as many crawls the plan is made once. */
const REMEMBERED = 200;

/** The options of crawls on their way into the database and back. They may hold cookies and passwords. */
export class CrawlPlans {
  readonly #secrets: Pick<Secrets, "seal" | "open">;
  readonly #plans = new LRUCache<string, CrawlPlan>({ max: REMEMBERED });

  constructor(secrets: Pick<Secrets, "seal" | "open">) {
    this.#secrets = secrets;
  }

  seal(runId: string, options: CrawlOptions): string {
    const content = Buffer.from(JSON.stringify(options));
    return Buffer.from(this.#secrets.seal(content, purposeOf(runId))).toString("base64");
  }

  /** The plan of a run, made once for all its pages. */
  of({ id, options: sealed }: Pick<JobRun, "id" | "options">): CrawlPlan {
    const known = this.#plans.get(id);
    if (known) return known;
    const plan = this.planOf(this.open({ id, options: sealed }));
    this.#plans.set(id, plan);
    return plan;
  }

  open({ id, options: sealed }: Pick<JobRun, "id" | "options">): CrawlOptions {
    const opened = this.#secrets.open(Buffer.from(sealed, "base64"), purposeOf(id));
    return JSON.parse(Buffer.from(opened).toString("utf8")) as CrawlOptions;
  }

  planOf(options: CrawlOptions): CrawlPlan {
    const { scrapeOptions, zeroDataRetention, origin, integration } = options;
    const labels = { origin, ...(integration !== undefined && { integration }) };
    const sent = { ...labels, ...scrapeOptions };
    const pages = planForAll({ ...scrapeOptionsSchema().parse(sent), zeroDataRetention }, sent);
    return { options, pages: { for: (url) => asPage(pages.for(url), url, options) } };
  }
}

function asPage(planned: PlannedScrape, url: string, options: CrawlOptions): PlannedScrape {
  const { plan, planWithoutTraces } = planned;
  return {
    ...planned,
    plan: outlined(spelled(plan, url, options)),
    ...(planWithoutTraces && { planWithoutTraces: () => outlined(planWithoutTraces()) }),
  };
}

/** The cache takes spellings for one page that are pages of their own to such a crawl. */
function spelled(plan: Plan, url: string, { deduplicateSimilarURLs }: CrawlOptions): Plan {
  if (deduplicateSimilarURLs) return plan;
  return { ...plan, cache: { ...plan.cache, key: { ...plan.cache.key, url } } };
}

function purposeOf(runId: string): string {
  return `crawl:${runId}`;
}
