import { z } from "zod";

import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../contract/errors.ts";

/** What failed, in words for a model. */
export interface ToldFailure {
  readonly text: string;
  /** For the log. */
  readonly code: string;
}

/** Undefined for a failure that nobody expected, of which nothing may be told. */
export function tellFailure(failure: unknown): ToldFailure | undefined {
  if (failure instanceof ServiceError) {
    const { code, message, retryAfterSeconds } = failure;
    return { code, text: `${code}: ${message}${retryHint(retryAfterSeconds)}` };
  }
  if (failure instanceof z.ZodError) {
    return { code: "BAD_REQUEST", text: `BAD_REQUEST: ${failure.issues.map(tellIssue).join("; ")}` };
  }
  if (failure instanceof RateLimitError) {
    return { code: "RATE_LIMIT", text: failure.message + retryHint(failure.retryAfterSeconds) };
  }
  const known = [ForbiddenError, NotFoundError, UnauthorizedError].some((kind) => failure instanceof kind);
  return known ? { code: (failure as Error).name, text: (failure as Error).message } : undefined;
}

function retryHint(seconds: number | undefined): string {
  return seconds === undefined ? "" : ` Try again in ${seconds} s.`;
}

function tellIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}
