import type { Capability } from "./capability.ts";
import type { Listing } from "./listing.ts";

/** What has to be accepted before a provider is called. */
export interface Terms {
  readonly text: string;
  readonly version: string;
  readonly url?: string | undefined;
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
}

/** Who offers capabilities. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Whose pages it knows about, without `www.`. */
  readonly domains: readonly string[];
  /** Kinds of data. */
  readonly cohorts: readonly string[];
  readonly attribution?: string | undefined;
  readonly terms?: Terms | undefined;
  /** Calls per second of all teams together; undefined: any. */
  readonly ratePerSecond?: number | undefined;
  /** Whether the operator has disabled it. */
  readonly isOff?: true;
  /** As known by now. */
  readonly capabilities: readonly Capability[];
  /** Where capabilities are declared elsewhere, and have to be asked for. */
  readonly listing?: Listing;
}
