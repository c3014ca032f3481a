import { z } from "zod";

import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { crawl } from "./crawl.ts";
import { excludeDeeper, PathDepth } from "../fetch/urls/path-depth.ts";
import { BATCH } from "../jobs/job-rows.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";
import { type LooseOptions, withoutOptions } from "../scrape/version-1-options.ts";
import { sitemapUse } from "../fetch/site/version-1-sitemaps.ts";

const DEFAULT_DEPTH = 10;

/** Crawls for clients of version 1. */
export const crawl1 = crawl.version1({
  path: "/v1/crawl",
  body: defineShape(
    "CrawlRequest1",
    () =>
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
  answer: defineShape(
    "CrawlAnswer1",
    () => z.strictObject({ success: Success, id: z.uuid(), url: z.string() }),
    {
      success,
      id: SCRAPE_ID,
      url: `${EXAMPLE_URL}v1/crawl/${SCRAPE_ID}`,
    },
  ),
  bodyOf: (body) => bodyOf(body as Crawl1),
  // Clients of version 1 also watch batches here.
  others: [BATCH],
});

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
