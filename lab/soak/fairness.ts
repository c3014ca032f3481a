import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openSite, type Site } from "../../test/site.ts";
import { makeTeam, startSoakService } from "../../test/service-process.ts";

/** p95 of what a quiet team waits for an answer, in milliseconds. */
export interface FairnessReport {
  readonly aloneMs: number;
  readonly floodedMs: number;
  /** How long each page takes. */
  readonly slotMs: number;
}

const SLOT_MS = 300;
const SLOTS = "4";
const FLOOD = 40;
const MEASUREMENTS = 40;

/** One team keeps many more pages under way than there are slots; another one scrapes one page after the other. */
export async function floodOneTeam({
  command,
}: {
  readonly command: readonly string[];
}): Promise<FairnessReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "fairness-"));
  const site = await openSite();
  const settings = { SCRAPE_CONCURRENCY: SLOTS, SCRAPE_QUEUE: "100", TEAM_CONCURRENCY: "50" };
  const service = await startSoakService({ command, dataDir, settings });
  try {
    const { apiKey: flooding } = await makeTeam(service.url, { name: "flooding" });
    const { apiKey: quiet } = await makeTeam(service.url, { name: "quiet" });
    const scrape = scraperOf(service.url, site);
    const aloneMs = await measure(() => scrape(quiet));
    const over = new AbortController();
    const flood = Array.from({ length: FLOOD }, async () => {
      while (!over.signal.aborted) await scrape(flooding);
    });
    const floodedMs = await measure(() => scrape(quiet));
    over.abort();
    await Promise.all(flood);
    return { aloneMs, floodedMs, slotMs: SLOT_MS };
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Each call scrapes a page of its own, which takes one slot's time. */
function scraperOf(serviceUrl: string, site: Site) {
  let pages = 0;
  return async (apiKey: string) => {
    pages += 1;
    const url = site.page(`/slow/${pages}`, (_request, response) => {
      setTimeout(() => response.end("<p>slow</p>"), SLOT_MS);
    });
    const response = await fetch(`${serviceUrl}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ url, maxAge: 0, fastMode: true }),
    });
    if (response.status !== 200) throw new Error(`A scrape was answered ${response.status}.`);
    await response.arrayBuffer();
  };
}

async function measure(work: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let count = 0; count < MEASUREMENTS; count += 1) {
    const startMs = performance.now();
    await work();
    durations.push(performance.now() - startMs);
  }
  durations.sort((a, b) => a - b);
  return durations[Math.floor(durations.length * 0.95)] ?? Number.NaN;
}
