import { type ErrorCode, errorCodes } from "../api/error-codes.ts";
import { ServiceError, UnauthorizedError } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Caller } from "./callers.ts";
import { BannedError } from "./revocations.ts";

/** What teams pay for, by the name of its endpoint: `scrape`, `map`, `crawl`; besides these, `session` and `tool`. */
export type WorkKind = string;

/** Single requests have priority over pages of jobs, of which there can be very many. */
export type WorkClass = "single" | "job";

/** One piece of work that a team pays for. */
export interface PaidWork {
  readonly id: string;
  readonly kind: WorkKind;
  readonly caller: Caller;
  readonly startedAtMs: number;
}

/** The row of the history that all kinds of work have in common. */
export interface WorkRecord {
  readonly id: string;
  /** Default: `scrape`. Also `refused`: such calls were no work, and are reported to the operator. */
  readonly kind?: WorkKind | undefined;
  /** Id of the work that it is part of. */
  readonly parentId?: string | undefined;
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly status: "completed" | "failed";
  readonly errorCode?: string | undefined;
  readonly creditsUsed: number;
  readonly durationMs: number;
  readonly createdAtMs: number;
  readonly origin?: string | undefined;
}

/** The same as the operator's log tells it. */
export interface LoggedWork extends WorkRecord {
  /** What was asked for; of work without a page what it was, such as `tool:` and names. */
  readonly url: string;
  /** Host of the URL, without port. Kept to search by, and not read back. */
  readonly host?: string | undefined;
  /** Names of the wanted formats. */
  readonly formats?: readonly string[] | undefined;
}

/** Figures of ended work. They reveal no more of what was requested than the host. */
export interface EndedWork {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly endedAtMs: number;
  /** Undefined where it says nothing of the speed: a session lasts as long as it is wanted. */
  readonly durationMs?: number | undefined;
  readonly kind?: WorkKind | undefined;
  readonly creditsUsed: number;
  /** Undefined when the work succeeded. */
  readonly errorCode?: string | undefined;
  readonly isHit: boolean;
  readonly formats: readonly string[];
  /** Source of the page: cache, http, browser … */
  readonly way?: string | undefined;
  /** Host of the page. Undefined where nothing may tell what was requested. */
  readonly host?: string | undefined;
}

/** A call that was refused before any work began. It cost nothing. */
export interface RefusedCall {
  /** Empty if its team is unknown. */
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly atMs: number;
  readonly code: string;
}

/**
 * What a figure counts: requests at all, and those of them that failed (`name` is the code), came from the cache, wanted
 * a format, were got in a way, were of a kind, or took so long (`name` is the bucket; `hitDuration`: those from the
 * cache); and, besides them, calls that were refused (`name` is the code).
 */
export type FigureKind =
  | "all"
  | "failed"
  | "hit"
  | "format"
  | "way"
  | "kind"
  | "duration"
  | "hitDuration"
  | "refused";

/** How soon that is over at the earliest. */
const RETRY_AFTER_SECONDS = 2;

/** The error of work for which this service lacked something; undefined for failures of other kinds. */
export function overloadedBy(failure: unknown): ServiceError | undefined {
  if (!ownFailure(failure)) return undefined;
  // It says so already, with its own reason.
  if (failure instanceof ServiceError && errorCodes[failure.code].status === 503) return failure;
  return new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: failure });
}

/** The error code of failed work. */
export function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked or banned under way.
  const isRefused = failure instanceof UnauthorizedError || failure instanceof BannedError;
  return isRefused ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}
