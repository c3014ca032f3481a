import { z } from "zod";

import { ignoredOptions } from "../api/request.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import { checkPatternLists, patternFields } from "../fetch/urls/pattern-lists.ts";

const MAX_LINKS = 100_000;
const DEFAULT_LINKS = 5000;
const DEFAULT_TIMEOUT_MS = 60_000;

const Flag = z.boolean();

/**
 * The body of `POST /v2/map` (families, section 2).
 * @param scrape the body of a scrape, which shares some fields.
 */
export function mapRequestSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  return z
    .strictObject({
      url: shape.url.describe("URL of the site, or of the part of the site to map."),
      search: z
        .string()
        .max(10_000)
        .nullish()
        .transform((text) => text || undefined)
        .describe("Words to rank the links by."),
      sitemap: z
        .enum(["include", "skip", "only"])
        .optional()
        .meta({ default: "include" })
        .describe("Sources: sitemaps and the page (include), only the page (skip), or only sitemaps (only)."),
      ignoreSitemap: Flag.optional().describe("True: as sitemap `skip`, unless sitemap is given."),
      includeSubdomains: Flag.default(true).describe("Include pages of subdomains."),
      ignoreQueryParameters: Flag.default(true).describe("List one URL per path, without query parameters."),
      limit: z.number().min(1).max(MAX_LINKS).default(DEFAULT_LINKS).describe("Maximum number of links."),
      timeout: z
        .number()
        .positive()
        .default(DEFAULT_TIMEOUT_MS)
        .describe("Deadline in milliseconds. Links found before the deadline are returned."),
      ignoreCache: Flag.default(false).describe("Fetch sitemaps and pages again instead of using the cache."),
      filterByPath: Flag.default(true).describe("List only pages at or below the path of url."),
      useIndex: Flag.default(true).describe("Include pages that the team has fetched before."),
      location: shape.location,
      headers: shape.headers,
      threatProtection: shape.threatProtection,
      auditMetadata: shape.auditMetadata,
      ...patternFields,
      allowExternalLinks: Flag.default(false).describe("Include pages of other sites."),
      origin: shape.origin,
      integration: shape.integration,
      ...withoutEffect,
      ...ignoredOptions,
    })
    .superRefine(checkPatternLists)
    .transform(({ ignoreSitemap, ...request }) => ({
      ...request,
      sitemap: request.sitemap ?? (ignoreSitemap === true ? ("skip" as const) : ("include" as const)),
    }));
}

export type MapRequest = z.output<ReturnType<typeof mapRequestSchema>>;

/** Crawl options that the interface accepts here. They have no effect on a list of links. */
const withoutEffect = {
  maxDiscoveryDepth: z.int().min(0).optional(),
  crawlEntireDomain: Flag.optional(),
  allowSubdomains: Flag.optional(),
  ignoreRobotsTxt: Flag.optional(),
  robotsUserAgent: z.string().max(128).optional(),
  deduplicateSimilarURLs: Flag.optional(),
  delay: z.number().min(0).optional(),
};
