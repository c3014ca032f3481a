import type { LooseOptions } from "../../scrape/version-1-options.ts";

interface SitemapFlags {
  readonly ignoreSitemap?: unknown;
  readonly sitemapOnly?: unknown;
}

/** Converts the sitemap flags of version 1 to version 2. */
export function sitemapUse({ ignoreSitemap, sitemapOnly }: SitemapFlags): LooseOptions {
  if (sitemapOnly === true) return { sitemap: "only" };
  return ignoreSitemap === true ? { sitemap: "skip" } : {};
}
