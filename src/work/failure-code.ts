import { BannedError } from "../accounts/revocations.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { ServiceError, UnauthorizedError } from "../contract/errors.ts";

/** The error code of failed work. */
export function codeOf(failure: unknown): ErrorCode {
  if (failure instanceof ServiceError) return failure.code;
  // The key was revoked or banned under way.
  const isRefused = failure instanceof UnauthorizedError || failure instanceof BannedError;
  return isRefused ? "SCRAPE_JOB_CANCELLED" : "UNKNOWN_ERROR";
}
