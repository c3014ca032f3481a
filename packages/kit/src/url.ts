/**
 * Returns the URL without user name and password. Text that is not a URL, or has neither, stays unchanged.
 */
export function withoutCredentials(url: string): string {
  if (!url.includes("@") || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.username === "" && parsed.password === "") return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

/**
 * Returns a fragment that scripts read as the address of a page, `#/…` or `#!…`. Other fragments name a place
 * on a page, and yield the empty text.
 */
export function routeOf(hash: string): string {
  return /^#(?:\/|!\/?)[^/!]/.test(hash) ? hash : "";
}

/** Returns the URL without a fragment, unless it is a route. */
export function withoutAnchor(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? url : url.slice(0, start) + routeOf(url.slice(start));
}
