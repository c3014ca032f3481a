import { type ErrorCode, ServiceError, UnauthorizedError } from "../contract/errors.ts";
import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import type { Log } from "../kit/log.ts";
import { withoutCredentials } from "../kit/url.ts";
import type { Answer, ScrapeFacts } from "./answer/answer.ts";
import type { Records } from "../stores/scrapes/records.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";

export interface Bookkeeping {
  readonly records: Records;
  readonly audit: AuditLog;
  readonly log: Log;
}

/**
 * Logs a scrape that was done in somebody's name: the event is kept before the answer goes out. What cannot be kept now is
 * tried again, and told in the log; it does not cost the answer.
 */
export async function auditSuccess(
  job: ScrapeJob,
  { creditsUsed }: ScrapeFacts,
  { audit }: Bookkeeping,
): Promise<void> {
  if (job.request.auditMetadata) await audit.write(auditEvent(job, { creditsUsed })).catch(() => undefined);
}

/**
 * Records an answered scrape. The answer of a cached capture can be made again; any other is stored, which goes on
 * after the answer.
 */
export function recordSuccess(
  job: ScrapeJob,
  { answer, facts }: { readonly answer: Answer; readonly facts: ScrapeFacts },
  captureId: string | undefined,
  { records, log }: Bookkeeping,
): void {
  if (job.retention === "none") return;
  const isCached = captureId !== undefined;
  records.add(
    recordOf(job, {
      status: "completed",
      statusCode: answer.capture.statusCode,
      creditsUsed: facts.creditsUsed,
      cacheState: facts.cacheState,
      answerKey: isCached ? undefined : job.id,
      captureId,
      recipe: isCached ? job.plan.recipe : undefined,
    }),
  );
  if (captureId !== undefined) return;
  records
    .saveAnswer(job.id, () => JSON.stringify(answer.data(facts)))
    .catch((failure: unknown) => log.error({ err: failure }, "An answer could not be stored."));
}

/** Records a failed scrape. */
export function recordFailure(
  job: ScrapeJob,
  { failure, creditsUsed }: { readonly failure: unknown; readonly creditsUsed: number },
  { records, audit }: Bookkeeping,
): void {
  const code = codeOf(failure);
  const isBlocked = code === "unsafe_domain_blocked";
  if (job.request.auditMetadata || isBlocked) audit.note(auditEvent(job, { code, creditsUsed }));
  if (job.retention === "none") return;
  records.add(recordOf(job, { status: "failed", errorCode: code, creditsUsed }));
}

function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked under way.
  return failure instanceof UnauthorizedError ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}

/** What a record says of the answer, not of the job. */
type Outcome = Pick<ScrapeRecord, "status" | "creditsUsed"> &
  Partial<
    Pick<ScrapeRecord, "statusCode" | "errorCode" | "cacheState" | "answerKey" | "captureId" | "recipe">
  >;

/** Written out field by field: a record is made for every answer from memory, and spreading costs more than the rest. */
function recordOf({ id, caller, plan, request, startedAtMs }: ScrapeJob, outcome: Outcome): ScrapeRecord {
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
      ...(retention === "usual" && { url: withoutCredentials(plan.sourceUrl) }),
      ...outcome,
    },
  };
}
