import { startFixture } from "../fixture.ts";
import { processTree } from "../../../test/process-tree.ts";
import { type ServerProcess, startBenchServer, startService } from "../processes.ts";
import type { Figure } from "../report.ts";
import { madeSample, spreadSample } from "../sample.ts";
import type { ScaleOptions } from "./parts.ts";

const SAMPLE = 60;
const BROWSER_PAGES = 30;
const PAGES_A_DAY = 1e9;
const PEAK = 2;
const SECONDS_A_DAY = 86_400;
const CORES_OF_A_NODE = 16;

/** What is not measured: `--core-hour-price`, `--browser-share`, `--used-share`, `--megabytes-a-page`. */
export interface Assumptions {
  /** Of one core, in dollars. */
  readonly coreHourPrice: number;
  /** Of pages that need a browser. */
  readonly browserShare: number;
  /** Of the cores, on average: the rest waits for peaks. */
  readonly usedShare: number;
  /** Over the network, of a page and what a browser loads with it. */
  readonly megabytesAPage: number;
}

const DEFAULTS: Assumptions = {
  coreHourPrice: 0.03,
  browserShare: 0.3,
  usedShare: 0.6,
  megabytesAPage: 0.3,
};

/** What a billion pages a day take, by what pages cost here. */
export async function benchCost({ assumptions }: ScaleOptions): Promise<readonly Figure[]> {
  const assumed = { ...DEFAULTS, ...assumptions };
  const service = await startService();
  try {
    const byHttp = await costByHttp(service);
    const byBrowser = await costByBrowser(service);
    return figuresOf(assumed, byHttp, byBrowser);
  } finally {
    await service.stop();
  }
}

/** Seconds of processor time of a page fetched by HTTP, warm: those of the labelled set where there are some. */
async function costByHttp(service: ServerProcess): Promise<number> {
  const pages = spreadSample(SAMPLE) ?? madeSample();
  const fixture = await startFixture(pages);
  try {
    const urls = Object.keys(pages).map((path) => fixture.url + path);
    await costOf(service, urls, {});
    return await costOf(service, urls, {});
  } finally {
    await fixture.stop();
  }
}

/** The same of a page that a browser opens, with its own processes. */
async function costByBrowser(service: ServerProcess): Promise<number> {
  const site = await startBenchServer("browser-site.ts", {});
  try {
    const urls = Array.from({ length: BROWSER_PAGES }, (_, index) => `${site.url}/article?${index}`);
    await costOf(service, urls, { waitFor: 1 });
    return await costOf(service, urls, { waitFor: 1 });
  } finally {
    await site.stop();
  }
}

async function costOf(service: ServerProcess, urls: readonly string[], options: object): Promise<number> {
  const tree = processTree(service.pid);
  const before = tree.cpuMs();
  for (const url of urls) {
    const body = JSON.stringify({ url, maxAge: 0, storeInCache: false, ...options });
    const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${text.slice(0, 200)}`);
  }
  return (tree.cpuMs() - before) / 1000 / urls.length;
}

function figuresOf(assumed: Assumptions, byHttp: number, byBrowser: number): readonly Figure[] {
  const { coreHourPrice, browserShare, usedShare, megabytesAPage } = assumed;
  const seconds = byHttp * (1 - browserShare) + byBrowser * browserShare;
  const cores = (PAGES_A_DAY * seconds) / SECONDS_A_DAY / usedShare;
  const dollars = cores * 24 * coreHourPrice;
  const gigabits = (PAGES_A_DAY * megabytesAPage * 8) / 1000 / SECONDS_A_DAY;
  const tell = (name: string, value: string): Figure => ({ name, value, limit: "-", isMet: true });
  return [
    tell(
      "assumed",
      `${coreHourPrice} $ a core and hour, ${percent(browserShare)} of pages by browser, cores used to ${percent(usedShare)}, ${megabytesAPage} MB a page`,
    ),
    tell(
      "measured here, processor time of a page",
      `${(byHttp * 1000).toFixed(1)} ms by HTTP, ${(byBrowser * 1000).toFixed(0)} ms by browser`,
    ),
    tell("on average", `${(seconds * 1000).toFixed(0)} ms`),
    tell(
      "1 billion pages a day: cores",
      `${cores.toFixed(0)} (${(cores * PEAK).toFixed(0)} for a peak of ${PEAK} ×), ${Math.ceil(cores / CORES_OF_A_NODE)} nodes of ${CORES_OF_A_NODE}`,
    ),
    tell(
      "1 billion pages a day: cores, money",
      `${dollars.toFixed(0)} $ a day, ${(dollars / (PAGES_A_DAY / 1e6)).toFixed(2)} $ a million pages`,
    ),
    tell("1 billion pages a day: network", `${gigabits.toFixed(0)} Gbit/s`),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
