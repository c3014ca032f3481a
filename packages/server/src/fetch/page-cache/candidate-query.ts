import { limits } from "../../api/limits.ts";
import type { Capture } from "../capture.ts";
import type { CandidateQuery, CaptureName } from "./capture-rows.ts";
import { type CacheKey, hashOfKey } from "./page-cache-key.ts";

/** Whether a page answers all teams of the installation, or only the one that had it fetched. */
export type CacheScope = "instance" | "team";

/** Which stored pages may answer, besides those of another key. */
export interface CacheBounds {
  /** Undefined: as old as you like. 0: nothing is young enough. */
  readonly maxAgeMs: number | undefined;
  readonly minAgeMs: number | undefined;
  /** The page must have been waited for at least as long. */
  readonly waitForMs: number;
  /** True when what came over TLS must have come from whom its certificate names. */
  readonly needsTrust: boolean;
  /** Whether a screenshot is answered, if there is one: its link ends a day after it was stored. */
  readonly wantsScreenshot: boolean;
  /** Whether pages that sites failed to give are read as long as they are kept (contract, section 3.24). */
  readonly readsFailures?: boolean;
  /** Whether a page can answer, once it is loaded. */
  readonly accepts?: (capture: Capture) => boolean;
  /** Who asks. */
  readonly teamId: string;
}

/** The question to the table that finds what may answer. */
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
    // A link that ends this very moment opens nothing any more.
    oldestScreenshotMs: wantsScreenshot ? nowMs - limits.fileLifeMs + 1 : 0,
    leastWaitForMs: waitForMs,
    screenshot: key.screenshot,
    needsTrust,
  };
}

export function captureName(key: CacheKey, teamId: string, scope: CacheScope): CaptureName {
  return { scope: scopeName(teamId, scope), keyHash: hashOfKey(key) };
}

/** For whom what a team has fetched is. */
function scopeName(teamId: string, scope: CacheScope): string {
  return scope === "team" ? `team ${teamId}` : "instance";
}
