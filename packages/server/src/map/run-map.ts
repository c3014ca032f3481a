import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import { credits } from "../api/credits.ts";
import { limits } from "../api/limits.ts";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { outlined } from "../scrape/request/outlined.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import type { RunServices } from "../scrape/run.ts";
import { codeOf } from "../accounts/work.ts";
import { ThreatGuard } from "../scrape/threats.ts";
import { takeSlot } from "../accounts/slot.ts";
import { refuseBadPatterns } from "../fetch/urls/pattern-lists.ts";
import { type FindServices, PageFinder, type StartPage } from "./find-pages.ts";
import type { MapLink } from "./links.ts";
import type { MapRequest } from "./request.ts";
import { givenAddress } from "@pergamon-dev/kit/address";
import type { ErrorCode } from "../api/error-codes.ts";
import { keepWork } from "../scrape/record.ts";
import { keptBody } from "../scrape/request/kept-body.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { scrape, type ScrapeServices } from "../scrape/scrape.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";

export interface MapServices extends RunServices, Omit<FindServices, "pageIndex"> {
  /** @throws ZodError for an invalid body. */
  readonly mapRequest: (body: unknown) => MapRequest;
}

interface MapCall {
  /** Default: a new one. */
  readonly id?: string;
  readonly caller: Caller;
  readonly linkBase: string;
  /** Default: now. */
  readonly startedAtMs?: number;
  /** True: pages that robots.txt forbids are neither visited nor listed. */
  readonly obeysRobots?: boolean;
  readonly body: unknown;
  /** Pays for the map. Default: the caller. */
  readonly charges?: RunServices["charges"];
}

/** Lists the pages of sites on behalf of other features. */
export interface SiteMapper {
  /** @throws as `runMap`. */
  run(call: MapCall, isGone: AbortSignal): Promise<SiteMap>;
}

export interface SiteMap {
  readonly id: string;
  readonly links: readonly MapLink[];
  readonly creditsUsed: number;
  readonly warning?: string;
}

/**
 * Finds the pages of a site within the request's time limit. When that is over, it returns the pages found so
 * far.
 * @param isGone aborts when the caller no longer waits for the response.
 * @throws ZodError for an invalid body.
 * @throws ServiceError MAP_TIMEOUT when nothing was found in time, MAP_FAILED when nothing answers, and as
 * scrapes do when the start must not be visited.
 */
export async function runMap(call: MapCall, all: MapServices, isGone: AbortSignal): Promise<SiteMap> {
  const services = { ...all, charges: call.charges ?? all.charges };
  const request = services.mapRequest(call.body);
  await refuseBadPatterns(request, services.matchPatterns, isGone);
  const job = jobOf(request, call, services);
  const timedOut = () => new ServiceError("MAP_TIMEOUT");
  const timeoutMs = Math.min(request.timeout, limits.timeoutMs.maximum);
  const { startedAtMs } = job;
  const { obeysRobots = false } = call;
  const order = { caller: call.caller, class: "single", timeoutMs, startedAtMs, timedOut } as const;
  const slot = await takeSlot(order, services, isGone);
  try {
    const mapping = { request, job: { ...job, queuedMs: slot.queuedMs }, obeysRobots };
    return await charged(mapping, services, slot.signal);
  } finally {
    slot.end();
  }
}

interface Mapping {
  readonly request: MapRequest;
  readonly job: ScrapeJob;
  readonly obeysRobots: boolean;
}

/**
 * Credits are held before anything is fetched, and charged before the response. A failed map costs only its
 * scans.
 */
async function charged(mapping: Mapping, services: MapServices, signal: AbortSignal): Promise<SiteMap> {
  const { job } = mapping;
  const guard = new ThreatGuard({
    policy: job.threatPolicy,
    classifier: services.threatClassifier,
    mayAskOthers: true,
  });
  const amount = credits.map + credits.threatScan * guard.maxScans;
  const { id, startedAtMs, caller } = job;
  const hold = await services.charges.hold({ id, startedAtMs, payer: caller.payer, amount });
  const map = await mapSite(mapping, { guard, hold }, services, signal).catch(async (failure: unknown) => {
    const creditsUsed = credits.threatScan * guard.scans;
    const message = failure instanceof Error ? failure.message : undefined;
    const kept = await keepMap(job, { message }, services);
    const end = { ...endOfMap(job, { creditsUsed, errorCode: codeOf(failure) }, kept), failure };
    await services.charges.charge(hold, end);
    throw failure;
  });
  const creditsUsed = credits.map + credits.threatScan * guard.scans;
  const { links, warning } = map;
  const answer = { total: links.length, links: links.slice(0, MAX_KEPT_LINKS), warning };
  await services.charges.charge(
    hold,
    endOfMap(job, { creditsUsed }, await keepMap(job, { answer }, services)),
  );
  return { ...map, creditsUsed };
}

/** Links that the log shows. */
const MAX_KEPT_LINKS = 1000;

async function keepMap(
  { id, kept, retention }: ScrapeJob,
  ended: { readonly answer?: object; readonly message?: string | undefined },
  services: MapServices,
): Promise<Pick<ScrapeRecord, "details" | "answerKey">> {
  return retention === "none" ? {} : keepWork({ id, kept, ...ended }, services);
}

type Watch = Parameters<typeof visitStart>[1];

