/** Paths that are served without the version prefix. */
const UNVERSIONED =
  /^\/(?:$|v\d+(?:\/|$)|docs(?:\/|$)|dashboard(?:\/|$)|openapi\.json$|healthz$|readyz$|metrics$|e2e-test$|is-production$|mcp$|cdp\/|live\/|admin(?:\/|$))/;

/** What is before the path where a client sends the whole URL (RFC 9112, section 3.2.2), as it does to proxies. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path that a client meant. Clients are configured with base URLs that end in a slash, in `/v2`, or in nothing,
 * and put their own prefix before the path: repeated slashes and prefixes are one, a missing prefix is added.
 */
export function normalPath(target: string): string {
  const url = target.startsWith("/") ? target : withoutOrigin(target);
  const queryStart = url.indexOf("?");
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const query = queryStart < 0 ? "" : url.slice(queryStart);
  const single = path.replace(/\/{2,}/g, "/").replace(/^(?:\/v2)+(?=\/v2(?:\/|$))/, "");
  const trimmed = single.length > 1 ? single.replace(/\/$/, "") : single;
  return (UNVERSIONED.test(trimmed) ? trimmed : `/v2${trimmed}`) + query;
}

function withoutOrigin(target: string): string {
  const path = target.replace(ORIGIN, "");
  return path === target || path.startsWith("/") ? path : `/${path}`;
}
