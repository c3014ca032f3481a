import type { ErrorCode } from "../contract/error-codes.ts";
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

/** The capability of running the scripts of pages, and of going where pages send their visitors. */
export const SCRIPTS = "scripts";

/** One way of getting a page. */
export interface Engine {
  /** What captures and messages call it. */
  readonly name: string;
  /**
   * What it can do beside bringing what servers send: SCRIPTS, and names of `Visit.browserFeatures`. Whatever a visit
   * may ask for, now and in the future, is "everything".
   */
  readonly offers: readonly string[] | "everything";
  /** What a visit costs, in visits by plain HTTP. The cheapest engine that will do is used. */
  readonly cost: number;
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

/** Those of the capabilities that an engine lacks. */
export function lacksOf({ offers }: Engine, capabilities: readonly string[]): readonly string[] {
  return offers === "everything" ? [] : capabilities.filter((capability) => !offers.includes(capability));
}

export function isRefusal(outcome: EngineResult | Refusal): outcome is Refusal {
  return "code" in outcome;
}
