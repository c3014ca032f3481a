import { startFixture } from "./fixture.ts";
import { processTree } from "../../test/process-tree.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";
import { labelledSample, madeSample } from "./sample.ts";

const PAGES = 5000;
const AT_ONCE = 4;
/** The memory is looked at after every so many pages: a cache that fills comes to an end, a leak does not. */
const LOOK_EVERY = 500;
const LIMIT_MEGABYTES = 150;

/** What a service holds after 5,000 different pages, each fetched, answered and stored; no browser is started. */
export async function benchMemory(): Promise<readonly Figure[]> {
  const sample = labelledSample() ?? madeSample();
  const fixture = await startFixture(sample);
  const service = await startService({}, ["bin/run.mjs", "start"]);
  const tree = processTree(service.pid);
  const urls = pagesOf(Object.keys(sample).map((path) => fixture.url + path));
  const looks: number[] = [tree.ownMegabytes()];
  try {
    for (let from = 0; from < PAGES; from += LOOK_EVERY) {
      await scrapeAll(urls, LOOK_EVERY, service);
      looks.push(tree.ownMegabytes());
    }
    return [figureOf(looks, tree.cpuMs() / PAGES)];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

/** The same pages over and over, each time under another address. */
function* pagesOf(urls: readonly string[]): Generator<string, void> {
  for (let round = 0; ; round += 1) for (const url of urls) yield `${url}?round=${round}`;
}

async function scrapeAll(
  urls: Generator<string, void>,
  pages: number,
  service: ServerProcess,
): Promise<void> {
  let left = pages;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    while (left > 0) {
      left -= 1;
      await scrapeOne(urls.next().value ?? "", service);
    }
  });
  await Promise.all(callers);
}

async function scrapeOne(url: string, service: ServerProcess): Promise<void> {
  const body = JSON.stringify({ url, maxAge: 0, fastMode: true });
  const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text.slice(0, 200)}`);
}

function figureOf(looks: readonly number[], cpuMs: number): Figure {
  const last = looks.at(-1) ?? Number.NaN;
  const course = looks.map((megabytes) => megabytes.toFixed(0)).join(" ");
  return {
    name: `memory (Pss_Anon) after ${PAGES} pages`,
    value: `${last.toFixed(0)} MB (every ${LOOK_EVERY} pages: ${course}; ${cpuMs.toFixed(1)} ms CPU per page)`,
    limit: `≤ ${LIMIT_MEGABYTES} MB`,
    isMet: last <= LIMIT_MEGABYTES,
  };
}
