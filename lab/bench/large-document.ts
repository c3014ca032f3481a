import { setTimeout as sleep } from "node:timers/promises";

import { textPage, writePdf } from "../../test/pdf-writer.ts";
import { openSite } from "../../test/site.ts";
import { processTree } from "../../test/process-tree.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const PAGES = 1000;
/** As many as stand on the page. */
const LINES = 42;
const MAX_FIRST_MS = 1000;
const MAX_MEGABYTES = 400;
const SETTLE_MS = 2000;
const SAMPLE_MS = 100;
const TIMEOUT_MS = 300_000;

/** How soon the first page of a long PDF is answered, and what reading all of it takes in memory, by a service. */
export async function benchLargeDocument(): Promise<readonly Figure[]> {
  const site = await openSite();
  const pdf = writePdf({ pages: Array.from({ length: PAGES }, (_, page) => storyPage(page + 1)) });
  const url = site.page("/long.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
  const service = await startService();
  try {
    await sleep(SETTLE_MS);
    const tree = processTree(service.pid);
    const idle = tree.ownMegabytes();
    const cold = await scrape(service.url, url, 1);
    const warm = await scrape(service.url, url, 1);
    const quarter = await peakDuring(tree, () => scrape(service.url, url, PAGES / 4));
    const whole = await peakDuring(tree, () => scrape(service.url, url, PAGES));
    return figuresOf({ cold, warm, quarter: quarter - idle, whole: whole - idle });
  } finally {
    await service.stop();
    await site.close();
  }
}

interface Measured {
  /** Milliseconds until the answer, with and without the start of the process that reads. */
  readonly cold: number;
  readonly warm: number;
  /** Megabytes over those of the idle service, of all processes, for a quarter of the file and for all of it. */
  readonly quarter: number;
  readonly whole: number;
}

function figuresOf({ cold, warm, quarter, whole }: Measured): readonly Figure[] {
  return [
    {
      name: `first page of ${PAGES}, answered by the service`,
      value: `${cold.toFixed(0)} ms, ${warm.toFixed(0)} ms the second time`,
      limit: `≤ ${MAX_FIRST_MS} ms`,
      isMet: cold <= MAX_FIRST_MS,
    },
    {
      name: `memory over idle for ${PAGES} pages, all processes`,
      value: `${whole.toFixed(0)} MB (${quarter.toFixed(0)} MB for ${PAGES / 4})`,
      limit: `≤ ${MAX_MEGABYTES} MB`,
      isMet: whole <= MAX_MEGABYTES,
    },
  ];
}

function storyPage(page: number) {
  return textPage(
    ...Array.from({ length: LINES }, (_, line) => `Line ${line} of page ${page} tells a story.`),
  );
}

/** @returns milliseconds until the answer. @throws Error when the pages are not there. */
async function scrape(service: string, url: string, maxPages: number): Promise<number> {
  const startMs = performance.now();
  const parsers = [{ type: "pdf", mode: "fast", maxPages }];
  const response = await fetch(`${service}/v2/scrape`, {
    method: "POST",
    body: JSON.stringify({ url, parsers, timeout: TIMEOUT_MS, maxAge: 0 }),
  });
  const text = await response.text();
  if (!text.includes(`Line ${LINES - 1} of page ${maxPages} tells a story.`))
    throw new Error(text.slice(0, 300));
  return performance.now() - startMs;
}

async function peakDuring(
  tree: ReturnType<typeof processTree>,
  work: () => Promise<unknown>,
): Promise<number> {
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, tree.ownMegabytes());
  }, SAMPLE_MS);
  await work().finally(() => clearInterval(sampling));
  return peak;
}
