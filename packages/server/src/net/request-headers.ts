import type { EmulationOS } from "wreq-js";

import { decodesZstd } from "./decode-content.ts";
import { nativeClient } from "./native-client.ts";

type Where = "always" | "secure" | "plain";

const FROM_PROFILE = Symbol("value of the client's profile");
const IF_GIVEN = Symbol("place of a header that only callers and redirects set");

/**
 * Headers of a navigation in the order of Chrome, which sends client hints, fetch metadata and newer encodings over TLS only.
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
  ["Accept-Encoding", decodesZstd ? "gzip, deflate, br, zstd" : "gzip, deflate, br", "secure"],
  ["Accept-Language", FROM_PROFILE, "always"],
  ["Cookie", IF_GIVEN, "always"],
  ["Priority", "u=0, i", "secure"],
] as const satisfies readonly (readonly [string, string | symbol, Where])[];

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, "macos" | "windows">>> = {
  darwin: "macos",
  win32: "windows",
};

/** The Chrome of a computer with this system, and of a phone, as the HTTP client names them. */
export const browserProfiles = {
  basic: { browser: "chrome", os: SYSTEMS[process.platform] ?? "linux" },
  mobile: { browser: "chrome", os: "android" },
} as const satisfies Record<string, { readonly browser: "chrome"; readonly os: EmulationOS }>;

/** The same Chrome without the native client, which names its version and system. It sends no client hints. */
function plainHeaders(os: keyof typeof AGENT_SYSTEMS): ReadonlyMap<string, string> {
  const engine = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0";
  return new Map([
    [
      "User-Agent",
      `Mozilla/5.0 (${AGENT_SYSTEMS[os]}) ${engine}${os === "android" ? " Mobile" : ""} Safari/537.36`,
    ],
    [
      "Accept",
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
    ],
    ["Accept-Language", "en-US,en;q=0.9"],
  ]);
}

const AGENT_SYSTEMS = {
  android: "Linux; Android 10; K",
  linux: "X11; Linux x86_64",
  macos: "Macintosh; Intel Mac OS X 10_15_7",
  windows: "Windows NT 10.0; Win64; x64",
};

export type BrowserProfileName = keyof typeof browserProfiles;
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** These headers belong to one connection, not to the page, so callers cannot set them. */
const HOP_BY_HOP =
  /^(?:host|content-length|connection|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*)$/;

type Defaults = Readonly<
  Record<"secure" | "plain", readonly (readonly [name: string, value: string | typeof IF_GIVEN])[]>
>;

interface HeaderComposer {
  /**
   * Returns the profile's headers in browser order, each replaced by the caller's of the same name in any
   * case, then the caller's other headers. Hop-by-hop headers of the caller are left out.
   */
  compose(url: URL, profile: BrowserProfileName, given: HeaderList): [name: string, value: string][];
}

export function openHeaderComposer(): HeaderComposer {
  const defaults = {
    basic: defaultsOf("basic"),
    mobile: defaultsOf("mobile"),
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
        const sent = own.get(key)?.[1] ?? value;
        if (sent !== IF_GIVEN) composed.push([name, sent]);
        own.delete(key);
      }
      return [...composed, ...own.values()];
    },
  };
}

/** Returns the headers of a caller without hop-by-hop ones. */
export function sendableHeaders(given: HeaderList): HeaderList {
  return given.filter(([name]) => !isHopByHop(name));
}

/** True when a header belongs to one connection, so that a caller's is not sent. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.test(name.toLowerCase());
}

function defaultsOf(profile: BrowserProfileName): Defaults {
  const { browser, os } = browserProfiles[profile];
  const known = nativeClient?.getEmulationHeaders(browser, os) ?? plainHeaders(os);
  const sentWhen = (moment: Where) =>
    CHROME_HEADERS.filter(([, , where]) => where === "always" || where === moment)
      .map(([name, value]) => [name, value === FROM_PROFILE ? (known.get(name) ?? "") : value] as const)
      .filter(([, value]) => value !== "");
  return { secure: sentWhen("secure"), plain: sentWhen("plain") };
}
