import { ServiceError } from "../contract/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Document, ScrapeFacts } from "./document.ts";
import type { Records } from "./records.ts";
import type { ScrapeJob } from "./job.ts";

export interface Bookkeeping {
  readonly records: Records;
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
  { records, log }: Bookkeeping,
): void {
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
  { records }: Bookkeeping,
): void {
  if (job.retention === "none") return;
  const errorCode = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
  records.add({ ...commonFields(job), status: "failed", errorCode, creditsUsed });
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
