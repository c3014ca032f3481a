import type { Payer } from "../accounts/balances.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { Ended, SessionRow } from "./session-rows.ts";

interface EndedSession extends Pick<SessionRow, "id" | "scrapeId" | "createdAtMs"> {
  readonly payer: Payer;
}

/** History entry and metrics of an ended session. Its duration does not count as latency of the service. */
export function endOfSession(
  { id, scrapeId, createdAtMs, payer: { team, keyId } }: EndedSession,
  { credits, endedAtMs, reason }: Omit<Ended, "id">,
): Pick<WorkEnd<ScrapeRecord>, "credits" | "figure" | "record"> {
  const whose = { teamId: team.id, keyId };
  return {
    credits,
    figure: { ...whose, kind: "session", endedAtMs, creditsUsed: credits, isHit: false, formats: [] },
    record:
      team.flags.zeroDataRetention === "forced"
        ? undefined
        : () => ({
            ...whose,
            id,
            kind: "session",
            parentId: scrapeId ?? undefined,
            url: `session:${reason}`,
            host: "",
            status: "completed",
            creditsUsed: credits,
            durationMs: Math.max(0, endedAtMs - createdAtMs),
            createdAtMs,
            formats: [],
          }),
  };
}
