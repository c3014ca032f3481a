import { z } from "zod";

import { ignoredOptions } from "../../contract/request.ts";
import type { scrapeRequestSchema } from "../../scrape/request/schema.ts";
import { checkPatternLists, patternFields } from "../request/pattern-lists.ts";

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
      url: shape.url.describe("The site to map, or the part of it below a path."),
      search: z
        .string()
        .max(10_000)
        .optional()
        .transform((text) => text || undefined)
        .describe("Put links first that fit these words."),
      sitemap: z
        .enum(["include", "skip", "only"])
        .default("include")
        .describe("Whether sitemaps are read beside the page, not at all, or alone."),
      includeSubdomains: Flag.default(true).describe("List pages of subdomains, too."),
      ignoreQueryParameters: Flag.default(true).describe("List one page for each path."),
      limit: z.number().min(1).max(MAX_LINKS).default(DEFAULT_LINKS).describe("The most links to return."),
      timeout: z
        .number()
        .positive()
        .default(DEFAULT_TIMEOUT_MS)
        .describe("Milliseconds. What was found until then is returned."),
      ignoreCache: Flag.default(false).describe("Fetch sitemaps and pages anew."),
      filterByPath: Flag.default(true).describe("List only pages at or below the path of url."),
      useIndex: Flag.default(true).describe("List pages, too, that this service has stored."),
      location: shape.location,
      headers: shape.headers,
      threatProtection: shape.threatProtection,
      auditMetadata: shape.auditMetadata,
      ...patternFields,
      allowExternalLinks: Flag.default(false).describe("List pages of other sites, too."),
      origin: shape.origin,
      integration: shape.integration,
      ...withoutEffect,
      ...ignoredOptions,
    })
    .superRefine(checkPatternLists);
}

export type MapRequest = z.output<ReturnType<typeof mapRequestSchema>>;

/** Options of crawls, which the interface accepts here. They change nothing about a list of links. */
const withoutEffect = {
  maxDiscoveryDepth: z.int().min(0).optional(),
  crawlEntireDomain: Flag.optional(),
  allowSubdomains: Flag.optional(),
  ignoreRobotsTxt: Flag.optional(),
  robotsUserAgent: z.string().max(128).optional(),
  deduplicateSimilarURLs: Flag.optional(),
  delay: z.number().min(0).optional(),
};
