import type { ErrorCode } from "../api/error-codes.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";

export function endOfMap(
  { id, kind, caller, plan, request, startedAtMs, retention }: ScrapeJob,
  outcome: { readonly creditsUsed: number; readonly errorCode?: ErrorCode },
): WorkEnd<ScrapeRecord> {
  const { creditsUsed, errorCode } = outcome;
  const { teamId, keyId } = caller;
  const endedAtMs = Date.now();
  const durationMs = Math.max(0, endedAtMs - startedAtMs);
  const details = { mapId: id, username: request.auditMetadata?.username, url: plan.sourceUrl, ...outcome };
  const isAudited = request.auditMetadata !== undefined || errorCode === "unsafe_domain_blocked";
  return {
    credits: creditsUsed,
    audit: isAudited ? [{ kind: "map", teamId, keyId, details }] : [],
    isAuditAwaited: errorCode === undefined,
    figure: { teamId, keyId, kind, endedAtMs, durationMs, creditsUsed, errorCode, isHit: false, formats: [] },
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
          }),
  };
}
