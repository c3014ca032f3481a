import { isIPv6 } from "node:net";

import { unmapAddress } from "./addresses.ts";

/** A set of host names. `example.com` matches that host, `*.example.com` every host below it. */
export class HostList {
  readonly #hosts = new Set<string>();
  readonly #parents = new Set<string>();

  /** @param entries in any spelling: upper case, other alphabets, addresses as numbers. */
  constructor(entries: Iterable<string>) {
    for (const entry of entries) {
      if (entry.startsWith("*.")) this.#parents.add(hostOf(entry.slice("*.".length)));
      else this.#hosts.add(hostOf(entry));
    }
  }

  get isEmpty(): boolean {
    return this.#hosts.size + this.#parents.size === 0;
  }

  /** @param host in the spelling of `canonicalHost`. */
  has(host: string): boolean {
    if (this.#hosts.has(host)) return true;
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      if (this.#parents.has(host.slice(dot + 1))) return true;
    }
    return false;
  }
}

/**
 * Returns a URL's host in the spelling of lists: without brackets and final dot, and IPv4-mapped IPv6 as
 * IPv4. URL parsing has already unified upper case, punycode and numbers of other bases.
 */
export function canonicalHost({ hostname }: URL): string {
  if (hostname.startsWith("[")) return unmapAddress(hostname.slice(1, -1));
  return hostname.replace(/\.$/, "");
}

function hostOf(entry: string): string {
  const url = `http://${isIPv6(entry) ? `[${entry}]` : entry}/`;
  return URL.canParse(url) ? canonicalHost(new URL(url)) : entry.toLowerCase();
}
