import type { Payer } from "../accounts/balances.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { Ended, SessionRow } from "./session-rows.ts";

/** A session that has ended, and who pays for it. */
interface EndedSession extends Pick<SessionRow, "id" | "scrapeId" | "createdAtMs"> {
  readonly payer: Payer;
}

/** Its line of the history and its figures. How long it lasted says nothing of how fast the service is. */
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
