import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { processTree } from "../process-tree.ts";
import { openSite } from "../site.ts";
import { startSoakService } from "../service-process.ts";

export interface FullLogReport {
  readonly answered: number;
  /** Of the process, with its log on the full disk. */
  readonly grownMegabytes: number;
  readonly stopMs: number;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const CLIENTS = 8;
const REQUEST_LIMIT_MS = 30_000;
/** Its log goes to a device that is always full. The output by which it tells its address does not. */
const FULL_LOG = ["bash", "-c", 'exec "$0" "$@" 2> /dev/full'];

/** Scrapes while not one line of the log can be written, then asks for an end. */
export async function logToFullDisk(options: {
  readonly requests: number;
  readonly command: readonly string[];
}): Promise<FullLogReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "full-log-"));
  const site = await openSite();
  const url = site.page("/page", "<h1>Page</h1>");
  const settings = { AUTH: "open", LOG_LEVEL: "trace" };
  const service = await startSoakService({ ...options, dataDir, launcher: FULL_LOG, settings });
  const memory = processTree(service.pid);
  const problems: string[] = [];
  try {
    let answered = 0;
    const scrapeOn = async () => {
      while (answered < options.requests) {
        answered += 1;
        const problem = await scrape(service.url, { url, ...(answered % 10 === 0 && { maxAge: 0 }) });
        if (problem !== undefined) problems.push(problem);
      }
    };
    await scrapeOn();
    const beforeMegabytes = memory.ownMegabytes();
    answered = 0;
    await Promise.all(Array.from({ length: CLIENTS }, scrapeOn));
    const grownMegabytes = memory.ownMegabytes() - beforeMegabytes;
    const startMs = performance.now();
    await service.stop().catch((failure: Error) => problems.push(failure.message));
    return { answered, grownMegabytes, stopMs: performance.now() - startMs, problems };
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @returns what went wrong. */
async function scrape(serviceUrl: string, request: object): Promise<string | undefined> {
  try {
    const response = await fetch(`${serviceUrl}/v2/scrape`, {
      method: "POST",
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    await response.arrayBuffer();
    return response.status === 200 ? undefined : `a scrape was answered ${response.status}`;
  } catch (failure) {
    return `a scrape was not answered: ${String(failure)}`;
  }
}
