import type { Capability } from "./capability.ts";
import type { Listing } from "./listing.ts";

/** Terms that a team must accept before it calls the provider. */
export interface Terms {
  readonly text: string;
  readonly version: string;
  readonly url?: string | undefined;
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Domains that the provider has data about, without `www.`. */
  readonly domains: readonly string[];
  /** Kinds of data that the provider offers. */
  readonly cohorts: readonly string[];
  readonly attribution?: string | undefined;
  readonly terms?: Terms | undefined;
  /** Maximum calls per second of all teams together; undefined: no limit. */
  readonly ratePerSecond?: number | undefined;
  /** Whether the operator has disabled it. */
  readonly isOff?: true;
  /** The capabilities that are known so far. */
  readonly capabilities: readonly Capability[];
  /** Fetches the capabilities of a provider that declares them elsewhere. */
  readonly listing?: Listing;
}
