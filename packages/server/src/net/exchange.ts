import type { Proxy } from "./proxies.ts";
import type { HeaderList, BrowserProfileName } from "./request-headers.ts";

/** A GET that is ready to be sent: its target was admitted, its headers are complete. */
export interface Exchange {
  readonly url: URL;
  /** The only addresses that may be dialled, by a proxy too unless it wants names. */
  readonly addresses: readonly string[];
  readonly headers: readonly [name: string, value: string][];
  readonly skipTlsVerification: boolean;
  readonly profile: BrowserProfileName;
  readonly proxy: Proxy | undefined;
  readonly maxBodyBytes: number;
}

/** The answer as it came over the wire: `body` is still encoded, unless `codings` is empty. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly codings: readonly string[];
  readonly address: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether the status asks to look elsewhere, if there is a `Location` too. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The first header of the name, which is in lower case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** Headers by lower-case name; repeated ones joined by `, `. */
export function headersByName(headers: HeaderList): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const present = joined.get(key);
    joined.set(key, present === undefined ? value : `${present}, ${value}`);
  }
  return Object.fromEntries(joined);
}
