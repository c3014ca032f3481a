import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import type { Credits, Hold } from "../accounts/credits.ts";
import { type ErrorCode, ServiceError, UnauthorizedError } from "../contract/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Files } from "../stores/files/files.ts";
import type { Figures } from "../stores/figures/figures.ts";
import type { Records } from "../stores/scrapes/records.ts";
import type { Replays } from "../stores/scrapes/replays.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import type { EndedRequest } from "../stores/figures/ended-request.ts";
import type { ScrapeFacts } from "./answer/answer.ts";
import type { Answers } from "./answer/answers.ts";
import { detailsOf } from "./details.ts";
import type { ScrapeJob } from "./request/job.ts";
import { highestPrice, priceOfFailure } from "./request/price.ts";
import type { Scraped } from "./scrape.ts";
import { keepShownDocument } from "./shown-document.ts";
import type { ThreatGuard } from "./threats.ts";

export interface BookServices {
  readonly credits: Credits;
  readonly records: Records;
  readonly replays: Replays;
  readonly audit: AuditLog;
  readonly answers: Answers;
  readonly figures: Pick<Figures, "count">;
  /** Whether operators may look at requests again: what was asked for is kept for them then, without secrets. */
  readonly keepsRequests: boolean;
  readonly files: Pick<Files, "link">;
  readonly log: Log;
}

/** What becomes of a scrape in the accounts, the history and the audit log. The first of `complete` and `fail` counts. */
export interface Books {
  /** The most that the scrape can cost, set aside. */
  readonly hold: Hold;
  /**
   * Charges, audits and records an answered scrape. Resolves once no crash can undo the charge: answer after that.
   * @throws ServiceError insufficient_credits, or billing_unavailable when nothing could be charged.
   */
  complete(scraped: Scraped): Promise<void>;
  /** Charges what the failure costs nevertheless, audits and records it. @throws the failure. */
  fail(failure: unknown): Promise<never>;
}

/** Opens the books of a scrape. @throws ServiceError insufficient_credits when the team cannot pay for it. */
export async function openBooks(job: ScrapeJob, guard: ThreatGuard, services: BookServices): Promise<Books> {
  const hold = await services.credits.hold({
    id: job.id,
    startedAtMs: job.startedAtMs,
    payer: job.caller.payer,
    amount: highestPrice(job, { threatScans: guard.mostScans, hasModel: services.answers.asksModel }),
  });
  return {
    hold,
    async complete(scraped) {
      // The deadline does not apply any more: a scrape that is charged must be answered.
      await hold.settle(scraped.facts.creditsUsed);
      await auditSuccess(job, scraped.facts, services);
      noteReplay(job, scraped, services);
      recordSuccess(job, scraped, { ...services, file: await keepShownDocument(job, scraped, services) });
    },
    async fail(failure) {
      const creditsUsed = priceOfFailure(failure, guard.scans);
      await hold.settle(creditsUsed);
      recordFailure(job, { failure, creditsUsed }, services);
      throw failure;
    },
  };
}

/** The event of a scrape done in somebody's name is kept before the answer goes out. What cannot be kept now is tried again. */
async function auditSuccess(
  job: ScrapeJob,
  { creditsUsed }: ScrapeFacts,
  { audit }: BookServices,
): Promise<void> {
  if (job.request.auditMetadata) await audit.write(auditEvent(job, { creditsUsed })).catch(() => undefined);
}

/** The answer of a cached capture can be made again; any other is stored, which goes on after the answer went out. */
function recordSuccess(
  job: ScrapeJob,
  scraped: Scraped,
  { file, ...services }: BookServices & { readonly file: string | undefined },
): void {
  const { answer, facts, captureId } = scraped;
  const { records, log, figures } = services;
  const way = facts.cacheState === "hit" ? "cache" : answer.capture.engine;
  figures.count(endedOf(job, { creditsUsed: facts.creditsUsed, isHit: way === "cache", way }));
  if (job.retention === "none") return;
  // What a model said once is not asked again.
  const isCached = captureId !== undefined && !answer.isModelAsked;
  records.add(
    recordOf(job, {
      status: "completed",
      statusCode: answer.capture.statusCode,
      creditsUsed: facts.creditsUsed,
      cacheState: facts.cacheState,
      answerKey: isCached ? undefined : job.id,
      captureId,
      recipe: isCached ? job.plan.recipe : undefined,
      way,
      details: services.keepsRequests ? detailsOf(job, { ...outcomeOf(job, scraped), file }) : undefined,
    }),
  );
  if (isCached) return;
  records
    .saveAnswer(job.id, () => JSON.stringify(answer.data(facts)))
    .catch((failure: unknown) => log.error({ err: failure }, "An answer could not be stored."));
}

