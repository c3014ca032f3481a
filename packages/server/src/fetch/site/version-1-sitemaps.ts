import type { LooseOptions } from "../../scrape/version-1-options.ts";

interface SitemapFlags {
  readonly ignoreSitemap?: unknown;
  readonly sitemapOnly?: unknown;
}

/** What the flags of version 1 about sitemaps are in version 2. */
export function sitemapUse({ ignoreSitemap, sitemapOnly }: SitemapFlags): LooseOptions {
  if (sitemapOnly === true) return { sitemap: "only" };
  return ignoreSitemap === true ? { sitemap: "skip" } : {};
}
