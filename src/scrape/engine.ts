import type { ErrorCode } from "../contract/errors.ts";
import type { Capture } from "./capture.ts";
import type { Visit } from "./visit.ts";

/** Why an engine came back without a capture. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** One way of getting a page. */
export interface Engine {
  readonly name: string;
  /** Typical cost of one visit relative to a plain HTTP request. Orders the ladder. */
  readonly cost: number;
  /**
   * Makes the visit. Ordinary failures are returned as a refusal.
   * @throws the signal's reason, once `signal` is aborted.
   */
  capture(visit: Visit, signal: AbortSignal): Promise<Capture | Refusal>;
}

export function isRefusal(outcome: Capture | Refusal): outcome is Refusal {
  return "code" in outcome;
}
