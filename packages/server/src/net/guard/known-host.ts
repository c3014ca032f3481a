import { isIP } from "node:net";

/**
 * Whether a `Host` header names a service by an address, as localhost, or by one of its names. A foreign name, which
 * its owner can point at any address, would let a page reach the service as its own (DNS rebinding).
 */
export function isKnownHost(header: string, names: ReadonlySet<string>): boolean {
  const text = `http://${header}`;
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || hostname === "localhost" || names.has(hostname);
}

/** The host names of URLs. */
export function hostNamesOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(urls.map((url) => new URL(url).hostname));
}
