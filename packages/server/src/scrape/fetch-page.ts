import type { Hold } from "../accounts/credits.ts";
import { ServiceError } from "../api/errors.ts";
import { credits } from "../api/credits.ts";
import type { Gate } from "@pergamon-dev/kit/gate";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Stages } from "@pergamon-dev/kit/stages";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import type { Capture } from "../fetch/capture.ts";
import type { Fallback } from "../fetch/fallback/fallback.ts";
import type { Acquired } from "../fetch/fallback/outcome.ts";
import type { CacheBounds } from "../fetch/page-cache/candidate-query.ts";
import { contentHash, knownPage } from "../fetch/known-page.ts";
import type { StoredCapture } from "../fetch/page-cache/capture-rows.ts";
import type { PageCache } from "../fetch/page-cache/page-cache.ts";
import { formatNamed } from "./request/formats.ts";
import type { Plan } from "./request/plan.ts";
import type { Source } from "./request/source.ts";
import type { HopJudge, Visit } from "../fetch/visit.ts";

interface FetchContext {
  readonly teamId: string;
  readonly isOfJob: boolean;
  /** Called before the service sends anything. @throws to prevent that. */
  readonly beforeFetch: () => Promise<void>;
  /** Judges redirects before they are followed, if set. */
  readonly hops: HopJudge | undefined;
  readonly stages: Stages;
}

interface FetchedPage {
  readonly capture: Capture;
  /** Name of the capture in the cache. Undefined when it is not kept there. */
  readonly captureId: string | undefined;
  /** Undefined when the cache was not consulted. */
  readonly cacheState: "hit" | "miss" | undefined;
  /** True when the page was fetched and is the stored one. */
  readonly isRevalidated?: boolean;
}

export interface Sources {
  readonly fallback: Fallback;
  readonly cache: PageCache;
  readonly coordinator: Pick<Coordinator, "once">;
  /** Limits the number of pages fetched at once. */
  readonly gate: Gate;
  readonly log: Log;
}

/**
 * Gets the page from the cache if the plan allows, else from the web. Identical visits of one team that are
 * under way at the same time share one visit.
 * @throws ServiceError when no engine can fetch the page, or when only the cache may answer and does not.
 */
export async function fetchPage(
  plan: Plan,
  { teamId, isOfJob, beforeFetch, hops, stages }: FetchContext,
  sources: Sources,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { cache } = plan;
  const find = () => sources.cache.find(cache.key, boundsOf(plan, teamId));
  const cached = cache.mayRead ? await stages.time("cache", find) : undefined;
  if (cached) return { capture: cached.capture, captureId: cached.captureId, cacheState: "hit" };
  if (cache.missCode) throw new ServiceError(cache.missCode, { creditsUsed: priceOfMiss(plan) });
  await beforeFetch();
  const before = await stages.time("cache", () => copyBefore(plan, teamId, sources));
  const known = before?.capture && knownPage({ ...before, capture: before.capture });
  const visit: Visit = { ...plan.visit, teamId, isOfJob, hops, ...(known && { known }) };
  const fetch = async (until: AbortSignal) => {
    const acquired = await sources.gate.run(() => sources.fallback.acquire(visit, until), until, teamId);
    const hash = before && (await contentHash(acquired.capture));
    const renewed = before && (await renew(plan, { before, acquired, hash }, visit, sources));
    return (
      renewed ?? {
        capture: acquired.capture,
        captureId: await keep(plan, { acquired, hash }, visit, sources),
      }
    );
  };
  const fetched = await stages.time("visit", () =>
    hasEffects(visit) ? fetch(signal) : sources.coordinator.once(flightOf(visit, cache), signal, fetch),
  );
  return { ...fetched, cacheState: cache.mayRead ? "miss" : undefined };
}

/** Its capture is there when its site can be asked whether it has changed. */
interface CopyBefore extends StoredCapture {
  readonly capture: Capture | undefined;
}

/**
 * The team's own newest copy of any age, if plain HTTP would fetch the same page again. Other headers, profiles,
 * places and spellings are other pages.
 */
async function copyBefore(plan: Plan, teamId: string, { cache }: Sources): Promise<CopyBefore | undefined> {
  const { cache: rules, sourceUrl, visit } = plan;
  if (!rules.mayWrite || visit.browserFeatures.length > 0) return undefined;
  const bounds = { ...boundsOf(plan, teamId), maxAgeMs: undefined, minAgeMs: undefined };
  const found = await cache.newest(rules.key, bounds);
  if (found?.teamId !== teamId || found.contentHash === "" || found.statusCode !== 200) return undefined;
  const capture = found.hasValidator === 1 ? await cache.load(found.captureId) : undefined;
  return { ...found, capture: capture?.requestedUrl === sourceUrl ? capture : undefined };
}

