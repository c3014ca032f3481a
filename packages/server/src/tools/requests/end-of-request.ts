import type { Caller } from "../../accounts/callers.ts";
import type { WorkEnd } from "../../accounts/charges.ts";
import type { LoggedWork } from "../../accounts/work.ts";

interface EndedRequest {
  readonly scrapeId: string;
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly createdAtMs: number;
  readonly endedAtMs: number;
  readonly credits: number;
  /** The called tools, without their options. */
  readonly calls: readonly { readonly provider: string; readonly capability: string }[];
  /** Code of the first call, when all have failed. */
  readonly errorCode?: string | undefined;
  /** Whether some calls have failed, and others not. */
  readonly isPartial?: boolean;
}

/** The history row and the figures of a request. @param flags of its team. */
export function endOfRequest(
  { scrapeId, teamId, keyId, createdAtMs, endedAtMs, credits, calls, errorCode, isPartial }: EndedRequest,
  { zeroDataRetention }: Caller["team"]["flags"],
): Pick<WorkEnd<LoggedWork>, "credits" | "figure" | "record"> {
  const durationMs = Math.max(0, endedAtMs - createdAtMs);
  const whose = { teamId, keyId };
  return {
    credits,
    figure: {
      ...whose,
      kind: "tool",
      endedAtMs,
      durationMs,
      creditsUsed: credits,
      errorCode,
      isHit: false,
      formats: [],
    },
    record:
      zeroDataRetention === "forced"
        ? undefined
        : () => ({
            ...whose,
            id: scrapeId,
            kind: "tool",
            url: `tool:${calls.map(({ provider, capability }) => `${provider}/${capability}`).join(",")}`,
            host: "",
            status: errorCode === undefined ? "completed" : "failed",
            errorCode,
            creditsUsed: credits,
            durationMs,
            createdAtMs,
            formats: [],
            ...(isPartial === true && { isPartial: 1 as const }),
          }),
  };
}
