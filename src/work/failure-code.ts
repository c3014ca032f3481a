import { BannedError } from "../accounts/revocations.ts";
import { type ErrorCode, errorCodes } from "../contract/error-codes.ts";
import { ServiceError, UnauthorizedError } from "../contract/errors.ts";
import { ownFailure } from "../kit/process/own-failure.ts";

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
