import { isBlockedByLists } from "../../accounts/threat-policy.ts";
import { ServiceError } from "../../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { stableHash } from "@pergamon-dev/kit/hash";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Capture } from "../capture.ts";
import type { HopJudge, Visit } from "../visit.ts";
import type { BlockedSites } from "../../scrape/request/blocked-sites.ts";
import type { ScrapeJob } from "../../scrape/request/job.ts";
import type { Sources } from "../../scrape/fetch-page.ts";

/** A file that a site publishes for programs: robots.txt or a sitemap. */
type SiteFile =
  | { readonly state: "found"; readonly body: Uint8Array }
  /** The site has no such file, or its address must not be fetched. */
  | { readonly state: "missing" }
  /** The site failed, or did not answer in time. */
  | { readonly state: "unreachable" };

export interface SiteFileOrder {
  /** Caller, and the plan for visiting pages of the site. The file is fetched in the same way. */
  readonly job: Pick<ScrapeJob, "plan" | "caller" | "retention" | "threatPolicy">;
  readonly timeoutMs: number;
  /** Maximum age of a cached copy. 0 fetches the file again. */
  readonly maxAgeMs: number;
  /** Default: a browser's own. */
  readonly userAgent?: string | undefined;
}

export interface SiteFileServices extends Sources {
  readonly blockedSites: BlockedSites;
}

/** Maximum size of a site's file after unpacking. A larger file counts as missing. */
export const MAX_SITE_FILE_BYTES = 50 * 1024 * 1024;
/** RFC 9309, section 2.3.1.2. */
const MAX_REDIRECTS = 5;

/**
 * Reads a file of a site from the page cache if that has a recent copy, else from the site.
 * @throws the signal's reason, once it is aborted; failures of the service itself.
 */
export async function readSiteFile(
  url: string,
  order: SiteFileOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<SiteFile> {
  if (isRefused(url, order, services)) return { state: "missing" };
  const copy = await findCopy(url, order, services);
  if (copy) return { state: "found", body: copy.body };
  const deadline = startDeadline(order.timeoutMs, () => new ServiceError("SCRAPE_TIMEOUT"), signal);
  try {
    return fileOf(await fetchFile(url, order, services, deadline.signal));
  } catch (failure) {
    signal.throwIfAborted();
    if (ownFailure(failure)) throw failure;
    return { state: isMissing(failure) ? "missing" : "unreachable" };
  } finally {
    deadline.clear();
  }
}

function fileOf(capture: Capture): SiteFile {
  if (isSuccess(capture)) return { state: "found", body: capture.body };
  return { state: capture.statusCode >= 500 ? "unreachable" : "missing" };
}

/** A host without an address counts as missing, because visits of its pages report the problem. */
function isMissing(failure: unknown): boolean {
  if (failure instanceof NotFollowed) return true;
  const code = failure instanceof ServiceError ? failure.code : undefined;
  return code === "SCRAPE_UNSUPPORTED_FILE_ERROR" || code === "SCRAPE_DNS_RESOLUTION_ERROR";
}

async function findCopy(url: string, order: SiteFileOrder, { cache }: SiteFileServices) {
  const { job, maxAgeMs } = order;
  if (!isShared(order) || maxAgeMs === 0) return undefined;
  const found = await cache.find(keyOf(url, order), {
    maxAgeMs,
    minAgeMs: undefined,
    waitForMs: 0,
    needsTrust: !job.plan.visit.skipTlsVerification,
    wantsScreenshot: false,
    teamId: job.caller.teamId,
  });
  // The cause of a stored failure may be over.
  return found && isSuccess(found.capture) ? found.capture : undefined;
}

async function fetchFile(
  url: string,
  order: SiteFileOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<Capture> {
  const { coordinator, gate, fallback, cache, log } = services;
  const { teamId } = order.job.caller;
  const visit = visitOf(url, order, services);
  const { capture } = await coordinator.once(`fetch ${stableHash([visit, "site-file"])}`, signal, (until) =>
    gate.run(() => fallback.acquire(visit, until), until, teamId),
  );
  if (isShared(order) && isSuccess(capture) && capture.body.byteLength > 0) {
    const facts = { waitForMs: 0, teamId, representation: "site-file" } as const;
    await cache.store(keyOf(url, order), capture, facts).catch((failure: unknown) => {
      log.error({ err: failure }, "A file of a site could not be stored.");
    });
  }
  return capture;
}

/** Fetches by plain HTTP, in the same way as pages of the site. */
function visitOf(url: string, order: SiteFileOrder, services: SiteFileServices): Visit {
  const { plan, caller } = order.job;
  const { visit } = plan;
  return {
    ...visit,
    url,
    teamId: caller.teamId,
    headers: { ...visit.headers, ...(order.userAgent !== undefined && { "User-Agent": order.userAgent }) },
    proxy: "basic",
    maxBodyBytes: MAX_SITE_FILE_BYTES,
    browserFeatures: [],
    browser: { ...visit.browser, waitForMs: 0, mobile: false, profile: undefined, actions: [] },
    prefersHttp: true,
    hops: hopJudgeOf(url, order, services),
  };
}

/** Says why a redirect of a site's file is not followed. */
class NotFollowed extends Error {
  override readonly name = "NotFollowed";
}

function hopJudgeOf(startUrl: string, order: SiteFileOrder, services: SiteFileServices): HopJudge {
  let redirects = 0;
  return {
    startUrl,
    rules: stableHash(["site-file", order.job.threatPolicy]),
    async judge(url) {
      redirects += 1;
      if (redirects > MAX_REDIRECTS || isRefused(url, order, services))
        throw new NotFollowed(`${startUrl} leads to places that are not fetched.`);
    },
  };
}

function isRefused(url: string, { job }: SiteFileOrder, { blockedSites }: SiteFileServices): boolean {
  const { threatPolicy } = job;
  return blockedSites.has(url) || (threatPolicy !== undefined && isBlockedByLists(threatPolicy, url));
}

/** A file that was fetched with the caller's headers, or that must leave no trace, is not shared. */
function isShared({ job, userAgent }: SiteFileOrder): boolean {
  return job.retention === "usual" && job.plan.cache.mayWrite && userAgent === undefined;
}

function isSuccess({ statusCode }: Capture): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** Differs from the keys of pages, because pages of folders share theirs with the folder's index file. */
function keyOf(url: string, { job }: SiteFileOrder) {
  return { ...job.plan.cache.key, url, screenshot: "none", isSiteFile: true } as const;
}
