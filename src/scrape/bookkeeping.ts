import { ServiceError } from "../contract/errors.ts";
import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import type { Log } from "../kit/log.ts";
import { withoutCredentials } from "../kit/url.ts";
import type { Document, ScrapeFacts } from "./document.ts";
import type { Records } from "./records.ts";
import type { ScrapeJob } from "./job.ts";

export interface Bookkeeping {
  readonly records: Records;
  readonly audit: AuditLog;
  readonly log: Log;
}

/**
 * Records an answered scrape. The document of a cached capture can be made again; any other is stored, which goes on
 * after the answer.
 */
export function recordSuccess(
  job: ScrapeJob,
  { document, facts }: { readonly document: Document; readonly facts: ScrapeFacts },
  captureId: string | undefined,
  { records, audit, log }: Bookkeeping,
): void {
  if (job.request.auditMetadata) audit.note(auditEvent(job, { creditsUsed: facts.creditsUsed }));
  if (job.retention === "none") return;
  const kept = captureId === undefined ? { documentKey: job.id } : { captureId, recipe: job.plan.recipe };
  records.add({
    ...commonFields(job),
    status: "completed",
    statusCode: document.capture.statusCode,
    creditsUsed: facts.creditsUsed,
    cacheState: facts.cacheState,
    ...kept,
  });
  if (captureId !== undefined) return;
  records
    .saveDocument(job.id, () => JSON.stringify(document.data(facts)))
    .catch((failure: unknown) => log.error({ err: failure }, "A document could not be stored."));
}

/** Records a failed scrape. */
export function recordFailure(
  job: ScrapeJob,
  { failure, creditsUsed }: { readonly failure: unknown; readonly creditsUsed: number },
  { records, audit }: Bookkeeping,
): void {
  const code = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
  const isBlocked = code === "unsafe_domain_blocked";
  if (job.request.auditMetadata || isBlocked) audit.note(auditEvent(job, { code, creditsUsed }));
  if (job.retention === "none") return;
  records.add({ ...commonFields(job), status: "failed", errorCode: code, creditsUsed });
}

function commonFields({ id, caller, plan, request, startedAtMs }: ScrapeJob) {
  return {
    id,
    teamId: caller.teamId,
    ...(caller.keyId && { keyId: caller.keyId }),
    url: plan.sourceUrl,
    durationMs: Date.now() - startedAtMs,
    origin: request.origin,
    createdAtMs: startedAtMs,
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
