import type { AlsoWrite } from "../accounts/ledger.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Files } from "../files/files.ts";
import type { PageIndex } from "../history/page-index/page-index.ts";
import type { Records } from "../history/records.ts";
import type { Replays } from "../history/replays.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import { codeOf } from "../accounts/work.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { Scraped } from "./scrape.ts";
import { auditEvent, detailsOf, endedOf, keepBlockSource, recordOf, timingsOf } from "./record.ts";

export interface EndServices {
  readonly records: Records;
  readonly replays: Replays;
  /** Whether operators can inspect requests. Their bodies are then stored without secrets. */
  readonly keepsRequests: boolean;
  readonly files: Pick<Files, "link">;
  readonly pageIndex: Pick<PageIndex, "add" | "copies">;
  readonly log: Log;
}

type ScrapeEnd = WorkEnd<ScrapeRecord>;

export function endOfSuccess(
  job: ScrapeJob,
  scraped: Scraped,
  alsoWrite: AlsoWrite | undefined,
  services: EndServices,
): ScrapeEnd {
  const credits = scraped.facts.creditsUsed;
  const way = wayOf(scraped);
  return {
    credits,
    alsoWrite,
    // A scrape in an operator's name stores its event before the answer is sent.
    audit: job.request.auditMetadata ? [auditEvent(job, { creditsUsed: credits })] : [],
    isAuditAwaited: true,
    figure: endedOf(job, { creditsUsed: credits, isHit: way === "cache", way }),
    record:
      job.retention === "none"
        ? undefined
        : async () => recordOfSuccess(job, scraped, services, await keepBlockSource(job, scraped, services)),
  };
}

/** @param file link to the document whose blocks were answered, when the cache does not keep it. */
export function recordOfSuccess(
  job: ScrapeJob,
  scraped: Scraped,
  { keepsRequests }: Pick<EndServices, "keepsRequests">,
  file?: string,
): ScrapeRecord {
  const { facts, answer } = scraped;
  return recordOf(job, {
    status: "completed",
    statusCode: answer.capture.statusCode,
    creditsUsed: facts.creditsUsed,
    cacheState: facts.cacheState,
    isPartial: answer.warning === undefined ? undefined : 1,
    ...keptAs(job, scraped),
    way: wayOf(scraped),
    details: keepsRequests ? detailsOf(job, { ...outcomeOf(job, scraped), file }) : undefined,
  });
}

export function endOfFailure(
  job: ScrapeJob,
  { failure, creditsUsed }: { readonly failure: unknown; readonly creditsUsed: number },
  alsoWrite: AlsoWrite | undefined,
  { keepsRequests }: Pick<EndServices, "keepsRequests">,
): ScrapeEnd {
  const code = codeOf(failure);
  const isAudited = job.request.auditMetadata !== undefined || code === "unsafe_domain_blocked";
  const message = failure instanceof Error ? failure.message : undefined;
  const details = keepsRequests ? () => detailsOf(job, { timings: timingsOf(job), message }) : undefined;
  return {
    credits: creditsUsed,
    alsoWrite,
    failure,
    audit: isAudited ? [auditEvent(job, { code, creditsUsed })] : [],
    figure: endedOf(job, { creditsUsed, isHit: false, errorCode: code }),
    record:
      job.retention === "none"
        ? undefined
        : () => recordOf(job, { status: "failed", errorCode: code, creditsUsed, details: details?.() }),
  };
}

/** Tells later readers to load the stored answer, or to make it again from the cached capture. */
function keptAs(job: ScrapeJob, scraped: Scraped): Pick<ScrapeRecord, "answerKey" | "captureId" | "recipe"> {
  const { captureId } = scraped;
  if (isStored(job, scraped)) return { answerKey: job.id, captureId };
  return { captureId, recipe: job.plan.recipe };
}

/**
 * An answer by a model is stored, because the model is not asked twice. Pages of jobs are stored, because
 * they are read too often to make them again each time.
 */
function isStored({ parent }: ScrapeJob, { answer, captureId }: Scraped): boolean {
  return captureId === undefined || answer.isModelAsked || parent?.class === "job";
}

/** Whether the answer is stored in the transaction of its charge. */
export function isStoredWithCharge({ parent, retention }: ScrapeJob): boolean {
  return parent?.class === "job" && retention !== "none";
}

/** Stores data after the scrape is settled. This continues after the response is sent. */
export function keepAfterwards(job: ScrapeJob, scraped: Scraped, services: EndServices): void {
  noteReplay(job, scraped, services);
  if (job.retention !== "none") indexPage(job, scraped, services.pageIndex);
  if (job.retention === "none" || isStoredWithCharge(job) || !isStored(job, scraped)) return;
  const { answer, facts } = scraped;
  services.records
    .saveAnswer(job.id, () => answer.encodeData(facts))
    .catch((failure: unknown) => services.log.error({ err: failure }, "An answer could not be stored."));
}

/** Whether a scrape leaves nothing behind except what its charge stores. */
export function isKeptWithCharge(job: ScrapeJob, scraped: Scraped): boolean {
  const isIndexed = scraped.facts.cacheState !== "hit";
  return !isIndexed && !isStored(job, scraped) && !needsReplay(job, scraped);
}

function wayOf({ facts, answer }: Scraped): string {
  return facts.cacheState === "hit" ? "cache" : answer.capture.engine;
}

/** Types that a browser displays itself. Programs read other kinds, so nobody can continue in them. */
const SHOWN = /^(?:text\/|image\/|application\/(?:(?:[\w.-]+\+)?(?:xml|json)|javascript)\b|$)/i;

/**
 * Stores how to open the page again when its URL is not enough, or that it must not be opened, when nothing
 * may be kept.
 */
function noteReplay(job: ScrapeJob, scraped: Scraped, { replays }: EndServices): void {
  const { id, caller, plan } = job;
  if (!needsReplay(job, scraped)) return;
  const recipe = isShown(job, scraped) ? (plan.replay ?? null) : null;
  replays.add({ id, teamId: caller.teamId, recipe, endedAtMs: Date.now() });
}

function needsReplay(job: ScrapeJob, scraped: Scraped): boolean {
  return !isShown(job, scraped) || job.plan.replay !== undefined;
}

function isShown({ retention, source }: ScrapeJob, { answer }: Scraped): boolean {
  return retention === "usual" && !source && SHOWN.test(answer.capture.contentType ?? "");
}

function outcomeOf(job: ScrapeJob, scraped: Scraped) {
  const { answer } = scraped;
  const climbed = wayOf(scraped) === "cache" ? undefined : answer.capture.climbed;
  return { timings: timingsOf(job), message: answer.warning, climbed, pages: answer.pageCounts?.numPages };
}

/** Makes the page searchable for the team. A copy that was answered before is already known. */
function indexPage(
  job: ScrapeJob,
  { answer, facts, captureId }: Scraped,
  pageIndex: Pick<PageIndex, "add">,
): void {
  const { url, statusCode } = answer.capture;
  const isKnown = facts.cacheState === "hit" || facts.revalidated;
  if (captureId === undefined || statusCode >= 400 || isKnown) return;
  const { markdown, metadata } = answer.data(facts);
  const { title, description } = metadata;
  pageIndex.add({
    teamId: job.caller.teamId,
    url,
    scrapeId: job.id,
    captureId,
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
    markdown: markdown ?? "",
  });
}
