import type { Config } from "../config/config.ts";
import { type BrowserSearch, findBrowser, type FoundBrowser } from "../platform/browser/launch/find.ts";
import type { LaunchOptions } from "../platform/browser/launch/launch.ts";
import { openBrowserPool } from "../platform/browser/pool.ts";
import type { Guard } from "../platform/net/guard.ts";
import type { Emulation } from "../visit/stages/emulation.ts";
import type { BrowserPools } from "../visit/engines/browser.ts";
import type { AppContext } from "./context.ts";

/** The browsers of the service: which programs, how many tabs. Nothing is started before a page needs one. */
export function openBrowsers({ config, log }: AppContext, guard: Guard, emulation: Emulation): BrowserPools {
  const { browser } = config;
  const shared = {
    guard,
    egressHost: browser.egressHost,
    maxTabs: browser.tabs,
    prepareIdleTab: emulation.prepareIdleTab,
    onStartFailure: (err: unknown) => log.error({ err }, "There is no browser to work with."),
  };
  const launch = (found: FoundBrowser): LaunchOptions => ({
    ...found,
    sandbox: browser.sandbox,
    warn: (sentence) => log.warn(sentence),
  });
  return {
    shell: openBrowserPool({
      ...shared,
      remoteUrls: browser.urls,
      async find(signal) {
        const { browser: found } = await findBrowser(searchOf(config, signal));
        if (!found) log.warn("There is no browser: pages are fetched by HTTP only.");
        for (const note of found?.notes ?? []) log.warn(note);
        return found && launch(found);
      },
    }),
    headful: openBrowserPool({
      ...shared,
      remoteUrls: [],
      async find(signal) {
        // What the operator chose is used for everything.
        if (browser.urls.length > 0 || browser.path !== undefined) return undefined;
        const search = searchOf(config, signal);
        const { browser: shell } = await findBrowser(search);
        const { browser: headful } = await findBrowser({ ...search, isHeadful: true });
        return headful && headful.path !== shell?.path ? launch(headful) : undefined;
      },
    }),
  };
}

function searchOf({ browser }: Config, signal: AbortSignal): BrowserSearch {
  const { path, pathVariable, cacheDir } = browser;
  return { pathVariable, cacheFolder: cacheDir, signal, ...(path && { path }) };
}
