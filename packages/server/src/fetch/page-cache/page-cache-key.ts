import { stableHash } from "@pergamon-dev/kit/hash";
import { routeOf } from "@pergamon-dev/kit/url";
import type { Screenshot } from "./capture-rows.ts";

/** Requests with equal keys share a page (contract, section 3.24). */
export interface CacheKey {
  /** As `cacheUrl` spells it. */
  readonly url: string;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  readonly country: string;
  /** In order of preference. */
  readonly languages: readonly string[];
  readonly enhanced: boolean;
  /** In a request, `none` accepts any page. In a capture, it says what the capture contains. */
  readonly screenshot: Screenshot;
  /** Set for files that sites publish for programs, such as sitemaps. */
  readonly isSiteFile?: true;
}

const INDEX_FILE = /\/index\.(?:html|php|htm|shtml|xml)$/i;

/**
 * URL under which a page is cached. Spellings that servers treat alike become one (contract, section 3.24).
 * Removes `www.`, the fragment unless it is a route, the default port, and a trailing slash or index file.
 * Keeps scheme and query.
 */
export function cacheUrl(url: string): string {
  const { protocol, host, hostname, port, pathname, search, hash } = new URL(url);
  const isDefaultPort = port === "80" || port === "443";
  const name = (isDefaultPort ? hostname : host).replace(/^www\./, "").replace(/\.(?=$|:)/, "");
  return `${protocol}//${name}${pathname.replace(INDEX_FILE, "").replace(/\/$/, "")}${search}${routeOf(hash)}`;
}

/** Plans outlive their scrapes, and so do their keys. */
const hashes = new WeakMap<CacheKey, string>();

/** Names all captures that share a key. */
export function hashOfKey(key: CacheKey): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const hash = computeHash(key);
  hashes.set(key, hash);
  return hash;
}

/** Leaves out screenshots, because a page with one also answers requests without. */
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
