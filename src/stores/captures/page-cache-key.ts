const INDEX_FILE = /\/index\.(?:html|php|htm|shtml|xml)$/i;

/**
 * The URL under which a page is cached: spellings that servers treat alike become one (contract, section 3.24).
 * Scheme https, no `www.`, no fragment, no default port, no trailing slash or index file; the query stays.
 */
export function cacheUrl(url: string): string {
  const { host, hostname, port, pathname, search } = new URL(url);
  const isDefaultPort = port === "80" || port === "443";
  const name = (isDefaultPort ? hostname : host).replace(/^www\./, "").replace(/\.(?=$|:)/, "");
  return `https://${name}${pathname.replace(INDEX_FILE, "").replace(/\/$/, "")}${search}`;
}
