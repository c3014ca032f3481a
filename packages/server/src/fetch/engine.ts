import type { ErrorCode } from "../api/error-codes.ts";
import type { Proxy } from "../net/proxies.ts";
import type { Capture } from "./capture.ts";
import type { Visit } from "./visit.ts";

/** How much effort a visit makes to look like an ordinary visitor. */
export type Tier = "basic" | "enhanced";

/** One try at a visit. */
export interface Attempt {
  readonly visit: Visit;
  readonly tier: Tier;
  /** The operator's proxy for all traffic of this try. */
  readonly proxy: Proxy | undefined;
  /** Cookies to begin with, which earlier answers of this visit have set. */
  readonly cookies?: readonly AnswerCookie[];
  /** Whether to wait for a challenge that runs by itself. */
  readonly isPatient?: boolean;
}

/** A `Set-Cookie` header, with the URL that set it. */
export interface AnswerCookie {
  readonly url: string;
  readonly header: string;
}

export interface EngineResult {
  readonly capture: Capture;
  /** Cookies of all answers on the way. Undefined for engines that keep them to themselves. */
  readonly cookies?: readonly AnswerCookie[];
}

/** Reason for which an engine returned no capture. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** Capability to run scripts of pages and to follow their redirects. */
export const SCRIPTS = "scripts";

/** One way to fetch a page. */
export interface Engine {
  /** Name of the engine in captures and messages. */
  readonly name: string;
  /**
   * Capabilities besides fetching: SCRIPTS, and names of `Visit.browserFeatures`. "everything" includes
   * features that visits may need in the future.
   */
  readonly offers: readonly string[] | "everything";
  /** Cost of a visit relative to plain HTTP. The cheapest sufficient engine is used. */
  readonly cost: number;
  /** Whether this machine can use the engine. */
  isAvailable(signal: AbortSignal): Promise<boolean>;
  /** Prepares in the background for an expected visit. */
  warmUp?(): void;
  /** Whether visits have to wait until it has started. */
  readonly isStarting?: boolean;
  /**
   * Makes the visit. Ordinary failures are returned as a refusal.
   * @throws the signal's reason, once `signal` is aborted.
   */
  visit(attempt: Attempt, signal: AbortSignal): Promise<EngineResult | Refusal>;
}

/** Returns the capabilities that the engine lacks. */
export function lacksOf({ offers }: Engine, capabilities: readonly string[]): readonly string[] {
  return offers === "everything" ? [] : capabilities.filter((capability) => !offers.includes(capability));
}

export function isRefusal(outcome: EngineResult | Refusal): outcome is Refusal {
  return "code" in outcome;
}
