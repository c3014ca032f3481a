import type { ErrorCode } from "../contract/error-codes.ts";
import { ServiceError, UnauthorizedError } from "../contract/errors.ts";

/** The error code of failed work. */
export function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked under way.
  return failure instanceof UnauthorizedError ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}
