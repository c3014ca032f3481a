import { z } from "zod";

import { type ErrorCode, errorCodes } from "./error-codes.ts";

/** Details of one failure. `details` and `retryAfterSeconds` reach the client. */
interface ErrorParticulars {
  readonly message?: string;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Credits that the failed request still costs (contract, section 5.1). */
  readonly creditsUsed?: number;
  /** Id of the charge for a provider tool request. Reaches the client. */
  readonly chargeId?: string;
  /** The conflicting run. Reaches the client. */
  readonly runId?: string;
  /** True when the team must act before it tries again. Reaches the client. */
  readonly requiresAction?: boolean;
}

/** A failure that is reported to the client. Only `http/` knows status codes. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly creditsUsed: number;
  readonly chargeId: string | undefined;
  readonly runId: string | undefined;
  readonly requiresAction: boolean | undefined;

  constructor(code: ErrorCode, particulars: ErrorParticulars = {}) {
    super(particulars.message ?? errorCodes[code].message, { cause: particulars.cause });
    this.code = code;
    this.details = particulars.details;
    this.retryAfterSeconds = particulars.retryAfterSeconds;
    this.creditsUsed = particulars.creditsUsed ?? 0;
    this.chargeId = particulars.chargeId;
    this.runId = particulars.runId;
    this.requiresAction = particulars.requiresAction;
  }
}

/** True when a failure's message is meant for callers. System errors are not. */
export function isTold(failure: unknown): failure is Error {
  return TOLD.some((kind) => failure instanceof kind);
}

/** Returns the message of a failure for callers. */
export function toldOf(failure: unknown): string {
  return isTold(failure) ? failure.message : errorCodes.UNKNOWN_ERROR.message;
}

/** A request without a valid key. The response body has no code (contract, section 4.1). */
export class UnauthorizedError extends Error {
  override readonly name = "UnauthorizedError";
}

/** The requested object does not exist, or belongs to another team. The response body has no code. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** The request conflicts with the present state. The response body has no code. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  /** Further fields of the body. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(message: string, facts: Readonly<Record<string, string>> = {}) {
    super(message);
    this.facts = facts;
  }
}

/** The object changed before this change was applied. The response body has no code. */
export class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
}

/** The caller is not allowed to do this. The response body has no code (contract, section 4.1). */
export class ForbiddenError extends Error {
  override readonly name = "ForbiddenError";
}

/** Too many requests. The response body contains only the message (interface document, section 7). */
export class RateLimitError extends Error {
  override readonly name = "RateLimitError";
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TOLD = [
  ServiceError,
  UnauthorizedError,
  NotFoundError,
  ConflictError,
  ChangedMeanwhileError,
  ForbiddenError,
  RateLimitError,
  z.ZodError,
] as const;
