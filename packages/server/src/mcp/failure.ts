import { z } from "zod";

import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";

const MAX_TOLD_ISSUES = 10;
/** Of one issue: it may quote what was sent. */
const MAX_ISSUE_LENGTH = 500;

/** What failed, in words for a model. */
export interface ToldFailure {
  readonly text: string;
  /** For the log. */
  readonly code: string;
}

/** Undefined for an unexpected failure, whose details must not be revealed. */
export function tellFailure(failure: unknown): ToldFailure | undefined {
  if (failure instanceof ServiceError) {
    const { code, message, retryAfterSeconds } = failure;
    return { code, text: `${code}: ${message}${retryHint(retryAfterSeconds)}` };
  }
  if (failure instanceof z.ZodError) {
    return { code: "BAD_REQUEST", text: `BAD_REQUEST: ${tellIssues(failure.issues)}` };
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

/** The first of them: a model repairs these, and sees the others with its next call. */
function tellIssues(issues: readonly z.core.$ZodIssue[]): string {
  const told = issues.slice(0, MAX_TOLD_ISSUES).map(tellIssue).join("; ");
  const left = issues.length - MAX_TOLD_ISSUES;
  return left > 0 ? `${told}; and ${left} more` : told;
}

function tellIssue({ path, message }: z.core.$ZodIssue): string {
  return (path.length === 0 ? message : `${path.join(".")}: ${message}`).slice(0, MAX_ISSUE_LENGTH);
}
