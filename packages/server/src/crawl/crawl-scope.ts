import type { CrawlScope } from "../fetch/urls/scope.ts";
import { siteOf } from "../fetch/urls/site.ts";
import type { RobotsRules } from "../fetch/site/robots.ts";
import type { CrawlOptions } from "./crawl-request.ts";
import type { Crawl } from "./crawl-rows.ts";

/** What robots.txt of an origin says; undefined where it was not asked yet. */
export type KnownRobots = (origin: string) => RobotsRules | undefined;

/**
 * Which pages belong to a crawl, as far as can be decided at once: patterns are looked at elsewhere, and hosts whose
 * robots.txt is not known are asked when the turn of their first page comes.
 */
export function scopeOf({ siteUrl }: Pick<Crawl, "siteUrl">, options: CrawlOptions, known: KnownRobots) {
  return {
    site: siteOf(new URL(siteUrl)),
    hasAllPaths: options.crawlEntireDomain,
    hasSubdomains: options.allowSubdomains,
    hasExternalLinks: options.allowExternalLinks,
    maxDepth: options.maxDiscoveryDepth,
    fitsPatterns: () => true,
    isAllowedByRobots: (url) => options.ignoreRobotsTxt || (known(url.origin)?.allows(url) ?? true),
  } satisfies CrawlScope;
}

/**
 * The address that decides what belongs to the crawl, once its start has ended somewhere: on the host where it ended, and
 * below the path that was asked for, unless the site has moved that.
 */
export function siteAfterStart(asked: URL, arrived: URL): string {
  const moved = new URL(asked.pathname, arrived.origin);
  return siteOf(moved).isBelow(arrived) ? moved.href : arrived.href;
}
