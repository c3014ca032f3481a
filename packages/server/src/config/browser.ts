import { tmpdir } from "node:os";
import { resolve } from "node:path";

import { z } from "zod";

import { choice, host, list, urlOf, wholeNumber } from "./kinds.ts";
import { isLoopback } from "@pergamon-dev/kit/loopback";
import { definePart, type Environment } from "./part.ts";
import { usualLimits } from "./usual-limits.ts";

export const browser = definePart({
  title: "Browser",
  settings: z
    .object({
      BROWSER_PATH: z.string().optional().meta({
        description:
          "path of Chromium, used for all pages. Default: a headless shell of the system, of Playwright, or the one installed by npm; if a full browser is installed too, it is used for `proxy: enhanced`",
        unset: "searched",
      }),
      BROWSER_URLS: list(urlOf("ws", "wss", "http", "https"))
        .default([])
        .describe(
          "remote browsers, used instead of a local one: comma-separated list of `ws://…`, `wss://…`, `http://…` or `https://…`. Start them with `--force-webrtc-ip-handling-policy=disable_non_proxied_udp --webrtc-ip-handling-policy=disable_non_proxied_udp`: all other traffic goes through the network guard of this process",
        ),
      BROWSER_EGRESS_HOST: host()
        .default("127.0.0.1")
        .describe("address of this machine at which the browsers of `BROWSER_URLS` reach the network guard"),
      BROWSER_TABS: wholeNumber({ most: 10_000 }).default(usualLimits().tabs).meta({
        description: "maximum pages open in browsers at once",
        unset: "4 per core, in as much memory as there is",
      }),
      BROWSER_SANDBOX: choice("auto", "on", "off")
        .default("auto")
        .describe(
          "Chromium's own sandbox: `on`, `off`, or `auto`: off, with a warning, where the system does not allow it. A service that runs as root starts Chromium as the user `nobody`",
        ),
      AD_LISTS: list(urlOf("http", "https"))
        .default([])
        .describe(
          "URLs of ad filter lists, fetched daily and stored; the built-in list of hosts is always used",
        ),
      PROFILE_SAVE_ON_SCRAPE: choice("true", "false")
        .default("false")
        .describe("`true`: scrapes with a profile save it when they end"),
      CACHE_DIR: z.string().optional().meta({
        description:
          "folder for files that can be recreated, such as the unpacked browser; a service that runs as root uses `/var/cache/pergamon` when other users cannot read this folder",
        unset: "`~/.cache/pergamon`",
      }),
    })
    .refine(canReachEgress, {
      path: ["BROWSER_EGRESS_HOST"],
      error: "must be the address of this machine at which the browsers of BROWSER_URLS reach it",
    }),
  derive: (settings, { environment }) => ({
    /** When undefined, the browser is looked up. */
    path: settings.BROWSER_PATH,
    /** Folders of the look-up, as in PATH. */
    pathVariable: environment["PATH"] ?? "",
    /** Folder where the browser from npm is unpacked. */
    cacheDir: settings.CACHE_DIR ? resolve(settings.CACHE_DIR) : cacheFolder(environment),
    urls: settings.BROWSER_URLS,
    egressHost: settings.BROWSER_EGRESS_HOST,
    tabs: settings.BROWSER_TABS,
    sandbox: settings.BROWSER_SANDBOX,
    /** Addresses of filter lists. */
    adLists: settings.AD_LISTS,
    /** True when scrapes also save their profile, not only interact sessions. */
    savesProfiles: settings.PROFILE_SAVE_ON_SCRAPE === "true",
  }),
});

interface RemoteBrowsers {
  readonly BROWSER_URLS: readonly string[];
  readonly BROWSER_EGRESS_HOST: string;
}

/** A browser on another machine would look for the egress proxy on its own loopback. */
function canReachEgress({ BROWSER_URLS, BROWSER_EGRESS_HOST }: RemoteBrowsers): boolean {
  return !isLoopback(BROWSER_EGRESS_HOST) || BROWSER_URLS.every((url) => isLoopback(new URL(url).hostname));
}

/** Returns the user's cache folder, or the system's temporary one for users without a home. */
function cacheFolder({ XDG_CACHE_HOME: cacheHome, HOME: home }: Environment): string {
  if (cacheHome) return resolve(cacheHome, "pergamon");
  return home ? resolve(home, ".cache", "pergamon") : resolve(tmpdir(), "pergamon");
}