async function mapSite(
  { request, job, obeysRobots }: Mapping,
  watch: Watch,
  services: MapServices,
  signal: AbortSignal,
): Promise<Omit<SiteMap, "creditsUsed">> {
  const finder = new PageFinder(
    { request, job, obeysRobots, visitStart: (until) => visitStart(job, watch, services, until) },
    services,
  );
  const isWhole = await untilAborted(finder.find(signal), signal).then(
    () => true,
    (failure: unknown) => {
      if (!isTimeOver(signal) || !finder.hasFound) throw failure;
      return false;
    },
  );
  if (isWhole && !finder.hasAnswer) throw new ServiceError("MAP_FAILED");
  const until = isWhole ? signal : AbortSignal.timeout(LATE_MS);
  const links = await finder.links(until);
  const warning = warningOf(links.length, isWhole, request, finder.forbidden);
  return { id: job.id, links, ...(warning !== undefined && { warning }) };
}

/** Time for sorting the found links after the time limit. */
const LATE_MS = 4000;

function isTimeOver({ reason }: AbortSignal): boolean {
  return reason instanceof ServiceError && reason.code === "MAP_TIMEOUT";
}

const NOT_WHOLE =
  "The map operation timed out. These are the links found so far. Raise timeout to find more.";

function warningOf(
  count: number,
  isWhole: boolean,
  { url, limit }: MapRequest,
  forbidden: number,
): string | undefined {
  const { pathname, hostname } = new URL(url);
  const isNarrow = count <= 1 && limit !== 1 && pathname !== "/";
  const narrow = `Only ${count} result(s) found. For broader coverage, try mapping the base domain: ${hostname}`;
  const left = `Addresses left out because robots.txt forbids them: ${forbidden}.`;
  const sentences = [
    ...(isWhole ? [] : [NOT_WHOLE]),
    ...(isNarrow ? [narrow] : []),
    ...(forbidden > 0 ? [left] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** Visit of the start page, as a scrape. */
function jobOf(request: MapRequest, call: MapCall, services: MapServices): ScrapeJob {
  const { id, caller, linkBase, startedAtMs } = call;
  const { url, headers, location, threatProtection, auditMetadata, origin, integration } = request;
  const { minimum, maximum } = limits.timeoutMs;
  const planned = services.plan({
    url,
    headers,
    ...(location && { location }),
    ...(threatProtection && { threatProtection }),
    ...(auditMetadata && { auditMetadata }),
    ...(integration !== undefined && { integration }),
    origin,
    formats: [],
    onlyMainContent: false,
    timeout: Math.round(Math.min(Math.max(request.timeout, minimum), maximum)),
    ...(request.ignoreCache && { maxAge: 0 }),
  });
  const given = { ...(id !== undefined && { id }), ...(startedAtMs !== undefined && { startedAtMs }) };
  const job = startJob(planned, { ...given, kind: "map", caller, linkBase });
  return { ...job, plan: outlined(job.plan), kept: lazy(() => keptBody(call.body)) };
}

/** Errors that forbid a visit of the site, unlike those of a page that does not answer. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unsafe_domain_blocked",
  "UNSUPPORTED_SITE",
  "SAFE_MODE_BLOCKED",
  "insufficient_credits",
  "billing_unavailable",
  "OVERLOADED",
]);

/**
 * Visits the start page of a map. Undefined when it does not answer, because sitemaps may.
 * @throws ServiceError when it must not be visited; the signal's reason, once it is aborted.
 */
async function visitStart(
  job: ScrapeJob,
  watch: Parameters<typeof scrape>[1],
  services: ScrapeServices,
  signal: AbortSignal,
): Promise<StartPage | undefined> {
  try {
    const { answer, facts } = await untilAborted(scrape(job, watch, services, signal), signal);
    const { title, description } = answer.data(facts).metadata;
    return {
      url: givenAddress(answer.capture.url),
      links: answer.outline?.links ?? [],
      title: textOf(title),
      description: textOf(description),
    };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ServiceError) || REFUSALS.has(failure.code)) throw failure;
    // An unreadable file is an answer without links.
    if (failure.code !== "SCRAPE_UNSUPPORTED_FILE_ERROR") return undefined;
    return { url: givenAddress(job.plan.visit.url), links: [] };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function endOfMap(
  { id, kind, caller, plan, request, startedAtMs, retention }: ScrapeJob,
  outcome: { readonly creditsUsed: number; readonly errorCode?: ErrorCode },
  kept: Pick<ScrapeRecord, "details" | "answerKey">,
): WorkEnd<ScrapeRecord> {
  const [{ creditsUsed, errorCode }, { teamId, keyId }] = [outcome, caller];
  const endedAtMs = Date.now();
  const durationMs = Math.max(0, endedAtMs - startedAtMs);
  const details = { mapId: id, username: request.auditMetadata?.username, url: plan.sourceUrl, ...outcome };
  const isAudited = request.auditMetadata !== undefined || errorCode === "unsafe_domain_blocked";
  return {
    credits: creditsUsed,
    audit: isAudited ? [{ kind: "map", teamId, keyId, details }] : [],
    isAuditAwaited: errorCode === undefined,
    figure: {
      teamId,
      keyId,
      kind,
      endedAtMs,
      durationMs,
      creditsUsed,
      errorCode,
      isHit: false,
      formats: [],
      host: retention === "usual" ? plan.host : undefined,
    },
    record:
      retention === "none"
        ? undefined
        : () => ({
            id,
            kind,
            teamId,
            keyId,
            url: plan.sourceUrl,
            host: plan.host,
            status: errorCode === undefined ? "completed" : "failed",
            errorCode,
            creditsUsed,
            durationMs,
            origin: request.origin,
            createdAtMs: startedAtMs,
            formats: [],
            ...kept,
          }),
  };
}
