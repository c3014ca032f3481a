import type { ErrorCode } from "../contract/errors.ts";
import type { Proxy } from "../platform/net/proxies.ts";
import type { Capture } from "./capture.ts";
import type { Visit } from "./visit.ts";

/** How hard a visitor tries to look like anybody else. */
export type Tier = "basic" | "enhanced";

/** One try at a visit. */
export interface Attempt {
  readonly visit: Visit;
  readonly tier: Tier;
  /** The operator's proxy that everything of this try leaves through. */
  readonly proxy: Proxy | undefined;
  /** What another engine has fetched already, to go on from there. */
  readonly handOver?: HandOver;
}

/** A document as it came, with what a browser would have kept on the way to it. */
export interface HandOver {
  readonly url: string;
  readonly status: number;
  /** As received: repeated ones are repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** `Set-Cookie` headers of the redirects, each with the URL that set it. */
  readonly cookies: readonly { readonly url: string; readonly header: string }[];
}

/** What an engine came back with. */
export interface EngineResult {
  readonly capture: Capture;
  readonly handOver?: HandOver;
}

/** Why an engine came back without a capture. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** One way of getting a page. */
export interface Engine {
  readonly name: string;
  /** Whether it can be used at all on this machine. */
  isAvailable(signal: AbortSignal): Promise<boolean>;
  /** Gets ready in the background for a visit that is soon to come. */
  warmUp?(): void;
  /** Whether visits have to wait until it has started. */
  readonly isStarting?: boolean;
  /**
   * Makes the visit. Ordinary failures are returned as a refusal.
   * @throws the signal's reason, once `signal` is aborted.
   */
  visit(attempt: Attempt, signal: AbortSignal): Promise<EngineResult | Refusal>;
}

export function isRefusal(outcome: EngineResult | Refusal): outcome is Refusal {
  return "code" in outcome;
}
