import type { CookieJar } from "tough-cookie";

import { limits } from "../api/limits.ts";
import type { HttpClient, HttpResponse } from "./client.ts";
import { splitUserinfo, withoutCredentialHeaders } from "./credentials.ts";
import { headerOf, isRedirectStatus } from "./exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "./proxies.ts";
import type { BrowserProfileName, HeaderList } from "./request-headers.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";

export interface Navigation {
  /** Absolute. User name and password are sent as Basic authentication; a fragment is not sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Value of `Accept-Language`, unless `headers` has one. */
  readonly acceptLanguage: string;
  readonly skipTlsVerification: boolean;
  readonly profile: BrowserProfileName;
  readonly proxy?: Proxy;
  /** `Set-Cookie` headers to begin with. */
  readonly cookies?: readonly SetCookie[];
  readonly maxBodyBytes: number;
  /** Called before a redirect is followed. An error that it throws ends the navigation. */
  readonly judgeHop?: (url: string, signal: AbortSignal) => Promise<void>;
}

/** End of a navigation: the URL of the last hop, without credentials and fragment, and its response. */
export interface NavigationEnd {
  readonly url: string;
  readonly response: HttpResponse;
  /** Cookies at the beginning, and `Set-Cookie` headers of the redirects, each with the URL that set it. */
  readonly cookies: readonly SetCookie[];
  /** True when any hop used TLS. */
  readonly usesTls: boolean;
}

interface SetCookie {
  readonly url: string;
  readonly header: string;
}

/** One request of the chain. `headers` holds no credentials that its origin must not see. */
interface Hop {
  readonly url: URL;
  readonly headers: HeaderList;
}

/**
 * Opens a URL and follows its redirects as a browser does, each hop through the client's guard. Cookies are
 * kept along the chain; credentials are dropped for good when a redirect leaves the origin. A redirect
 * without `Location` is an ordinary response.
 * @throws NetworkError; errors of `judgeHop`; the signal's reason once it is aborted.
 */
export async function navigate(
  client: HttpClient,
  navigation: Navigation,
  signal: AbortSignal,
): Promise<NavigationEnd> {
  const cookies = openChainCookies();
  const setOnTheWay: SetCookie[] = [...(navigation.cookies ?? [])];
  for (const { url, header } of setOnTheWay) await cookies.store([["set-cookie", header]], new URL(url));
  let hop = firstHop(navigation);
  let usesTls = false;
  for (let redirects = 0; redirects <= limits.redirects; redirects += 1) {
    const { url } = hop;
    usesTls ||= url.protocol === "https:";
    const headers = await withCookies(hop, cookies);
    const response = await client.request({ ...navigation, url, headers }, signal);
    const location = locationOf(response);
    if (location === undefined) return { url: url.href, response, cookies: setOnTheWay, usesTls };
    await cookies.store(response.headers, url);
    setOnTheWay.push(...cookiesOf(response, url));
    hop = nextHop(hop, location);
    await navigation.judgeHop?.(hop.url.href, signal);
  }
  const host = hop.url.hostname;
  throw new NetworkError("too-many-redirects", `More than ${limits.redirects} redirects.`, { host });
}

function firstHop({ url, headers, acceptLanguage }: Navigation): Hop {
  if (!URL.canParse(url)) throw new NetworkError("invalid-url", "The URL is not valid.");
  const given = Object.entries(headers);
  return hopTo(new URL(url), [["Accept-Language", acceptLanguage], ...given]);
}

/** @throws NetworkError of kind `protocol` when the redirect leads to another scheme than http or https. */
function nextHop(hop: Hop, location: string): Hop {
  if (!URL.canParse(location, hop.url.href)) {
    throw new NetworkError("protocol", "The redirect has no valid target.", { host: hop.url.hostname });
  }
  const url = new URL(location, hop.url);
  return hopTo(url, url.origin === hop.url.origin ? hop.headers : withoutCredentialHeaders(hop.headers));
}

/** A caller's `Authorization` header wins over the user name and password of a URL. */
function hopTo(target: URL, headers: HeaderList): Hop {
  const { url, authorization } = splitUserinfo(target);
  url.hash = "";
  if (authorization === undefined || headerOf(headers, "authorization") !== undefined)
    return { url, headers };
  return { url, headers: [...headers, ["Authorization", authorization]] };
}

async function withCookies({ url, headers }: Hop, cookies: ChainCookies): Promise<HeaderList> {
  const given = headerOf(headers, "cookie");
  const cookie = await cookies.headerFor(url, given);
  if (cookie === undefined || cookie === given) return headers;
  return [...headers.filter(([name]) => name.toLowerCase() !== "cookie"), ["Cookie", cookie]];
}

function cookiesOf({ headers }: HttpResponse, url: URL): readonly SetCookie[] {
  return headers.filter(([name]) => name === "set-cookie").map(([, header]) => ({ url: url.href, header }));
}

function locationOf({ status, headers }: HttpResponse): string | undefined {
  const location = isRedirectStatus(status) ? headerOf(headers, "location") : undefined;
  return location === "" ? undefined : location;
}

/** Cookies that servers set along one navigation. They are dropped after it. */
interface ChainCookies {
  /** Keeps the `Set-Cookie` headers of a response, except cookies that a browser would refuse. */
  store(headers: HeaderList, url: URL): Promise<void>;
  /**
   * Returns the `Cookie` header for a URL, merged over the caller's cookies; undefined when there are none.
   */
  headerFor(url: URL, given: string | undefined): Promise<string | undefined>;
}

const NEVER = new AbortController().signal;

export function openChainCookies(): ChainCookies {
  let jar: CookieJar | undefined;
  return {
    async store(headers, url) {
      const cookies = headers.filter(([name]) => name === "set-cookie");
      if (cookies.length === 0) return;
      const kept = (jar ??= await emptyJar());
      await forEachInTurns(cookies, NEVER, ([, value]) =>
        kept.setCookie(value, url.href, { ignoreError: true }),
      );
    },
    async headerFor(url, given) {
      const own = (await jar?.getCookies(url.href)) ?? [];
      if (own.length === 0) return given;
      const merged = new Map(pairsOf(given));
      for (const cookie of own) merged.set(cookie.key, cookie.cookieString());
      return [...merged.values()].join("; ");
    },
  };
}

async function emptyJar(): Promise<CookieJar> {
  const { CookieJar: Jar } = await import("tough-cookie");
  return new Jar(undefined, { looseMode: true, rejectPublicSuffixes: true });
}

/** `name → name=value` of a `Cookie` header. */
function pairsOf(header: string | undefined): [name: string, pair: string][] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== "").map((pair) => [pair.split("=", 1)[0] ?? "", pair]);
}