interface Visited {
  readonly before: CopyBefore;
  readonly acquired: Acquired;
  readonly hash: string | undefined;
}

/** The copy, if the visit found it unchanged: by the site's word, or by its bytes. */
async function renew(
  { cache: { key } }: Plan,
  { before, acquired: { capture }, hash }: Visited,
  { isOfJob, teamId }: Visit,
  { cache }: Sources,
): Promise<Omit<FetchedPage, "cacheState"> | undefined> {
  const confirmed = capture.isUnchanged === true ? before.capture : undefined;
  if (!confirmed && before.contentHash !== hash) return undefined;
  const { captureId } = before;
  const confirmations = confirmed ? before.confirmations + 1 : 0;
  await cache.renew(key, { captureId, confirmations, teamId, isOfJob });
  const { capturedAtMs } = capture;
  return {
    capture: confirmed ? { ...confirmed, capturedAtMs } : capture,
    captureId,
    isRevalidated: true,
  };
}

/** Equal plans give equal JSON, because their members have the same order. */
function flightOf(visit: Visit, { key, mayWrite }: Plan["cache"]): string {
  return `fetch ${sha256Hex(JSON.stringify([visit, key, mayWrite]))}`;
}

/** Visits with actions or a profile have side effects, so each request makes its own. */
function hasEffects({ browser }: Visit): boolean {
  return browser.actions.length > 0 || browser.profile !== undefined;
}

/**
 * @returns the name in the cache. Undefined when the page is not kept or storing fails, which does not fail
 * the scrape.
 */
async function keep(
  { cache }: Plan,
  { acquired, hash }: Omit<Visited, "before">,
  { browser, teamId, isOfJob }: Visit,
  sources: Sources,
): Promise<string | undefined> {
  if (!cache.mayWrite || !isWorthKeeping(acquired)) return undefined;
  const facts = { waitForMs: browser.waitForMs, teamId, isOfJob, contentHash: hash };
  return sources.cache.store(cache.key, acquired.capture, facts).catch((failure: unknown) => {
    sources.log.error({ err: failure }, "A page could not be stored.");
    return undefined;
  });
}

/** Does not cache an incomplete page, because later requests would take it for the whole page. */
function isWorthKeeping({ capture, isWhole }: Acquired): boolean {
  return capture.body.byteLength > 0 && isWhole;
}

/** Limits age, `waitFor` and trust of the cached copies that may answer the team. */
export function boundsOf({ cache, visit, formats }: Plan, teamId: string): CacheBounds {
  return {
    maxAgeMs: cache.maxAgeMs,
    minAgeMs: cache.minAgeMs,
    waitForMs: visit.browser.waitForMs,
    needsTrust: !visit.skipTlsVerification,
    wantsScreenshot: visit.browser.screenshot !== undefined,
    teamId,
    ...(cache.missCode && { readsFailures: true }),
    accepts: (copy) =>
      isOfSpelling(copy, visit.url) &&
      (!cache.missCode || formats.every(({ name }) => formatNamed(name).isInCopy?.(copy) ?? true)),
  };
}

/** False: the copy says that a page is not there whose path only resembles that of the request. */
function isOfSpelling({ statusCode, requestedUrl }: Capture, url: string): boolean {
  if (statusCode !== 404 && statusCode !== 410) return true;
  return new URL(requestedUrl).pathname === new URL(url).pathname;
}

function priceOfMiss({ lockdown }: Plan): number {
  return lockdown ? credits.lockdownMiss : 0;
}

const NOT_STORED = "The page is not stored any more. Scrape it again.";

/**
 * Makes a capture of existing bytes, or loads a stored one. The former is never cached, because other callers would not get the same bytes.
 */
export async function givenPage(
  source: Source,
  { plan, hold }: { readonly plan: Plan; readonly hold: Pick<Hold, "secure"> },
  signal: AbortSignal,
): Promise<FetchedPage> {
  await hold.secure();
  if (source.kind === "stored") {
    const stored = await source.load();
    if (!stored) throw new ServiceError("SCRAPE_NO_CACHED_DATA", { message: NOT_STORED });
    return { ...stored, cacheState: "hit" };
  }
  const body = await source.read(signal);
  const capture: Capture = {
    requestedUrl: plan.sourceUrl,
    url: plan.sourceUrl,
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: source.contentType,
    body,
    engine: source.kind,
    proxyUsed: "basic",
    capturedAtMs: Date.now(),
    ...(source.kind === "upload" && { sourceFile: source.name }),
  };
  return { capture, captureId: undefined, cacheState: undefined };
}
