import type { CookieJar } from "tough-cookie";

import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import type { HeaderList } from "./request-headers.ts";

/** The cookies that servers set along one navigation. Nothing outlives it. */
export interface ChainCookies {
  /** Keeps the `Set-Cookie` headers of an answer. Ones that a browser would refuse are left out. */
  store(headers: HeaderList, url: URL): Promise<void>;
  /** The `Cookie` header for a URL, merged over the cookies of the caller; undefined when there are none. */
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
