import { z } from "zod";

import { type ErrorCode, errorCodes } from "./error-codes.ts";

/** Particulars of one failure. `details` and `retryAfterSeconds` reach the client. */
interface ErrorParticulars {
  readonly message?: string;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Credits that the failed request still costs (contract, section 5.1). */
  readonly creditsUsed?: number;
  /** Id of the charge for a provider tool request. Reaches the client. */
  readonly chargeId?: string;
  /** Run that is in the way. Reaches the client. */
  readonly runId?: string;
  /** Whether the team has to act before it tries again. Reaches the client. */
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

/** Whether the words of a failure are meant for callers. Those of the system are not. */
export function isTold(failure: unknown): failure is Error {
  return TOLD.some((kind) => failure instanceof kind);
}

/** What callers are told of a failure. */
export function toldOf(failure: unknown): string {
  return isTold(failure) ? failure.message : errorCodes.UNKNOWN_ERROR.message;
}

/** A request without a valid key. Its body has no code (contract, section 4.1). */
export class UnauthorizedError extends Error {
  override readonly name = "UnauthorizedError";
}

/** What the caller asked for does not exist, or belongs to another team. Its body has no code. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** What is asked for does not go with what is there. Its body has no code. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  /** Further fields of the body. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(message: string, facts: Readonly<Record<string, string>> = {}) {
    super(message);
    this.facts = facts;
  }
}

/** What was to be changed has changed meanwhile. Its body has no code. */
export class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
}

/** The caller may not do this. Its body has no code (contract, section 4.1). */
export class ForbiddenError extends Error {
  override readonly name = "ForbiddenError";
}

/** Too many requests. Its body has nothing but the message (interface document, section 7). */
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
