import type { Proxy } from "./proxies.ts";
import type { HeaderList, BrowserProfileName } from "./request-headers.ts";

/** A GET that is ready to be sent: its target is admitted, and its headers are complete. */
export interface Exchange {
  readonly url: URL;
  /** No other addresses may be dialled, not even by a proxy, unless the proxy needs names. */
  readonly addresses: readonly string[];
  readonly headers: readonly [name: string, value: string][];
  readonly skipTlsVerification: boolean;
  readonly profile: BrowserProfileName;
  readonly proxy: Proxy | undefined;
  readonly maxBodyBytes: number;
}

/** The response as received: `body` is still encoded, unless `codings` is empty. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly codings: readonly string[];
  readonly address: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** True for statuses that redirect, given a `Location` header. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Returns the first header of a name in lower case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** Returns headers by lower-case name, with repeated ones joined by `, `. */
export function headersByName(headers: HeaderList): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const present = joined.get(key);
    joined.set(key, present === undefined ? value : `${present}, ${value}`);
  }
  return Object.fromEntries(joined);
}
