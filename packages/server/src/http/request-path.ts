/** Paths that are served without the version prefix. */
const UNVERSIONED =
  /^\/(?:$|v\d+(?:\/|$)|docs(?:\/|$)|dashboard(?:\/|$)|openapi\.json$|healthz$|readyz$|metrics$|e2e-test$|is-production$|mcp$|cdp\/|live\/|admin(?:\/|$))/;

/**
 * Matches the part before the path when a client sends an absolute URL (RFC 9112, section 3.2.2), as it does
 * to proxies.
 */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path that a client meant. Clients use base URLs that end in a slash, in `/v2`, or in neither,
 * and put their own prefix before the path. Repeated slashes and prefixes become one, and a missing prefix is
 * added.
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
