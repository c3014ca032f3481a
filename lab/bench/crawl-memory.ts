import { setTimeout as sleep } from "node:timers/promises";

import { processTree } from "../../test/process-tree.ts";
import { collectGarbage } from "./collected-memory.ts";
import { crawlAll, siteUrl, startSite } from "./crawl.ts";
import { freePort } from "./free-port.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

/** Documents of a small and a large crawl. The site has more pages than that. */
const SIZES = [10_000, 100_000] as const;
const SITE_PAGES = 110_000;
const MAX_GROWTH = 1.1;
/** Idle threads and connections end by then. */
const CALM_MS = 35_000;
const SETTINGS = {
  HOST_CONCURRENCY: "50",
  TEAM_CONCURRENCY: "64",
  RATE_LIMIT: "off",
  // What `npm start` sets (bin/small-memory.mjs).
  NODE_OPTIONS: "--max-semi-space-size=4",
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "65536",
};

/** What a service holds after a crawl of a hundred thousand pages, beside that of ten thousand: about ten minutes. */
export async function benchCrawlMemory(): Promise<readonly Figure[]> {
  const port = await freePort();
  const site = await startSite(SITE_PAGES);
  const service = await startService(SETTINGS, [`--inspect=127.0.0.1:${port}`, "dist/main.js"]);
  try {
    const work = { service: service.url, site: siteUrl(site) };
    const held: number[] = [];
    for (const pages of SIZES) {
      await crawlAll(work, { pages });
      await sleep(CALM_MS);
      await collectGarbage(port);
      held.push(processTree(service.pid).ownMegabytes());
    }
    const [small = 0, large = 0] = held;
    return [
      {
        name: `memory after a crawl of 100,000 pages (${large.toFixed(0)} MB) against one of 10,000 (${small.toFixed(0)} MB)`,
        value: `× ${(large / small).toFixed(2)}`,
        limit: `<= × ${MAX_GROWTH}`,
        isMet: large / small <= MAX_GROWTH,
      },
    ];
  } finally {
    await service.stop();
    site.closeAllConnections();
    site.close();
  }
}
