import { type ErrorCode, errorCodes } from "../api/error-codes.ts";
import { ServiceError, UnauthorizedError } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Caller } from "./callers.ts";
import { BannedError } from "./revocations.ts";

/** The endpoint of the paid work (`scrape`, `map`, `crawl`), or `session` or `tool`. */
export type WorkKind = string;

/** Single requests have priority over pages of jobs, which can be very many. */
export type WorkClass = "single" | "job";

export interface PaidWork {
  readonly id: string;
  readonly kind: WorkKind;
  readonly caller: Caller;
  readonly startedAtMs: number;
}

/** Columns of the history that all kinds of work share. */
export interface WorkRecord {
  readonly id: string;
  /** Default: `scrape`. `refused` marks calls that were no work, which only the operator sees. */
  readonly kind?: WorkKind | undefined;
  /** Id of the work that this is part of. */
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

/** A row of the operator's log. */
export interface LoggedWork extends WorkRecord {
  /** The requested URL. Work without a page has a description, such as `tool:` and names. */
  readonly url: string;
  /** Host of the URL, without port. It is stored for searches and not read back. */
  readonly host?: string | undefined;
  /** 1: the answer lacks something that was asked for. */
  readonly isPartial?: 1 | undefined;
  /** Names of the requested formats. */
  readonly formats?: readonly string[] | undefined;
}

/** Figures of ended work. They reveal nothing about the request except the host. */
export interface EndedWork {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly endedAtMs: number;
  /** Undefined where it says nothing about speed: a session lasts as long as its caller wants. */
  readonly durationMs?: number | undefined;
  readonly kind?: WorkKind | undefined;
  readonly creditsUsed: number;
  /** 0 for what costs credits and is no request: the question of an agent's step. */
  readonly pages?: 0 | undefined;
  /** Undefined when the work succeeded. */
  readonly errorCode?: string | undefined;
  readonly isHit: boolean;
  readonly formats: readonly string[];
  /** Source of the page: cache, http, browser … */
  readonly way?: string | undefined;
  /** Host of the page. Undefined when nothing about the request may be stored. */
  readonly host?: string | undefined;
}

/** A call that was refused before any work began. It is free. */
export interface RefusedCall {
  /** Empty when the team is unknown. */
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly atMs: number;
  readonly code: string;
}

/**
 * What a figure counts. `all`: requests. Of these, `failed` (`name` is the error code), `hit` (answered from
 * the cache), `format`, `way` (source of the page), `kind`, `duration` (`name` is the bucket) and
 * `hitDuration` (those from the cache). Besides requests, `refused` counts refused calls (`name` is the error
 * code).
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

/** An overload lasts at least this long. */
const RETRY_AFTER_SECONDS = 2;

/** The error of work that failed because this service lacked a resource; undefined for other failures. */
export function overloadedBy(failure: unknown): ServiceError | undefined {
  if (!ownFailure(failure)) return undefined;
  // The error reports the lack already, with its own reason.
  if (failure instanceof ServiceError && errorCodes[failure.code].status === 503) return failure;
  return new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: failure });
}

export function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked or banned while the work ran.
  const isRefused = failure instanceof UnauthorizedError || failure instanceof BannedError;
  return isRefused ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}
