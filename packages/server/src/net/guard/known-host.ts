import { isIP } from "node:net";

/**
 * True when a `Host` header names the service by an address, as localhost, or by one of its names. The owner
 * of a foreign name can point it at any address, so that a page could reach the service as its own origin
 * (DNS rebinding).
 */
export function isKnownHost(header: string, names: ReadonlySet<string>): boolean {
  const text = `http://${header}`;
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || hostname === "localhost" || names.has(hostname);
}

export function hostNamesOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(urls.map((url) => new URL(url).hostname));
}
