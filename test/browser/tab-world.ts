import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { readConfig, readEnvironment } from "../../src/config.ts";
import { parseEgressRules } from "../../src/platform/net/egress-rules.ts";
import { openGuard } from "../../src/platform/net/guard.ts";
import { openResolver } from "../../src/platform/net/resolver.ts";
import { findBrowser } from "../../src/platform/browser/find.ts";
import { type BrowserPool, openBrowserPool } from "../../src/platform/browser/pool.ts";
import { watchReadiness } from "../../src/platform/browser/readiness.ts";
import type { BrowserTab } from "../../src/platform/browser/tab.ts";

/** How long a test may keep a tab. */
const TEST_LIMIT_MS = 15_000;

/** A real browser and a site on loopback, for tests of what happens in a page. */
export interface TestBrowser {
  /** Serves the HTML, or what the listener writes, and lets a tab with the loaded page be used. */
  onPage<T>(
    page: string | RequestListener,
    use: (tab: BrowserTab, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** The same without opening the page: `open` does. */
  withTab<T>(
    page: string | RequestListener,
    use: (tab: BrowserTab, open: () => Promise<void>, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Address of the site, with a slash at its end. */
  readonly siteUrl: string;
  /** Paths asked for since the last page was set. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export async function openTestBrowser(): Promise<TestBrowser> {
  let page: string | RequestListener = "";
  let asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (typeof page === "function") return page(request, response);
    const isPage = request.url === "/";
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(isPage ? page : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const pool = openPool();

  const withTab: TestBrowser["withTab"] = (shown, use) => {
    page = shown;
    asked = [];
    const signal = AbortSignal.timeout(TEST_LIMIT_MS);
    const withPage = async (tab: BrowserTab) => {
      const open = async () => {
        const readiness = await watchReadiness(tab, signal);
        await tab.navigate(siteUrl, signal);
        await readiness.ready(signal);
      };
      return use(tab, open, signal);
    };
    return pool.withTab({ skipTlsVerification: false }, withPage, signal);
  };

  return {
    siteUrl,
    withTab,
    get asked() {
      return asked;
    },
    onPage: (shown, use) =>
      withTab(shown, async (tab, open, signal) => {
        await open();
        return use(tab, signal);
      }),
    async close() {
      await pool.close();
      await closeServer(server);
    },
  };
}

function openPool(): BrowserPool {
  const guard = openGuard({
    rules: parseEgressRules(["127.0.0.1"]),
    resolver: openResolver({ servers: [] }),
  });
  return openBrowserPool({
    guard,
    remoteUrls: [],
    egressHost: "127.0.0.1",
    maxTabs: 2,
    async find(signal) {
      const {
        pathVariable,
        cacheDir: cacheFolder,
        browserPath: path,
      } = readConfig(readEnvironment()).programs;
      const { browser } = await findBrowser({ pathVariable, cacheFolder, signal, ...(path && { path }) });
      return browser && { ...browser, sandbox: "auto" };
    },
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
