import { ServiceError } from "../../contract/errors.ts";
import { isBlockedByLists } from "../../accounts/threat-policy.ts";
import { startDeadline } from "../../kit/deadline.ts";
import { ownFailure } from "../../kit/process/own-failure.ts";
import { stableHash } from "../../kit/hash.ts";
import type { ScrapeJob } from "../../scrape/request/job.ts";
import type { BlockedSites } from "../../scrape/request/blocked-sites.ts";
import type { Sources } from "../../scrape/fetch-or-cache.ts";
import type { CacheBounds } from "../../stores/captures/candidate-query.ts";
import type { Capture } from "../../visit/capture.ts";
import type { HopJudge, Visit } from "../../visit/visit.ts";

/** What a site says about itself to programs: robots.txt and sitemaps. */
export interface SiteFile {
  /** Of the answer, for any status. */
  readonly statusCode: number;
  /** After redirects. */
  readonly url: string;
  readonly body: Uint8Array;
}

export interface SiteFileOrder {
  /** For whom, and how pages of the site are visited: the file is fetched on the same way. */
  readonly job: Pick<ScrapeJob, "plan" | "caller" | "retention" | "threatPolicy">;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** How old a stored copy may be. 0: it is fetched again. */
  readonly maxAgeMs: number;
  /** Instead of a browser's own. */
  readonly userAgent?: string | undefined;
}

export interface SiteFileServices extends Sources {
  readonly blockedSites: BlockedSites;
}

const MAX_REDIRECTS = 5;

/**
 * A file of a site, from the cache where it is young enough. Undefined when the site does not answer in time, or leads
 * to places where nothing may be fetched.
 * @throws the signal's reason, once it is aborted; failures of the service's own.
 */
export async function readSiteFile(
  url: string,
  order: SiteFileOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<SiteFile | undefined> {
  if (isRefused(url, order, services)) return undefined;
  const known = await storedFile(url, order, services);
  const deadline = startDeadline(order.timeoutMs, () => new ServiceError("SCRAPE_TIMEOUT"), signal);
  try {
    return fileOf(known ?? (await fetchFile(url, order, services, deadline.signal)));
  } catch (failure) {
    signal.throwIfAborted();
    // What the site says is not known then, and is not to be remembered.
    if (ownFailure(failure)) throw failure;
    return undefined;
  } finally {
    deadline.clear();
  }
}

function fileOf({ statusCode, url, body }: Capture): SiteFile {
  return { statusCode, url, body };
}

/** A failure that was stored may be over. */
async function storedFile(url: string, order: SiteFileOrder, { cache }: SiteFileServices) {
  if (!isShared(order) || order.maxAgeMs === 0) return undefined;
  const found = await cache.find(keyOf(url, order), boundsOf(order));
  return found && isSuccess(found.capture) ? found.capture : undefined;
}

async function fetchFile(
  url: string,
  order: SiteFileOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<Capture> {
  const { coordinator, gate, ladder, cache, log } = services;
  const { teamId } = order.job.caller;
  const visit = visitOf(url, order, services);
  const { capture } = await coordinator.once(`fetch ${stableHash([visit, "site-file"])}`, signal, (until) =>
    gate.run(() => ladder.acquire(visit, until), until, teamId),
  );
  if (isShared(order) && isSuccess(capture) && capture.body.byteLength > 0) {
    const facts = { waitForMs: 0, teamId, representation: "site-file" } as const;
    await cache.store(keyOf(url, order), capture, facts).catch((failure: unknown) => {
      log.error({ err: failure }, "A file of a site could not be stored.");
    });
  }
  return capture;
}

/** By plain HTTP, on the way that pages of the site are visited. */
function visitOf(url: string, order: SiteFileOrder, services: SiteFileServices): Visit {
  const { plan, caller } = order.job;
  const { visit } = plan;
  return {
    ...visit,
    url,
    teamId: caller.teamId,
    headers: { ...visit.headers, ...(order.userAgent !== undefined && { "User-Agent": order.userAgent }) },
    proxy: "basic",
    maxBodyBytes: order.maxBytes,
    browserFeatures: [],
    browser: { ...visit.browser, waitForMs: 0, mobile: false, profile: undefined, actions: [] },
    prefersHttp: true,
    hops: hopJudgeOf(url, order, services),
  };
}

function hopJudgeOf(startUrl: string, order: SiteFileOrder, services: SiteFileServices): HopJudge {
  let redirects = 0;
  return {
    startUrl,
    rules: stableHash(["site-file", order.job.threatPolicy]),
    async judge(url) {
      redirects += 1;
      if (redirects > MAX_REDIRECTS || isRefused(url, order, services)) {
        throw new ServiceError("SCRAPE_SITE_ERROR");
      }
    },
  };
}

function isRefused(url: string, { job }: SiteFileOrder, { blockedSites }: SiteFileServices): boolean {
  const { threatPolicy } = job;
  return blockedSites.has(url) || (threatPolicy !== undefined && isBlockedByLists(threatPolicy, url));
}

/** What was fetched with headers of the caller, or is to leave no trace, is not for others. */
function isShared({ job, userAgent }: SiteFileOrder): boolean {
  return job.retention === "usual" && job.plan.cache.mayWrite && userAgent === undefined;
}

function isSuccess({ statusCode }: Capture): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** Never the key of a page: pages of folders share theirs with the folder's index file. */
function keyOf(url: string, { job }: SiteFileOrder) {
  return { ...job.plan.cache.key, url, screenshot: "none", isSiteFile: true } as const;
}

function boundsOf({ job, maxAgeMs }: SiteFileOrder): CacheBounds {
  return {
    maxAgeMs,
    minAgeMs: undefined,
    waitForMs: 0,
    needsTrust: !job.plan.visit.skipTlsVerification,
    wantsScreenshot: false,
    teamId: job.caller.teamId,
  };
}
