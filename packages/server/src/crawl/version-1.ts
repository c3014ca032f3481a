import { z } from "zod";

import { SCRAPE_ID, success, URL as EXAMPLE_URL } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { batch } from "../batch/batch.ts";
import { CRAWL } from "./crawl-family.ts";
import { activeCrawlOperations, type CrawlOperationServices } from "./crawl-operations.ts";
import { excludeDeeper, PathDepth } from "./path-depth.ts";
import { startCrawl } from "./start-crawl.ts";
import { readRunErrors, runOperations } from "../jobs/run-operations.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";
import { sameInVersion1 } from "../api/version-1.ts";
import { type LooseOptions, withoutOptions } from "../scrape/version-1-options.ts";
import { sitemapUse } from "../fetch/site/version-1-sitemaps.ts";

const PATH = "/v1/crawl";
const DEFAULT_DEPTH = 10;

const start = defineOperation({
  line: `POST ${PATH}`,
  tag: "Version 1",
  summary: "Scrape the pages of a site",
  endpoint: "crawl",
  rate: "crawl",
  isPaid: true,
  takesIdempotencyKey: true,
  body: defineShape(
    "CrawlRequest1",
    z.looseObject({
      url: z.string().max(limits.urlLength),
      maxDepth: PathDepth.default(DEFAULT_DEPTH).describe("Segments of the paths of pages, at most."),
      ignoreSitemap: z.boolean().optional(),
      allowBackwardLinks: z
        .boolean()
        .optional()
        .describe("Visit the whole site, not only what is below url."),
    }),
    { url: "https://example.com", limit: 100 },
  ),
  answer: defineShape("CrawlAnswer1", z.strictObject({ success: Success, id: z.uuid(), url: z.string() }), {
    success,
    id: SCRAPE_ID,
    url: `${EXAMPLE_URL}v1/crawl/${SCRAPE_ID}`,
  }),
  errors: [402, 403, 409],
  async handle(call, services: CrawlOperationServices) {
    const { caller, linkBase, signal } = call;
    if (call.body["zeroDataRetention"] === true) call.keepPrivate();
    const body = bodyOf(call.body);
    const idempotencyKey = () => call.idempotencyKey;
    const { id } = await startCrawl({ caller, linkBase, body, idempotencyKey, signal }, services);
    call.note({ crawlId: id });
    return { success: true, id, url: `${linkBase}${PATH}/${id}` };
  },
});

/** Clients of version 1 follow batches there, too. */
export const crawl1Routes = {
  families: [CRAWL, batch.name],
  title: "Crawl",
  path: PATH,
  endpoint: "crawl",
  tag: "Version 1",
} as const;

export const crawl1: readonly Operation<CrawlOperationServices>[] = [
  start,
  ...sameInVersion1(activeCrawlOperations),
  ...runOperations(crawl1Routes),
  readRunErrors(crawl1Routes, "DELETE"),
];

interface Crawl1 extends LooseOptions {
  readonly url: string;
  readonly maxDepth: number;
  readonly ignoreSitemap?: boolean | undefined;
  readonly allowBackwardLinks?: boolean | undefined;
}

const OLDER_FIELDS = [
  "maxDepth",
  "ignoreSitemap",
  "sitemapOnly",
  "allowBackwardLinks",
  "scrapeOptions",
  "excludePaths",
];

function bodyOf(body: Crawl1): LooseOptions {
  const { allowBackwardLinks, scrapeOptions } = body;
  const isGiven = typeof scrapeOptions === "object" && scrapeOptions !== null;
  return {
    ...withoutOptions(body, OLDER_FIELDS),
    ...sitemapUse(body),
    ...(allowBackwardLinks !== undefined && { crawlEntireDomain: allowBackwardLinks }),
    excludePaths: excludeDeeper(body),
    scrapeOptions: isGiven ? jobOptionsOf(scrapeOptions as LooseOptions) : jobOptionsOf({}),
  };
}
