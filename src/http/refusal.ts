import type { Caller } from "../accounts/callers.ts";
import { errorCodes } from "../contract/error-codes.ts";
import {
  ConflictError,
  ForbiddenError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../contract/errors.ts";

/** A call that was refused. */
export interface Refused {
  /** Undefined when nobody knows who called. */
  readonly caller: Caller | undefined;
  readonly address: string;
  readonly route: string;
  readonly code: string;
  readonly failure: unknown;
  readonly isPrivate: boolean;
}

/** Statuses of refusals → what they are called where the answer has no code of its own. */
export const REFUSALS: Readonly<Record<number, string>> = {
  401: "unauthorized",
  402: "insufficient_credits",
  403: "forbidden",
  409: "conflict",
  429: "rate_limited",
};

const KINDS = [
  [UnauthorizedError, 401],
  [ForbiddenError, 403],
  [ConflictError, 409],
  [RateLimitError, 429],
] as const;

/** What a refusal is called where it has no status: in WebSockets, and in the Model Context Protocol. */
export function refusalOf(failure: unknown): string | undefined {
  if (failure instanceof ServiceError)
    return REFUSALS[errorCodes[failure.code].status] === undefined ? undefined : failure.code;
  const [, status] = KINDS.find(([kind]) => failure instanceof kind) ?? [];
  return status === undefined ? undefined : REFUSALS[status];
}
