import { homedir } from "node:os";
import { join } from "node:path";

import { findBrowser } from "../../packages/browser/src/launch/find.ts";
import { type BrowserPool, openBrowserPool } from "../../packages/browser/src/pool.ts";
import type { BrowserTab } from "../../packages/browser/src/tab/tab.ts";
import { egressBehind } from "../../packages/server/src/net/egress/egress.ts";
import { parseEgressRules } from "../../packages/server/src/net/guard/egress-rules.ts";
import { openGuard } from "../../packages/server/src/net/guard/guard.ts";
import { openResolver } from "../../packages/server/src/net/guard/resolver.ts";
import { startMeasurableService } from "./collected-memory.ts";
import { costFigures, measurer, throughputFigure } from "./page-cost.ts";
import { processTree } from "../../test/process-tree.ts";
import { startBenchServer, startService } from "./processes.ts";
import { readinessFigures } from "./readiness.ts";
import type { Figure } from "./report.ts";

const CONCURRENCY = 4;
/** Memory is compared between these counts of pages. */
const FIRST_PAGES = 100;
const ALL_PAGES = 500;

/** The tabs of one pool; another is ready to be opened. */
const OPEN_PAGES = 7;

const never = new AbortController().signal;

/** What a page costs in a browser, against opening it in a warm tab and reading its DOM, nothing else. */
export async function benchBrowser(): Promise<readonly Figure[]> {
  const site = await startBenchServer("browser-site.ts", {});
  const service = await startService();
  const pool = openPool();
  try {
    const url = `${site.url}/article`;
    const ours = await measurer(service.pid, (pages, connections) =>
      scrapePages({ serviceUrl: service.url, url }, pages, connections),
    );
    const floor = await measurer(process.pid, (pages, connections) =>
      openPages(pool, url, pages, connections),
    );
    const figures = [
      ...(await costFigures(ours, floor)),
      await throughputFigure(ours, floor, CONCURRENCY),
      ...(await memoryFigures(url)),
      await openPageFigure(pool, url),
    ];
    return [...figures, ...(await readinessFigures(pool, site.url))];
  } finally {
    await pool.close();
    await Promise.all([service.stop(), site.stop()]);
  }
}

interface Scrapes {
  readonly serviceUrl: string;
  readonly url: string;
  /** Whether the page cache keeps what comes of them; default true. */
  readonly storeInCache?: boolean;
}

async function scrapePages(
  { serviceUrl, url, storeInCache = true }: Scrapes,
  pages: number,
  connections: number,
): Promise<readonly number[]> {
  return repeatedly(pages, connections, async (number) => {
    // An address of its own each time: scrapes of the same page at the same time would be made once.
    const options = { url: `${url}?${number}`, maxAge: 0, storeInCache, waitFor: 1, formats: ["rawHtml"] };
    const response = await fetch(`${serviceUrl}/v2/scrape`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(options),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
  });
}

/** Does the work so many times, so many at once. @returns how long each took, in milliseconds. */
async function repeatedly(
  times: number,
  atOnce: number,
  work: (number: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const took: number[] = [];
  let started = 0;
  const worker = async () => {
    while (started < times) {
      started += 1;
      const startedAt = performance.now();
      await work(started);
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return took;
}

/** The floor: the same isolation and the same guarded network, the load event, the serialised DOM. */
async function openPages(
  pool: BrowserPool,
  url: string,
  pages: number,
  connections: number,
): Promise<readonly number[]> {
  return repeatedly(pages, connections, (number) =>
    pool.withTab({ skipTlsVerification: true }, (tab) => openPage(tab, `${url}?${number}`), never),
  );
}

async function openPage(tab: BrowserTab, url: string): Promise<void> {
  let isNavigated = false;
  const loaded = new Promise<void>((resolve) => {
    tab.session.on("Page.frameNavigated", () => {
      isNavigated = true;
    });
    tab.session.on("Page.lifecycleEvent", ({ name }) => {
      if (name === "load" && isNavigated) resolve();
    });
  });
  await tab.navigate(url, never);
  await loaded;
  const { root } = await tab.session.send("DOM.getDocument", { depth: 0 });
  await tab.session.send("DOM.getOuterHTML", { nodeId: root.nodeId, includeShadowDOM: true });
}

async function memoryFigures(url: string): Promise<readonly Figure[]> {
  const service = await startMeasurableService();
  try {
    // What the cache keeps in memory grows up to its bound: that growth is not by pages.
    const scrapes = { serviceUrl: service.url, url, storeInCache: false };
    await scrapePages(scrapes, FIRST_PAGES, CONCURRENCY);
    const firstMegabytes = await service.usedMegabytes();
    await scrapePages(scrapes, ALL_PAGES - FIRST_PAGES, CONCURRENCY);
    const lastMegabytes = await service.usedMegabytes();
    const growth = lastMegabytes / firstMegabytes - 1;
    return [
      {
        name: `memory of service and browser beside the page cache after ${ALL_PAGES} pages, against ${FIRST_PAGES}`,
        value: `${(growth * 100).toFixed(1)} % (${lastMegabytes.toFixed(0)} against ${firstMegabytes.toFixed(0)} MB)`,
        limit: "≤ 5 %",
        isMet: growth <= 0.05,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** What a page takes while it is open, with its process and its share of the browser's. */
async function openPageFigure(pool: BrowserPool, url: string): Promise<Figure> {
  const tree = processTree(process.pid);
  const emptyMegabytes = tree.ownMegabytes();
  const megabytes = await heldOpen(pool, url, OPEN_PAGES, () => tree.ownMegabytes());
  const perPage = (megabytes - emptyMegabytes) / OPEN_PAGES;
  return {
    name: `memory of an open page, of ${OPEN_PAGES} at once`,
    value: `${perPage.toFixed(0)} MB`,
    limit: "none",
    isMet: true,
  };
}

/** Measures while so many pages are open and loaded. */
async function heldOpen(
  pool: BrowserPool,
  url: string,
  pages: number,
  measure: () => number,
): Promise<number> {
  if (pages === 0) return measure();
  return pool.withTab(
    { skipTlsVerification: true },
    async (tab) => {
      await openPage(tab, `${url}?open=${pages}`);
      return heldOpen(pool, url, pages - 1, measure);
    },
    never,
  );
}

function openPool(): BrowserPool {
  const rules = parseEgressRules(["127.0.0.1"]);
  return openBrowserPool({
    openEgress: egressBehind(openGuard({ rules, resolver: openResolver({ servers: [] }) })),
    remoteUrls: [],
    egressHost: "127.0.0.1",
    maxTabs: 8,
    async find() {
      const cacheFolder = join(homedir(), ".cache", "pergamon");
      const { browser } = await findBrowser({ pathVariable: process.env["PATH"] ?? "", cacheFolder });
      return browser && { ...browser, sandbox: "auto" };
    },
  });
}
