import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { processTree } from "../../test/process-tree.ts";
import { openSite, type Site } from "../../test/site.ts";
import { type SoakService, startSoakService } from "../../test/service-process.ts";

/** What a service holds at one moment. */
interface Holdings {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly dataFiles: number;
  readonly temporaryFiles: number;
}

export interface SteadyReport {
  readonly answered: number;
  /** After a start and a little work, so that what is loaded late is there. */
  readonly before: Holdings;
  readonly after: Holdings;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const CLIENTS = 6;
const PAGES = 40;
/** Part of the time that counts as warming up. */
const WARM_UP = 0.25;
/** What is closed late, such as idle connections and the last browser, is closed by then. */
const CALM_MS = 8_000;
/** L02: memory grows by no more than 15 %, where it had the time to settle; descriptors come back. */
const MAX_GROWTH = 1.15;
const LEAST_JUDGED_MINUTES = 10;
const MAX_DESCRIPTORS = 10;

/** Keeps a service busy with all kinds of requests, and compares what it holds before and after. */
export async function workSteadily({
  minutes,
  command,
}: {
  readonly minutes: number;
  readonly command: readonly string[];
}): Promise<SteadyReport> {
  const folder = await mkdtemp(join(tmpdir(), "steady-"));
  const [dataDir, temporary] = [join(folder, "data"), join(folder, "tmp")];
  await mkdir(temporary);
  const site = await openSite();
  for (let page = 0; page < PAGES; page += 1)
    site.page(`/${page}`, `<h1>${page}</h1>${"<p>text</p>".repeat(500)}`);
  const service = await startSoakService({ command, dataDir, settings: { AUTH: "open", TMPDIR: temporary } });
  try {
    const warmUp = await work(service, site, minutes * WARM_UP);
    const before = await holdings(service, dataDir, temporary);
    const answered = await work(service, site, minutes * (1 - WARM_UP));
    const after = await holdings(service, dataDir, temporary);
    await service.stop();
    return { answered: warmUp + answered, before, after, problems: problemsOf(before, after, minutes) };
  } finally {
    await site.close();
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns how many requests were answered. */
async function work(service: SoakService, site: Site, minutes: number): Promise<number> {
  const endMs = performance.now() + minutes * 60_000;
  let answered = 0;
  const client = async (_client: unknown, index: number) => {
    for (let turn = index; performance.now() < endMs; turn += 1) {
      if (await scrape(service, site, turn)) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return answered;
}

/** Cached pages, fresh ones, some in a browser, some that fail and some that the client gives up. */
async function scrape({ url: base }: SoakService, site: Site, turn: number): Promise<boolean> {
  const url = turn % 13 === 12 ? "http://127.0.0.9:1/" : site.url(`/${turn % PAGES}`);
  const request = { url, ...(turn % 3 === 0 && { maxAge: 0 }), ...(turn % 97 === 0 && { waitFor: 50 }) };
  try {
    const response = await fetch(`${base}/v2/scrape`, {
      method: "POST",
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(turn % 17 === 16 ? 3 : 60_000),
    });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

async function holdings({ pid }: SoakService, dataDir: string, temporary: string): Promise<Holdings> {
  await pause(CALM_MS);
  return {
    megabytes: processTree(pid).ownMegabytes(),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    dataFiles: (await readdir(dataDir, { recursive: true })).length,
    temporaryFiles: (await readdir(temporary, { recursive: true })).length,
  };
}

function problemsOf(before: Holdings, after: Holdings, minutes: number): readonly string[] {
  const problems: string[] = [];
  const descriptors = after.descriptors - before.descriptors;
  if (descriptors > MAX_DESCRIPTORS) problems.push(`${descriptors} descriptors more than before`);
  const growth = after.megabytes / before.megabytes;
  if (minutes >= LEAST_JUDGED_MINUTES && growth > MAX_GROWTH) {
    problems.push(`memory grew by ${((growth - 1) * 100).toFixed(0)} %`);
  }
  return problems;
}
