import { z } from "zod";

import { ignoredOptions } from "../api/request.ts";
import { scrapeOptionsSchema, type scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { PlannedScrape } from "../scrape/request/job.ts";
import { outlined } from "../scrape/request/outlined.ts";
import type { Plan } from "../scrape/request/plan.ts";
import { planForAll, type PlannedOptions } from "../scrape/request/planned-options.ts";
import { webhookEvents, webhookSchema } from "../jobs/webhook-setting.ts";
import { checkPatternLists, patternFields } from "../fetch/urls/pattern-lists.ts";

export const MAX_PROMPT_LENGTH = 10_000;
const DEFAULT_LIMIT = 10_000;
/** Documents per crawl, unless the operator configures another limit. */
export const DEFAULT_MAX_LIMIT = 1_000_000;
const MAX_DELAY_SECONDS = 60;

/** Second words of a crawl's event types. */

const Flag = z.boolean();

/** Fields of a crawl that decide which pages it visits, and how fast. */
function crawlFields(maxLimit: number) {
  return {
    ...patternFields,
    maxDiscoveryDepth: z
      .int()
      .min(0)
      .optional()
      .describe("Links to follow from the start or a page of a sitemap at most."),
    sitemap: z
      .enum(["include", "skip", "only"])
      .optional()
      .describe("Whether to use sitemaps: with links, not at all, or only them. Default: include.")
      .meta({ default: "include" }),
    ignoreQueryParameters: Flag.default(false).describe("Visit one page for each path."),
    deduplicateSimilarURLs: Flag.default(true).describe(
      "Take URLs for one page that differ in www, scheme, index file, last slash, session or campaign, and pages with the same text and canonical URL.",
    ),
    deduplicateContent: Flag.default(false).describe("Take pages with the same text for one."),
    limit: z
      .int()
      .min(1)
      .max(maxLimit)
      .default(Math.min(DEFAULT_LIMIT, maxLimit))
      .describe("The most documents."),
    crawlEntireDomain: Flag.default(false).describe("Also visit pages outside the path of url."),
    allowSubdomains: Flag.default(false).describe("Visit pages of subdomains, too."),
    allowExternalLinks: Flag.default(false).describe("Visit pages of other sites that pages link to."),
    delay: z
      .number()
      .min(0)
      .refine((seconds) => seconds <= MAX_DELAY_SECONDS, {
        error: "The delay parameter is measured in seconds and cannot exceed 60 seconds.",
      })
      .optional()
      .meta({ maximum: MAX_DELAY_SECONDS })
      .describe("Seconds between two pages, which are visited one at a time then."),
  };
}

/**
 * Body of `POST /v2/crawl` (families, section 4.1).
 * @param scrape body of a scrape, which shares some fields.
 */
export function crawlRequestSchema({ shape }: ReturnType<typeof scrapeRequestSchema>, maxLimit: number) {
  return z
    .strictObject({
      url: shape.url.describe("The page to start from. Only pages at or below its path are visited."),
      prompt: z
        .string()
        .max(MAX_PROMPT_LENGTH)
        .optional()
        .transform((text) => text || undefined)
        .describe("What to crawl, in words: a language model chooses the options that are not given."),
      ...crawlFields(maxLimit),
      ignoreSitemap: Flag.optional().describe("True: as sitemap `skip`, unless sitemap is given."),
      allowBackwardLinks: Flag.optional().describe("As crawlEntireDomain, unless that is true."),
      ignoreRobotsTxt: Flag.default(false).describe("Visit pages that robots.txt keeps robots from."),
      robotsUserAgent: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe("User agent that requests robots.txt and follows its rules."),
      maxConcurrency: z.int().min(1).optional().describe("The most pages at once."),
      scrapeOptions: scrapeOptionsSchema()
        .superRefine(refuseLockdown)
        .optional()
        .describe("How pages are scraped, as in `POST /v2/scrape`."),
      webhook: webhookSchema("crawl", webhookEvents.crawl).optional(),
      zeroDataRetention: shape.zeroDataRetention,
      origin: shape.origin,
      integration: shape.integration,
      ...ignoredOptions,
    })
    .superRefine(checkPatternLists)
    .transform(({ ignoreSitemap, allowBackwardLinks, ...request }) => ({
      ...request,
      crawlEntireDomain: request.crawlEntireDomain || allowBackwardLinks === true,
      sitemap: request.sitemap ?? (ignoreSitemap === true ? ("skip" as const) : ("include" as const)),
    }));
}

export type CrawlRequest = z.output<ReturnType<typeof crawlRequestSchema>>;

/** Options that are stored as JSON while the crawl runs. */
export interface CrawlOptions extends Omit<
  CrawlRequest,
  "scrapeOptions" | "prompt" | "webhook" | keyof typeof ignoredOptions
> {
  /** As sent by the client. */
  readonly scrapeOptions: object;
}

/** @param body body before it was parsed. */
export function optionsOf(request: CrawlRequest, body: unknown): CrawlOptions {
  const { prompt: _prompt, webhook: _webhook, ...options } = request;
  const ignored = Object.keys(ignoredOptions);
  const lasting = Object.fromEntries(Object.entries(options).filter(([name]) => !ignored.includes(name)));
  const { scrapeOptions = {} } = body as { readonly scrapeOptions?: object };
  return { ...(lasting as typeof options), scrapeOptions };
}

/** Lockdown allows no visits, but a crawl finds pages that were not fetched before. */
function refuseLockdown({ lockdown }: { readonly lockdown: boolean }, context: z.RefinementCtx): void {
  if (!lockdown) return;
  context.addIssue({ code: "custom", path: ["lockdown"], message: "lockdown is not supported here." });
}

export interface CrawlPlan {
  readonly options: CrawlOptions;
  /** Plans whose scrapes also return the links of their pages. */
  readonly pages: PlannedOptions;
}

export function planCrawl(options: CrawlOptions): CrawlPlan {
  const { scrapeOptions, zeroDataRetention, origin, integration } = options;
  const labels = { origin, ...(integration !== undefined && { integration }) };
  const sent = { ...labels, ...scrapeOptions };
  const pages = planForAll({ ...scrapeOptionsSchema().parse(sent), zeroDataRetention }, sent);
  return { options, pages: { for: (url) => asPage(pages.for(url), url, options) } };
}

function asPage(planned: PlannedScrape, url: string, options: CrawlOptions): PlannedScrape {
  const { plan, planWithoutTraces } = planned;
  return {
    ...planned,
    plan: outlined(spelled(plan, url, options)),
    ...(planWithoutTraces && { planWithoutTraces: () => outlined(planWithoutTraces()) }),
  };
}

/** The cache treats some spellings as one page that are separate pages in this crawl. */
function spelled(plan: Plan, url: string, { deduplicateSimilarURLs }: CrawlOptions): Plan {
  if (deduplicateSimilarURLs) return plan;
  return { ...plan, cache: { ...plan.cache, key: { ...plan.cache.key, url } } };
}
