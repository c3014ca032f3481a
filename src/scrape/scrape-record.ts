import type { AuditEvent } from "../accounts/audit.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import type { EndedWork } from "../accounts/work.ts";
import type { ScrapeJob } from "./request/job.ts";

/** What is counted: of scrapes that leave nothing behind no more than that they were. */
export function endedOf(
  { kind, caller, plan, startedAtMs, retention }: ScrapeJob,
  outcome: Pick<EndedWork, "creditsUsed" | "isHit" | "errorCode" | "way">,
): EndedWork {
  const endedAtMs = Date.now();
  return {
    teamId: caller.teamId,
    keyId: caller.keyId,
    kind,
    endedAtMs,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    formats: retention === "none" ? [] : plan.formats.map(({ name }) => name),
    host: retention === "usual" ? plan.host : undefined,
    ...outcome,
    ...(retention === "none" && { way: undefined }),
  };
}

/** What a record says of the answer, not of the job. */
type Outcome = Pick<ScrapeRecord, "status" | "creditsUsed"> &
  Partial<
    Pick<
      ScrapeRecord,
      | "statusCode"
      | "errorCode"
      | "cacheState"
      | "isPartial"
      | "answerKey"
      | "captureId"
      | "recipe"
      | "way"
      | "details"
    >
  >;

/** Written out field by field: a record is made for every answer from memory, and spreading costs more than the rest. */
export function recordOf(
  { id, kind, parent, caller, plan, request, startedAtMs, replayOf }: ScrapeJob,
  outcome: Outcome,
): ScrapeRecord {
  return {
    id,
    kind,
    parentId: parent?.id,
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
    isPartial: outcome.isPartial,
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

/** The URL is recorded unless nothing about the scrape may be kept (contract, sections 3.25, 3.28 and 3.29). */
export function auditEvent(
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