/** What a browser shows of itself. Files of other kinds are read by programs, and cannot be gone on with. */
const SHOWN = /^(?:text\/|image\/|application\/(?:(?:[\w.-]+\+)?(?:xml|json)|javascript)\b|$)/i;

/** How the page is opened again, where its URL does not say it all; that it must not be, where nothing is kept. */
function noteReplay(
  { id, caller, plan, retention }: ScrapeJob,
  { answer }: Scraped,
  { replays }: BookServices,
): void {
  const isShown = retention === "usual" && SHOWN.test(answer.capture.contentType ?? "");
  if (isShown && plan.replay === undefined) return;
  replays.add({
    id,
    teamId: caller.teamId,
    recipe: isShown ? (plan.replay ?? null) : null,
    endedAtMs: Date.now(),
  });
}

function recordFailure(
  job: ScrapeJob,
  { failure, creditsUsed }: { readonly failure: unknown; readonly creditsUsed: number },
  { records, audit, figures, keepsRequests }: BookServices,
): void {
  const code = codeOf(failure);
  figures.count(endedOf(job, { creditsUsed, isHit: false, errorCode: code }));
  const isBlocked = code === "unsafe_domain_blocked";
  if (job.request.auditMetadata || isBlocked) audit.note(auditEvent(job, { code, creditsUsed }));
  if (job.retention === "none") return;
  const message = failure instanceof Error ? failure.message : undefined;
  const details = keepsRequests ? detailsOf(job, { timings: waitOf(job), message }) : undefined;
  records.add(recordOf(job, { status: "failed", errorCode: code, creditsUsed, details }));
}

/** Where the time went, and what the answer warns of. */
function outcomeOf(job: ScrapeJob, { answer, obtainedMs }: Scraped) {
  const visit = obtainedMs === undefined ? [] : [["visit", round(obtainedMs)] as [string, number]];
  // What was made before took no time now.
  const made = obtainedMs === undefined ? [] : [...answer.timings];
  const stages = made.map(([name, durationMs]): [string, number] => [name, round(durationMs)]);
  return {
    timings: [...waitOf(job), ...visit, ...stages],
    message: answer.warning,
    pages: answer.documentPages,
  };
}

function waitOf({ queuedMs }: ScrapeJob): [string, number][] {
  return queuedMs === undefined ? [] : [["queue", round(queuedMs)]];
}

function round(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}

/** What is counted: of scrapes that leave nothing behind no more than that they were. */
function endedOf(
  { caller, plan, startedAtMs, retention }: ScrapeJob,
  outcome: Pick<EndedRequest, "creditsUsed" | "isHit" | "errorCode" | "way">,
): EndedRequest {
  const endedAtMs = Date.now();
  return {
    teamId: caller.teamId,
    keyId: caller.keyId,
    endedAtMs,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    formats: retention === "none" ? [] : plan.formats.map(({ name }) => name),
    ...outcome,
    ...(retention === "none" && { way: undefined }),
  };
}

function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked under way.
  return failure instanceof UnauthorizedError ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}

/** What a record says of the answer, not of the job. */
type Outcome = Pick<ScrapeRecord, "status" | "creditsUsed"> &
  Partial<
    Pick<
      ScrapeRecord,
      "statusCode" | "errorCode" | "cacheState" | "answerKey" | "captureId" | "recipe" | "way" | "details"
    >
  >;

/** Written out field by field: a record is made for every answer from memory, and spreading costs more than the rest. */
function recordOf(
  { id, caller, plan, request, startedAtMs, replayOf }: ScrapeJob,
  outcome: Outcome,
): ScrapeRecord {
  return {
    id,
    teamId: caller.teamId,
    keyId: caller.keyId,
    url: plan.sourceUrl,
    host: plan.host,
    status: outcome.status,
    statusCode: outcome.statusCode,
    errorCode: outcome.errorCode,
    creditsUsed: outcome.creditsUsed,
    durationMs: Date.now() - startedAtMs,
    cacheState: outcome.cacheState,
    origin: request.origin,
    createdAtMs: startedAtMs,
    answerKey: outcome.answerKey,
    captureId: outcome.captureId,
    recipe: outcome.recipe,
    formats: plan.formats.map(({ name }) => name),
    way: outcome.way,
    replayOf,
    details: outcome.details,
  };
}

/** The URL is told unless nothing about the scrape may be kept (contract, sections 3.25, 3.28 and 3.29). */
function auditEvent(
  { id, caller, plan, request, retention }: ScrapeJob,
  outcome: { readonly code?: string; readonly creditsUsed: number },
): AuditEvent {
  return {
    kind: "scrape",
    teamId: caller.teamId,
    keyId: caller.keyId,
    details: {
      scrapeId: id,
      username: request.auditMetadata?.username,
      ...(retention === "usual" && { url: plan.sourceUrl }),
      ...outcome,
    },
  };
}
