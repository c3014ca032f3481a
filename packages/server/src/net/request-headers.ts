import { getEmulationHeaders } from "wreq-js";

/** A browser that requests imitate, named after a profile of the HTTP client. */
interface BrowserProfile {
  readonly browser: "chrome" | "firefox";
  readonly os: "windows" | "android";
  /** Headers in the order of the browser. `profile` takes the value from the client's profile. */
  readonly headers: readonly (readonly [name: string, value: string | typeof FROM_PROFILE, where: Where])[];
}

type Where = "always" | "secure" | "plain";

const FROM_PROFILE = Symbol("value of the client's profile");

/**
 * Browsers send client hints, fetch metadata and newer encodings over TLS only. zstd: see decode-content.ts.
 */
const CHROME_HEADERS = [
  ["Connection", "keep-alive", "plain"],
  ["sec-ch-ua", FROM_PROFILE, "secure"],
  ["sec-ch-ua-mobile", FROM_PROFILE, "secure"],
  ["sec-ch-ua-platform", FROM_PROFILE, "secure"],
  ["Upgrade-Insecure-Requests", "1", "always"],
  ["User-Agent", FROM_PROFILE, "always"],
  ["Accept", FROM_PROFILE, "always"],
  ["Sec-Fetch-Site", "none", "secure"],
  ["Sec-Fetch-Mode", "navigate", "secure"],
  ["Sec-Fetch-User", "?1", "secure"],
  ["Sec-Fetch-Dest", "document", "secure"],
  ["Accept-Encoding", "gzip, deflate", "plain"],
  ["Accept-Encoding", "gzip, deflate, br", "secure"],
  ["Accept-Language", FROM_PROFILE, "always"],
  ["Priority", "u=0, i", "secure"],
] as const;

export const browserProfiles = {
  basic: { browser: "chrome", os: "windows", headers: CHROME_HEADERS },
  mobile: { browser: "chrome", os: "android", headers: CHROME_HEADERS },
  enhanced: {
    browser: "firefox",
    os: "windows",
    headers: [
      ["User-Agent", FROM_PROFILE, "always"],
      ["Accept", FROM_PROFILE, "always"],
      ["Accept-Language", FROM_PROFILE, "always"],
      ["Accept-Encoding", "gzip, deflate", "plain"],
      ["Accept-Encoding", "gzip, deflate, br", "secure"],
      ["Connection", "keep-alive", "plain"],
      ["Upgrade-Insecure-Requests", "1", "always"],
      ["Sec-Fetch-Dest", "document", "secure"],
      ["Sec-Fetch-Mode", "navigate", "secure"],
      ["Sec-Fetch-Site", "none", "secure"],
      ["Sec-Fetch-User", "?1", "secure"],
      ["Priority", "u=0, i", "secure"],
    ],
  },
} as const satisfies Record<string, BrowserProfile>;

export type BrowserProfileName = keyof typeof browserProfiles;
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** These headers belong to one connection, not to the page, so callers cannot set them. */
const HOP_BY_HOP =
  /^(?:host|content-length|connection|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*)$/;

type Defaults = Readonly<Record<"secure" | "plain", HeaderList>>;

interface HeaderComposer {
  /**
   * Returns the profile's headers in browser order, each replaced by the caller's of the same name in any
   * case, then the caller's other headers. Hop-by-hop headers of the caller are left out.
   */
  compose(url: URL, profile: BrowserProfileName, given: HeaderList): [name: string, value: string][];
}

export function openHeaderComposer(): HeaderComposer {
  const defaults = {
    basic: defaultsOf(browserProfiles.basic),
    mobile: defaultsOf(browserProfiles.mobile),
    enhanced: defaultsOf(browserProfiles.enhanced),
  };
  return {
    compose(url, profile, given) {
      const isSecure = url.protocol === "https:";
      const composed: [string, string][] = isSecure ? [] : [["Host", url.host]];
      const own = new Map<string, [string, string]>();
      for (const [name, value] of sendableHeaders(given)) own.set(name.toLowerCase(), [name, value]);
      const hasOwnAgent = own.has("user-agent");
      for (const [name, value] of defaults[profile][isSecure ? "secure" : "plain"]) {
        const key = name.toLowerCase();
        // Client hints of the profile would contradict a caller's User-Agent.
        if (hasOwnAgent && key.startsWith("sec-ch-ua") && !own.has(key)) continue;
        composed.push([name, own.get(key)?.[1] ?? value]);
        own.delete(key);
      }
      return [...composed, ...own.values()];
    },
  };
}

export function userAgentOf(profile: BrowserProfileName): string {
  const { browser, os } = browserProfiles[profile];
  return getEmulationHeaders(browser, os).get("user-agent") ?? "";
}

/** Returns the headers of a caller without hop-by-hop ones. */
export function sendableHeaders(given: HeaderList): HeaderList {
  return given.filter(([name]) => !isHopByHop(name));
}

/** True when a header belongs to one connection, so that a caller's is not sent. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.test(name.toLowerCase());
}

function defaultsOf({ browser, os, headers }: BrowserProfile): Defaults {
  const known = getEmulationHeaders(browser, os);
  const sentWhen = (moment: Where) =>
    headers
      .filter(([, , where]) => where === "always" || where === moment)
      .map(([name, value]) => [name, value === FROM_PROFILE ? (known.get(name) ?? "") : value] as const)
      .filter(([, value]) => value !== "");
  return { secure: sentWhen("secure"), plain: sentWhen("plain") };
}
