import { limits } from "../../contract/limits.ts";
import { withoutCredentials } from "../../kit/url.ts";
import type { PageOptions } from "../../page/page.ts";
import { type CacheKey, cacheUrl } from "../../stores/captures/page-cache-key.ts";
import { exportUrl } from "./export-url.ts";
import { isInjectionChecked } from "./injection-check.ts";
import { replayRecipe } from "./replay-recipe.ts";
import type { ScrapeRequest } from "./schema.ts";
import { type FormatName, formatNamed } from "./formats.ts";
import type { BrowserOrder, Visit } from "../../visit/visit.ts";

/** How the cache takes part in a scrape (contract, sections 3.24 and 3.25). */
export interface CachePlan {
  readonly key: CacheKey;
  /** False when a cached copy must not be used. */
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Set when only the cache may answer: the error code of a miss. */
  readonly missCode?: "SCRAPE_NO_CACHED_DATA" | "SCRAPE_LOCKDOWN_CACHE_MISS";
  /** Undefined means any age. */
  readonly maxAgeMs: number | undefined;
  readonly minAgeMs: number | undefined;
}

type PlannedVisit = Omit<Visit, "teamId">;

/** Every decision about a request that needs no network. */
export interface Plan {
  /** As it was sent, but without user name and password, which only the visit gets to know. */
  readonly sourceUrl: string;
  /** Of the source URL, without port. */
  readonly host: string;
  readonly visit: PlannedVisit;
  readonly cache: CachePlan;
  readonly page: PageOptions;
  /** The first of each type, in the order of the request. */
  readonly formats: readonly PlannedFormat[];
  readonly timeoutMs: number;
  readonly lockdown: boolean;
  /** What was left out of the request, in sentences. */
  readonly warnings: readonly string[];
  /** Whether the page is checked for orders to language models before one may see it: for the answer, and afterwards. */
  readonly checksInjection: boolean;
  readonly refusesInjection: boolean;
  /** Page options and formats as JSON: what it takes to make the answer from a capture. */
  readonly recipe: string;
  /** How its page is opened again, as JSON; undefined when its URL says it all. */
  readonly replay: string | undefined;
}

/** What it takes to make an answer from a capture. Kept with records, as JSON. */
export interface Recipe {
  readonly page: PageOptions;
  readonly formats: readonly PlannedFormat[];
  /** Sentences that the answer warns with, beside its own. */
  readonly warnings?: readonly string[];
  readonly checksInjection?: boolean;
}

export interface PlannedFormat {
  readonly name: FormatName;
  readonly options: ScrapeRequest["formats"][number];
}

/** Turns a request into the decisions that follow from it. Pure. */
export function planScrape(request: ScrapeRequest, warnings: readonly string[] = []): Plan {
  const wanted = firstOfEachType(request.formats);
  const page = planPage(request, wanted);
  const visit = planVisit(request, wanted);
  const checksInjection = isInjectionChecked(request, wanted);
  return {
    sourceUrl: withoutCredentials(request.url),
    host: new URL(request.url).hostname,
    visit,
    cache: planCache(request, wanted, visit.browser),
    page,
    formats: wanted,
    timeoutMs: timeoutOf(request),
    lockdown: request.lockdown,
    warnings,
    checksInjection,
    refusesInjection: request.checkPromptInjection,
    recipe: JSON.stringify({
      page,
      formats: wanted,
      ...(checksInjection && { checksInjection }),
      ...(warnings.length > 0 && { warnings }),
    } satisfies Recipe),
    replay: replayRecipe(request),
  };
}

/** Time left for the scrape itself when only waitFor was given (contract, section 3.23). */
const WAIT_MARGIN_MS = 30_000;

function timeoutOf({ timeout, waitFor }: ScrapeRequest): number {
  return timeout ?? Math.max(limits.timeoutMs.default, waitFor + WAIT_MARGIN_MS);
}

function firstOfEachType(list: ScrapeRequest["formats"]): readonly PlannedFormat[] {
  const first = new Map<string, PlannedFormat>();
  for (const options of list) {
    if (!first.has(options.type)) first.set(options.type, { name: options.type, options });
  }
  return [...first.values()].filter(({ name }) => !first.has(formatNamed(name).givesWayTo ?? ""));
}

function planVisit(request: ScrapeRequest, wanted: readonly PlannedFormat[]): PlannedVisit {
  return {
    url: exportUrl(request.url),
    headers: request.headers,
    ...placeOf(request),
    proxyCountry: request.location?.country,
    skipTlsVerification: request.skipTlsVerification,
    proxy: request.proxy,
    maxBodyBytes: limits.pageBytes,
    ...planBrowser(request, wanted),
    prefersHttp: request.fastMode,
  };
}

/** Longest wait for a page to become ready. A page that is not ready by then rarely becomes more complete. */
const READY_LIMIT_MS = 8000;

