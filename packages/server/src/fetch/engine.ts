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
  /** Document that another engine has already fetched, to continue from there. */
  readonly handOver?: HandOver;
  /** Cookies to begin with, which earlier answers of this visit have set. */
  readonly cookies?: HandOver["cookies"];
  /** Whether to wait for a challenge that runs by itself. */
  readonly isPatient?: boolean;
}

/** A fetched document, with the state that a browser would have kept on the way to it. */
export interface HandOver {
  readonly url: string;
  readonly status: number;
  /** Headers as received, including repeated ones. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** `Set-Cookie` headers of earlier answers, each with the URL that set it. */
  readonly cookies: readonly { readonly url: string; readonly header: string }[];
}

export interface EngineResult {
  readonly capture: Capture;
  readonly handOver?: HandOver;
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
