import type { ErrorCode } from "../api/error-codes.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { PaidWork } from "../accounts/work.ts";
import type { SearchRequest } from "./request.ts";

export interface SearchWork extends PaidWork {
  readonly request: SearchRequest;
  /** Whether nothing about it may be stored or logged, except its cost. */
  readonly isPrivate: boolean;
}

/** End of a search. Its pages are settled separately. */
export function endOfSearch(
  { id, kind, caller, startedAtMs, request, isPrivate }: SearchWork,
  { creditsUsed, errorCode }: { readonly creditsUsed: number; readonly errorCode?: ErrorCode },
): WorkEnd<ScrapeRecord> {
  const { teamId, keyId } = caller;
  const endedAtMs = Date.now();
  const durationMs = Math.max(0, endedAtMs - startedAtMs);
  const details = { searchId: id, username: request.auditMetadata?.username, creditsUsed, errorCode };
  return {
    credits: creditsUsed,
    audit: request.auditMetadata ? [{ kind: "search", teamId, keyId, details }] : [],
    isAuditAwaited: errorCode === undefined,
    figure: { teamId, keyId, kind, endedAtMs, durationMs, creditsUsed, errorCode, isHit: false, formats: [] },
    record: isPrivate
      ? undefined
      : () => ({
          id,
          kind,
          teamId,
          keyId,
          url: `search:${request.query}`,
          host: "",
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
