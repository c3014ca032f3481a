import { limits } from "../../api/limits.ts";
import type { Capture } from "../capture.ts";
import type { CandidateQuery, CaptureName } from "./capture-rows.ts";
import { type CacheKey, hashOfKey } from "./page-cache-key.ts";

/** Whether a page answers all teams of the installation, or only the team that fetched it. */
export type CacheScope = "instance" | "team";

/** Limits for stored pages that may answer, besides their key. */
export interface CacheBounds {
  /** Undefined: any age. 0: no stored page is young enough. */
  readonly maxAgeMs: number | undefined;
  readonly minAgeMs: number | undefined;
  /** Minimum `waitFor` of the stored page. */
  readonly waitForMs: number;
  /** True when captures with unverified TLS certificates must not answer. */
  readonly needsTrust: boolean;
  /** Whether a screenshot is wanted. Its link expires a day after it was stored. */
  readonly wantsScreenshot: boolean;
  /** Whether pages with errors answer for as long as they are stored (contract, section 3.24). */
  readonly readsFailures?: boolean;
  /** Whether a loaded page can answer. */
  readonly accepts?: (capture: Capture) => boolean;
  /** Team that asks. */
  readonly teamId: string;
}

/** Database query for pages that may answer. */
export function candidateQuery(
  key: CacheKey,
  bounds: CacheBounds,
  scope: CacheScope,
  nowMs: number,
): CandidateQuery {
  const { maxAgeMs, minAgeMs, waitForMs, needsTrust, wantsScreenshot, teamId } = bounds;
  return {
    ...captureName(key, teamId, scope),
    oldestMs: maxAgeMs === undefined ? 0 : nowMs - maxAgeMs,
    newestMs: minAgeMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs - minAgeMs,
    // A link that expires at this very moment is already invalid.
    oldestScreenshotMs: wantsScreenshot ? nowMs - limits.keptMs.files + 1 : 0,
    leastWaitForMs: waitForMs,
    screenshot: key.screenshot,
    needsTrust,
  };
}

export function captureName(key: CacheKey, teamId: string, scope: CacheScope): CaptureName {
  return { scope: scopeName(teamId, scope), keyHash: hashOfKey(key) };
}

/** Scope of a capture that a team has fetched. */
function scopeName(teamId: string, scope: CacheScope): string {
  return scope === "team" ? `team ${teamId}` : "instance";
}
