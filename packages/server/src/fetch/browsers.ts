import { lazy } from "@pergamon-dev/kit/lazy";
import type { Config } from "../config/config.ts";
import { ageWarning } from "@pergamon-dev/browser/launch/browser-age";
import { type BrowserSearch, findBrowser, type FoundBrowser } from "@pergamon-dev/browser/launch/find";
import type { LaunchOptions } from "@pergamon-dev/browser/launch/launch";
import { type BrowserPool, openBrowserPool } from "@pergamon-dev/browser/pool";
import { egressBehind } from "../net/egress/egress.ts";
import type { Context } from "../config/context.ts";
import type { Net } from "../net/open.ts";
import type { Storage } from "../storage/open.ts";
import { problemOf } from "../storage/part-health.ts";
import type { BrowserKind, BrowserPools } from "./engines/browser.ts";
import type { Emulation } from "./stages/emulation.ts";

interface Browsers extends BrowserPools {
  close(): Promise<void>;
}

/**
 * Opens the browsers of the service with their programs and numbers of tabs. Nothing starts before a page
 * needs it. Another operator starts remote browsers and decides whether they isolate sites.
 */
export function openBrowsers(context: Context & Storage & Net, emulation: Emulation): Browsers {
  const { config, log, guard, health } = context;
  const { browser } = config;
  const shared = {
    openEgress: egressBehind(guard),
    egressHost: browser.egressHost,
    maxTabs: browser.tabs,
    onTab: () => health.note({ part: "Browser" }),
    onStartFailure(err: unknown) {
      log.error({ err }, "No browser is available.");
      health.note({ part: "Browser", problem: problemOf(err) });
    },
  };
  const programs = findPrograms(context);
  const pools = new Map<string, BrowserPool>();
  const open = (kind: BrowserKind) =>
    openBrowserPool({
      ...shared,
      remoteUrls: kind.isWhole ? [] : browser.urls,
      ...(!kind.isPhone && { prepareIdleTab: emulation.prepareIdleTab }),
      find: async (signal) =>
        launchable(await programs[kind.isWhole ? "whole" : "usual"](signal), kind, context),
    });
  return {
    of(kind) {
      const key = JSON.stringify(kind);
      const pool = pools.get(key) ?? open(kind);
      pools.set(key, pool);
      return pool;
    },
    get isStarting() {
      return [...pools.values()].some((pool) => pool.isStarting);
    },
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))),
  };
}

/**
 * Finds the program for browsers of sessions. Each session starts its own, with sites isolated. Remote
 * browsers are not used.
 */
export async function findSessionBrowser(
  context: Context,
  signal: AbortSignal,
): Promise<LaunchOptions | undefined> {
  const { browser } = await findBrowser(searchOf(context.config, signal));
  const found = launchable(browser, { isPhone: false, isolatesSites: true }, context);
  return found && { ...found, opensWindows: true };
}

type Find = (signal: AbortSignal) => Promise<FoundBrowser | undefined>;

/** Searches for each program once, and logs once what the operator should know about it. */
function findPrograms({ config, log }: Context): { readonly usual: Find; readonly whole: Find } {
  const usual = once(async (signal) => {
    const { browser: found } = await findBrowser(searchOf(config, signal));
    if (!found) log.warn("No browser is available: pages are fetched by HTTP only.");
    const old = found && ageWarning(found.version, Date.now());
    for (const note of [...(found?.notes ?? []), ...(old === undefined ? [] : [old])]) log.warn(note);
    return found;
  });
  return { usual, whole: once((signal) => findWhole(config, signal)) };
}

async function findWhole(config: Config, signal: AbortSignal): Promise<FoundBrowser | undefined> {
  const { browser } = config;
  // The operator's choice applies to all visits.
  if (browser.urls.length > 0 || browser.path !== undefined) return undefined;
  const search = searchOf(config, signal);
  const { browser: basic } = await findBrowser(search);
  const { browser: found } = await findBrowser({ ...search, isWhole: true });
  return found?.path === basic?.path ? undefined : found;
}

/**
 * Shares one search among all callers, unless it fails. Pools end together, so any of their signals works for
 * all.
 */
function once(find: Find): Find {
  let asking: AbortSignal;
  const found = lazy(() => find(asking));
  return (signal) => {
    asking = signal;
    return found();
  };
}

function launchable(
  found: FoundBrowser | undefined,
  { isPhone, isolatesSites }: Pick<BrowserKind, "isPhone" | "isolatesSites">,
  { config, log }: Context,
): LaunchOptions | undefined {
  if (!found) return undefined;
  const { sandbox } = config.browser;
  return { ...found, sandbox, isPhone, isolatesSites, warn: (sentence) => log.warn(sentence) };
}

function searchOf({ browser }: Config, signal: AbortSignal): BrowserSearch {
  const { path, pathVariable, cacheDir } = browser;
  return { pathVariable, cacheFolder: cacheDir, signal, ...(path && { path }) };
}