/** What only a browser can do, and how it does it. */
function planBrowser(request: ScrapeRequest, wanted: readonly PlannedFormat[]) {
  const orders = wanted.flatMap(({ name, options }) => {
    const order = formatNamed(name).browser?.(options);
    return order ? [{ name, order }] : [];
  });
  const asked = [...BROWSER_OPTIONS].filter(([, isAsked]) => isAsked(request)).map(([name]) => name);
  const waitForMs = waitForOf(request, wanted);
  const own: BrowserOrder = {
    readyWithinMs: Math.min(READY_LIMIT_MS, (timeoutOf(request) - waitForMs) / 2),
    waitForMs,
    mobile: request.mobile,
    blockAds: request.blockAds,
    profile: request.profile,
    actions: request.actions,
  };
  return {
    browserFeatures: [...asked, ...orders.map(({ name }) => name)],
    browser: Object.assign(own, ...orders.map(({ order }) => order)) as BrowserOrder,
  };
}

/** What the formats want at least does not take more than half of the time, as what a caller wants may not. */
function waitForOf(request: ScrapeRequest, wanted: readonly PlannedFormat[]): number {
  const least = Math.max(0, ...wanted.map(({ name }) => formatNamed(name).leastWaitForMs ?? 0));
  return Math.max(request.waitFor, Math.min(least, timeoutOf(request) / 2));
}

/** Options that no other engine than a browser can follow, under their names in warnings. */
const BROWSER_OPTIONS: ReadonlyMap<string, (request: ScrapeRequest) => boolean> = new Map([
  ["waitFor", ({ waitFor }: ScrapeRequest) => waitFor > 0],
  ["mobile", ({ mobile }: ScrapeRequest) => mobile],
  ["profile", ({ profile }: ScrapeRequest) => profile !== undefined],
  ["actions", ({ actions }: ScrapeRequest) => actions.length > 0],
]);

/** Visitors are in the United States unless told otherwise (contract, section 1.5). */
function placeOf({ location }: ScrapeRequest) {
  return location ?? { country: "US", languages: [] };
}

function planPage(request: ScrapeRequest, wanted: readonly PlannedFormat[]): PageOptions {
  const acceptsAnyFile =
    wanted.length > 0 && wanted.every(({ name }) => formatNamed(name).acceptsAnyFile === true);
  return {
    onlyMainContent: request.onlyMainContent,
    includeTags: request.includeTags,
    excludeTags: request.excludeTags,
    removeBase64Images: request.removeBase64Images,
    ...(request.onlyCleanContent && { onlyCleanContent: true }),
    removesConsent: request.blockAds,
    // What takes the body as it is has no use for what is in it.
    parsers: acceptsAnyFile ? [] : request.parsers,
    languages: request.location?.languages ?? [],
    acceptsAnyFile,
    ...redactionOf(request),
  };
}

/** Left out when nothing is redacted, so that recipes of other requests stay as they are. */
function redactionOf({ redactPII }: ScrapeRequest): Pick<PageOptions, "redaction"> {
  if (redactPII === false) return {};
  return { redaction: redactPII === true ? { mode: "accurate", replaceStyle: "tag" } : redactPII };
}

function planCache(
  request: ScrapeRequest,
  wanted: readonly PlannedFormat[],
  browser: BrowserOrder,
): CachePlan {
  const { lockdown, minAge } = request;
  const isPrivate =
    Object.keys(request.headers).length > 0 ||
    request.actions.length > 0 ||
    request.profile !== undefined ||
    hasCredentials(request.url);
  const bypasses =
    isPrivate ||
    wanted.some(({ name, options }) => formatNamed(name).bypassesCache?.(options)) ||
    hasPdfOptions(request);
  const missCode = lockdown
    ? "SCRAPE_LOCKDOWN_CACHE_MISS"
    : minAge !== undefined
      ? "SCRAPE_NO_CACHED_DATA"
      : undefined;
  return {
    key: {
      url: cacheUrl(request.url),
      mobile: request.mobile,
      blockAds: request.blockAds,
      ...placeOf(request),
      enhanced: request.proxy === "enhanced",
      screenshot: lockdown ? "none" : screenshotOf(browser),
    },
    mayRead: request.maxAge !== 0 && (lockdown || !bypasses),
    mayWrite: request.storeInCache && !bypasses && !lockdown && request.parsers.some((p) => p.type === "pdf"),
    ...(missCode && { missCode }),
    maxAgeMs: request.maxAge ?? defaultMaxAgeMs(request),
    minAgeMs: minAge,
  };
}

/** A page with a screenshot also serves those who want none, so it counts only when it is wanted. */
function screenshotOf({ screenshot }: BrowserOrder): CacheKey["screenshot"] {
  if (!screenshot) return "none";
  return screenshot.fullPage ? "full-page" : "viewport";
}

/** A URL with user name or password opens a page that must not be shared with others. */
function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** With minAge and no maxAge any age will do, except in lockdown, which has a default of its own. */
function defaultMaxAgeMs({ lockdown, minAge }: ScrapeRequest): number | undefined {
  if (lockdown) return limits.lockdownMaxAgeMs;
  return minAge === undefined ? limits.maxAgeMs : undefined;
}

function hasPdfOptions({ parsers }: ScrapeRequest): boolean {
  const pdf = parsers.find((parser) => parser.type === "pdf");
  if (!pdf) return false;
  const { maxPages, pages, pageMarkdown, blocks, pageMarkers } = pdf;
  return maxPages !== undefined || [pages, pageMarkdown, blocks, pageMarkers].includes(true);
}
