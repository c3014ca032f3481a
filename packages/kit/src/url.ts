/** The URL without user name and password. What is not a URL, or has none, stays as it is. */
export function withoutCredentials(url: string): string {
  if (!url.includes("@") || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.username === "" && parsed.password === "") return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

/** A fragment that scripts read as the address of a page: `#/…` or `#!…`. Of any other, a place on a page, the empty text. */
export function routeOf(hash: string): string {
  return /^#(?:\/|!\/?)[^/!]/.test(hash) ? hash : "";
}

/** The URL without a fragment that is no route. */
export function withoutAnchor(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? url : url.slice(0, start) + routeOf(url.slice(start));
}
