import { stableHash } from "@pergamon-dev/kit/hash";
import { routeOf } from "@pergamon-dev/kit/url";
import type { Screenshot } from "./capture-rows.ts";

/** What two requests must share to share a page (contract, section 3.24). */
export interface CacheKey {
  /** As `cacheUrl` spells it. */
  readonly url: string;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  readonly country: string;
  /** In order of preference. */
  readonly languages: readonly string[];
  readonly enhanced: boolean;
  /** As a request: `none` is content with any page. As a capture: what it holds. */
  readonly screenshot: Screenshot;
  /** Whether it is not a page but what a site says to programs, such as a sitemap. */
  readonly isSiteFile?: true;
}

const INDEX_FILE = /\/index\.(?:html|php|htm|shtml|xml)$/i;

/**
 * The URL under which a page is cached: spellings that servers treat alike become one (contract, section 3.24).
 * No `www.`, no fragment but a route, no default port, no trailing slash or index file; scheme and query stay.
 */
export function cacheUrl(url: string): string {
  const { protocol, host, hostname, port, pathname, search, hash } = new URL(url);
  const isDefaultPort = port === "80" || port === "443";
  const name = (isDefaultPort ? hostname : host).replace(/^www\./, "").replace(/\.(?=$|:)/, "");
  return `${protocol}//${name}${pathname.replace(INDEX_FILE, "").replace(/\/$/, "")}${search}${routeOf(hash)}`;
}

/** Plans outlive their scrapes, and their keys with them. */
const hashes = new WeakMap<CacheKey, string>();

/** Names all captures that share a key. */
export function hashOfKey(key: CacheKey): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const hash = computeHash(key);
  hashes.set(key, hash);
  return hash;
}

/** Screenshots are left out: a page with one also answers those who want none. */
function computeHash(key: CacheKey): string {
  const { url, mobile, blockAds, country, languages, enhanced, isSiteFile } = key;
  return stableHash({
    url,
    mobile,
    blockAds,
    country: country.toUpperCase(),
    languages: languages.map((language) => language.toLowerCase()),
    enhanced,
    isSiteFile,
  });
}
