import { limits } from "../../api/limits.ts";
import { type CacheKey, cacheUrl } from "../../fetch/page-cache/page-cache-key.ts";
import type { BrowserOrder } from "../../fetch/visit.ts";
import type { CacheUse } from "../formats/format.ts";
import type { ScrapeOptions } from "./schema.ts";

/** How a scrape uses the cache (contract, sections 3.24 and 3.25). */
export interface CachePlan {
  readonly key: CacheKey;
  /** False when a cached copy must not be used. */
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** False when no stored page can give the answer again, so that the answer itself is kept. */
  readonly mayRemake: boolean;
  /** Error code of a miss. Set when only the cache may answer. */
  readonly missCode?: "SCRAPE_NO_CACHED_DATA" | "SCRAPE_LOCKDOWN_CACHE_MISS";
  /** Undefined means any age. */
  readonly maxAgeMs: number | undefined;
  readonly minAgeMs: number | undefined;
}

interface Circumstances {
  /** How the wanted formats use the cache. */
  readonly uses: ReadonlySet<CacheUse | undefined>;
  /** Whether a stored page may hold the data of the formats. */
  readonly isInCopies: boolean;
  readonly place: Pick<CacheKey, "country" | "languages">;
  readonly browser: BrowserOrder;
}

/** Cache rules that follow from the options, for any address. */
export interface CacheRules extends Omit<CachePlan, "key"> {
  readonly key: Omit<CacheKey, "url">;
  /** Replaces these fields for addresses with user name and password, whose pages must not be shared. */
  readonly ofPrivate: Pick<CachePlan, "mayRead" | "mayWrite">;
}

/** Decides whether the cache may answer and be written to, and with which key. Pure. */
export function cacheRules(
  options: ScrapeOptions,
  { uses, isInCopies, place, browser }: Circumstances,
): CacheRules {
  const { lockdown, minAge } = options;
  const isFresh = options.maxAge === 0;
  // In lockdown only the cache may answer, so it answers with any options.
  const ofPrivate = { mayRead: lockdown && !isFresh, mayWrite: false };
  const isShared = !isPrivate(options) && !uses.has("bypassed") && !hasPdfOptions(options);
  const isRead = isShared && !uses.has("written");
  const missCode = missCodeOf(options);
  return {
    key: {
      mobile: options.mobile,
      blockAds: options.blockAds,
      ...place,
      enhanced: options.proxy === "enhanced",
      screenshot: lockdown ? "none" : screenshotOf(browser),
    },
    mayRead: !isFresh && (lockdown || (minAge === undefined ? isRead : isInCopies && !isPrivate(options))),
    mayWrite: isShared && !lockdown && options.storeInCache && readsPdfs(options),
    ofPrivate,
    mayRemake: !uses.has("written"),
    ...(missCode && { missCode }),
    maxAgeMs: options.maxAge ?? defaultMaxAgeMs(options),
    minAgeMs: minAge,
  };
}

/** Applies the rules to one address. Pure. */
export function cachePlan(url: string, { key, ofPrivate, ...rules }: CacheRules): CachePlan {
  const plan = { ...rules, key: { url: cacheUrl(url), ...key } };
  return hasCredentials(url) ? { ...plan, ...ofPrivate } : plan;
}

/** Whether other visitors would get a different page, or the visit changes the page. */
function isPrivate({ headers, actions, profile }: ScrapeOptions): boolean {
  return Object.keys(headers).length > 0 || actions.length > 0 || profile !== undefined;
}

function missCodeOf({ lockdown, minAge }: ScrapeOptions): CachePlan["missCode"] {
  if (lockdown) return "SCRAPE_LOCKDOWN_CACHE_MISS";
  return minAge === undefined ? undefined : "SCRAPE_NO_CACHED_DATA";
}

function readsPdfs({ parsers }: ScrapeOptions): boolean {
  return parsers.some(({ type }) => type === "pdf");
}

/**
 * A page with a screenshot also serves requests without one, so the key contains it only when it is wanted.
 */
function screenshotOf({ screenshot }: BrowserOrder): CacheKey["screenshot"] {
  if (!screenshot) return "none";
  return screenshot.fullPage ? "full-page" : "viewport";
}

/** A URL with user name or password opens a page that must not be shared. */
function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** With `minAge` and no `maxAge` any age is allowed, except in lockdown, which has its own default. */
function defaultMaxAgeMs({ lockdown, minAge }: ScrapeOptions): number | undefined {
  if (lockdown) return limits.lockdownMaxAgeMs;
  return minAge === undefined ? limits.maxAgeMs : undefined;
}

function hasPdfOptions({ parsers }: ScrapeOptions): boolean {
  const pdf = parsers.find((parser) => parser.type === "pdf");
  if (!pdf) return false;
  const { maxPages, pages, pageMarkdown, blocks, pageMarkers } = pdf;
  return maxPages !== undefined || [pages, pageMarkdown, blocks, pageMarkers].includes(true);
}
