import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { makeTeam, type SoakService, startSoakService } from "../../test/service-process.ts";
import { percentile } from "./load.ts";
import type { Figure } from "./report.ts";

const FIRST_PAGES = 20;
const CANCELS = 10;
const PAGES_BEFORE_CANCEL = 20;
/** Fifty a minute. */
const SCRAPE_INTERVAL_MS = 1200;
/** The kinds of company take turns: what else this machine does falls on all. */
const ROUNDS = 12;
const SCRAPES_OF_ROUND = 3;
const ANSWER_MS = 200;
const CREDITS = 10_000_000;
const LETTERS = "abcdefghij";

/** How soon crawls begin and end, and what single scrapes take meanwhile, in a service of its own. */
export async function benchCrawlTimes(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-crawl-times-"));
  const service = await startSoakService({ command: ["dist/main.js"], dataDir: folder });
  const site = await TimedSite.open();
  try {
    const [own, other] = [await clientOf(service, "own"), await clientOf(service, "other")];
    await own.ask("POST", "/v2/scrape", { url: `${site.url}/`, maxAge: 0 });
    return [
      await benchFirstPages(own, site),
      await benchCancels(own, site),
      ...(await benchCompany(own, other, site)),
    ];
  } finally {
    await service.stop();
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Client {
  ask(method: string, path: string, body?: object): Promise<{ readonly id: string }>;
}

async function clientOf({ url }: SoakService, name: string): Promise<Client> {
  const { apiKey } = await makeTeam(url, { name, credits: CREDITS });
  return {
    async ask(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}.`);
      return (await response.json()) as { readonly id: string };
    },
  };
}

/** Pages that lead to others without end, each after a while, and when each was asked for. */
class TimedSite {
  readonly #server: Server;
  readonly visitedAtMs = new Map<string, number>();
  answerMs = 0;
  #pages = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.visitedAtMs.set(request.url ?? "", performance.now());
      if (request.url === "/robots.txt") return response.writeHead(404).end();
      const links = Array.from({ length: 5 }, () => `<a href="/page/${(this.#pages += 1)}">x</a>`).join("");
      // Pages that say the same but for numbers look endless to a crawl, and end it.
      const name = String(this.#pages).replace(/\d/g, (digit) => LETTERS[Number(digit)] ?? "");
      const page = `<main><h1>Page ${name}</h1><p>Some words.</p></main>${links}`;
      return void sleep(this.answerMs).then(() => response.setHeader("content-type", "text/html").end(page));
    });
  }

  static async open(): Promise<TimedSite> {
    const site = new TimedSite();
    await new Promise<void>((resolve) => site.#server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function benchFirstPages(client: Client, site: TimedSite): Promise<Figure> {
  const waits: number[] = [];
  for (let count = 0; count < FIRST_PAGES; count += 1) {
    const path = `/first/${count}`;
    await client.ask("POST", "/v2/batch/scrape", { urls: [`${site.url}${path}`], maxAge: 0 });
    const answeredMs = performance.now();
    while (!site.visitedAtMs.has(path)) await sleep(1);
    waits.push(Math.max(0, (site.visitedAtMs.get(path) ?? 0) - answeredMs));
  }
  return timeFigure("first page is visited after the answer to its job", waits, 100);
}

async function benchCancels(client: Client, site: TimedSite): Promise<Figure> {
  const waits: number[] = [];
  site.answerMs = 20;
  for (let count = 0; count < CANCELS; count += 1) {
    const before = site.visitedAtMs.size;
    const { id } = await client.ask("POST", "/v2/crawl", crawlOf(site, count));
    while (site.visitedAtMs.size < before + PAGES_BEFORE_CANCEL) await sleep(5);
    const cancelledMs = performance.now();
    await client.ask("DELETE", `/v2/crawl/${id}`);
    await sleep(1000);
    const last = Math.max(...site.visitedAtMs.values());
    waits.push(Math.max(0, last - cancelledMs));
  }
  return timeFigure("last visit of a crawl that is cancelled", waits, 200);
}

function timeFigure(name: string, times: readonly number[], limitMs: number): Figure {
  const sorted = times.toSorted((a, b) => a - b);
  const [half, most] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
  return {
    name: `${name}, p95 of ${times.length} (p50 ${half.toFixed(0)} ms)`,
    value: `${most.toFixed(0)} ms`,
    limit: `<= ${limitMs} ms`,
    isMet: most <= limitMs,
  };
}

function crawlOf(site: TimedSite, number: number): object {
  const scrapeOptions = { maxAge: 0 };
  const options = { crawlEntireDomain: true, sitemap: "skip", limit: 100_000 };
  return { url: `${site.url}/crawl/${number}`, ...options, scrapeOptions };
}

/** Scrapes of one team, alone and during a crawl of its own or of another team. */
async function benchCompany(own: Client, other: Client, site: TimedSite): Promise<readonly Figure[]> {
  const target = await TimedSite.open();
  target.answerMs = site.answerMs = ANSWER_MS;
  const times = { alone: [] as number[], own: [] as number[], other: [] as number[] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      times.alone.push(...(await scrapeTimes(own, target)));
      for (const [name, client] of Object.entries({ own, other }) as ["own" | "other", Client][]) {
        const { id } = await client.ask("POST", "/v2/crawl", crawlOf(site, round));
        await sleep(SCRAPE_INTERVAL_MS);
        times[name].push(...(await scrapeTimes(own, target)));
        await client.ask("DELETE", `/v2/crawl/${id}`);
      }
    }
  } finally {
    target.close();
  }
  return [
    companyFigure("the same team", times.own, times.alone),
    companyFigure("another team", times.other, times.alone),
  ];
}

async function scrapeTimes(client: Client, target: TimedSite): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < SCRAPES_OF_ROUND; count += 1) {
    const startMs = performance.now();
    await client.ask("POST", "/v2/scrape", { url: `${target.url}/scrape/${startMs}`, maxAge: 0 });
    const tookMs = performance.now() - startMs;
    times.push(tookMs);
    await sleep(Math.max(0, SCRAPE_INTERVAL_MS - tookMs));
  }
  return times;
}

function companyFigure(whose: string, beside: readonly number[], alone: readonly number[]): Figure {
  const p95 = (times: readonly number[]) =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.95,
    );
  const ratio = p95(beside) / p95(alone);
  return {
    name: `scrape beside a crawl of ${whose}, p95 (${p95(beside).toFixed(0)} ms) against alone (${p95(alone).toFixed(0)} ms)`,
    value: `× ${ratio.toFixed(2)}`,
    limit: "<= × 1.3",
    isMet: ratio <= 1.3,
  };
}
