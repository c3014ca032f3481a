import { homedir } from "node:os";
import { join } from "node:path";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { egressBehind } from "@pergamon-dev/server/net/egress/egress";
import { parseEgressRules } from "@pergamon-dev/server/net/guard/egress-rules";
import { type Guard, openGuard } from "@pergamon-dev/server/net/guard/guard";
import { openResolver, type Resolver } from "@pergamon-dev/server/net/guard/resolver";
import { unpackBundledBrowser } from "./launch/bundled.ts";
import { findBrowser } from "./launch/find.ts";
import { type BrowserPool, type BrowserPoolOptions, openBrowserPool } from "./pool.ts";
import type { BrowserTab } from "./tab/tab.ts";

export const never = new AbortController().signal;

/** Allows all of these addresses. By default, the system resolves names. */
export function testGuard(allow: readonly string[], resolver?: Resolver): Guard {
  return openGuard({ rules: parseEgressRules(allow), resolver: resolver ?? openResolver({ servers: [] }) });
}

/** Opens a pool with the browser of this machine. */
export function openTestPool(guard: Guard, more: Partial<BrowserPoolOptions> = {}): BrowserPool {
  const pool = openBrowserPool({
    openEgress: egressBehind(guard),
    find: findTestBrowser,
    remoteUrls: [],
    egressHost: "127.0.0.1",
    maxTabs: 8,
    ...more,
  });
  return ofTestFile.add(pool, (opened) => opened.close());
}

/** Process id of the tab's own browser. Other test files have their own, started by the same process. */
export async function browserPidOf(tab: BrowserTab): Promise<number> {
  const [pid] = await pidsOf(tab, "browser");
  if (pid === undefined) throw new Error("The browser does not tell its process.");
  return pid;
}

/** Process ids of this type in the tab's own browser. */
export async function pidsOf(tab: BrowserTab, type: "browser" | "renderer"): Promise<readonly number[]> {
  const { processInfo } = await tab.browser.send("SystemInfo.getProcessInfo");
  return processInfo.filter((info) => info.type === type).map(({ id }) => id);
}

const CACHE_FOLDER = join(homedir(), ".cache", "pergamon");

/**
 * Browser to run the tests with (`BROWSER_PATH=/usr/bin/chromium npx vitest run …`); undefined searches for
 * one.
 */
export const testBrowserPath: string | undefined = process.env["BROWSER_PATH"];

/** @throws Error when `BROWSER_PATH` names a browser that does not start. */
export async function findTestBrowser() {
  const { browser } = await findBrowser({
    pathVariable: process.env["PATH"] ?? "",
    cacheFolder: CACHE_FOLDER,
    ...(testBrowserPath && { path: testBrowserPath }),
  });
  if (testBrowserPath && browser?.source !== "configured") throw new Error(browser?.notes.join(" "));
  return browser && { ...browser, sandbox: "auto" as const };
}

/**
 * Returns the Chromium that npm installs, even if others are installed. Returns another one when
 * `BROWSER_PATH` names it, or when the former is missing.
 */
export async function findCarriedBrowser() {
  const carried = testBrowserPath === undefined ? await unpackBundledBrowser(CACHE_FOLDER) : undefined;
  return carried ? { ...carried, source: "bundled" as const } : findTestBrowser();
}
