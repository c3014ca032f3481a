import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { basicAuthorization, withoutCredentialHeaders } from "../../net/credentials.ts";
import { sendableHeaders } from "../../net/request-headers.ts";
import type { BrowserStage } from "./stage.ts";

/**
 * Sends the caller's headers with documents of the main frame. The requested origin gets all of them, other
 * origins only those that are no credentials. Other requests of the page get none (contract, section 3.22).
 */
export const requestHeaders: BrowserStage = {
  async prepare(tab, { visit }) {
    const url = new URL(visit.url);
    const authorization = basicAuthorization(url);
    // Chromium sends those of a URL only when it is asked for them.
    const login = authorization === undefined ? {} : { authorization };
    const given = sendableHeaders(Object.entries({ ...login, ...visit.headers }));
    if (given.length === 0) return;
    // The user agent is part of the emulation.
    const isAgent = ([name]: readonly [string, string]) => name.toLowerCase() === "user-agent";
    const isCookie = ([name]: readonly [string, string]) => name.toLowerCase() === "cookie";
    const cookies = given.filter(isCookie).flatMap(([, value]) => pairsOf(value));
    await Promise.all(cookies.map((cookie) => setCookie(tab, visit.url, cookie)));
    const own = given.filter((header) => !isAgent(header) && !isCookie(header));
    if (own.length === 0) return;
    tab.requests.add([{ urlPattern: "*", resourceType: "Document" }], ({ request, frameId }) => {
      if (frameId !== tab.mainFrameId) return undefined;
      const isOwnOrigin = new URL(request.url).origin === url.origin;
      return {
        verdict: "continue",
        headers: merged(request.headers, isOwnOrigin ? own : withoutCredentialHeaders(own)),
      };
    });
  },
};

/** `name=value` pairs of a `Cookie` header. */
function pairsOf(header: string): readonly { readonly name: string; readonly value: string }[] {
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const separator = pair.indexOf("=");
      return separator < 0
        ? { name: "", value: pair }
        : { name: pair.slice(0, separator), value: pair.slice(separator + 1) };
    });
}

/** Skips a cookie that the browser rejects. Cookies for `https:` are not sent over plain HTTP. */
async function setCookie(
  tab: BrowserTab,
  url: string,
  cookie: { readonly name: string; readonly value: string },
) {
  const secure = new URL(url).protocol === "https:";
  await tab.session.send("Network.setCookie", { ...cookie, url, secure }).catch(() => undefined);
}

function merged(
  present: Readonly<Record<string, string>>,
  given: readonly (readonly [string, string])[],
): readonly { readonly name: string; readonly value: string }[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(present).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...given].map(([name, value]) => ({ name, value }));
}
