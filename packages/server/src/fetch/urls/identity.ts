import { routeOf } from "@pergamon-dev/kit/url";

/** Options for treating spellings of a URL as one page. */
interface IdentityOptions {
  /** Whether to ignore scheme, `www.`, index files, trailing slashes, sessions and campaigns. */
  readonly isSimilarSame: boolean;
  readonly ignoresQuery: boolean;
}

const UNRESERVED = /^[\w.~-]$/;
/** Names of query parameters that track the source or the identity of a visitor. */
const VISITOR_PARAMETER =
  /^(?:utm_.*|hsa_.*|mtm_.*|pk_(?:campaign|kwd|source|medium|content)|gclid|gclsrc|gbraid|wbraid|dclid|srsltid|_g[al]|fbclid|igshid|msclkid|yclid|twclid|ttclid|li_fat_id|_hsenc|_hsmi|mkt_tok|vero_id|mc_cid|mc_eid|jsessionid|phpsessid|sid|sessionid|session_id|aspsessionid.*|cfid|cftoken)$/i;
const SESSION_IN_PATH = /;(?:jsessionid|sid)=[^/;]*/gi;
/** `(S(…))` is a session that ASP.NET writes into paths. */
const SESSION_SEGMENT = /\/\(S\([^)/]*\)\)(?=\/|$)/g;
const INDEX_FILE = /\/index(?:\.(?:html|htm|php|shtml|xml))?$/i;

/**
 * Returns equal texts for all spellings of the same page (families, section 4.4), which is then visited once.
 * The result is not an address that could be fetched.
 */
export function identityOf(url: URL, { isSimilarSame, ignoresQuery }: IdentityOptions): string {
  const query = ignoresQuery ? "" : url.search;
  const route = routeOf(url.hash);
  const path = canonicalPath(url.pathname);
  if (!isSimilarSame) return `${url.protocol}//${url.host}${path}${query}${route}`;
  return bareHost(url.host) + similarPath(path) + (query === "" ? "" : similarQuery(query)) + route;
}

/** The host, with its port if it has one, without a leading `www.` and the dot of a fully qualified name. */
export function bareHost(host: string): string {
  const relative = host.includes(".:") || host.endsWith(".") ? host.replace(/\.(?=:|$)/, "") : host;
  return relative.startsWith("www.") ? relative.slice(4) : relative;
}

/** The path with letters, digits, `-`, `.`, `_` and `~` unescaped, and other escapes in capitals. */
export function canonicalPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

function similarPath(path: string): string {
  const plain =
    path.includes(";") || path.includes("(")
      ? path.replace(SESSION_IN_PATH, "").replace(SESSION_SEGMENT, "")
      : path;
  const folder = withoutSlash(plain).replace(INDEX_FILE, "/");
  return withoutSlash(folder === "" ? "/" : folder);
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function similarQuery(query: string): string {
  const parameters = query.slice(1).split("&");
  const kept = parameters.filter((parameter) => parameter !== "" && !isOfVisitor(parameter));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

function isOfVisitor(parameter: string): boolean {
  const end = parameter.indexOf("=");
  return VISITOR_PARAMETER.test(end < 0 ? parameter : parameter.slice(0, end));
}
