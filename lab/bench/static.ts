import { decodeBody } from "../../src/page-content/html/parser/decode.ts";
import { parseHtml } from "../../src/page-content/html/parser/parse.ts";
import type { HtmlTree } from "../../src/page-content/html/parser/tree.ts";
import { openHttpClient } from "../../src/platform/net/client.ts";
import { parseEgressRules } from "../../src/platform/net/guard/egress-rules.ts";
import { openGuard } from "../../src/platform/net/guard/guard.ts";
import { navigate } from "../../src/platform/net/navigate.ts";
import { openResolver } from "../../src/platform/net/guard/resolver.ts";
import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";
import { labelledSample } from "./sample.ts";

const PAGE_BYTES = 100_000;
const TINY_PAGE = "<!doctype html><title>Tiny</title><h1>Tiny</h1><p>A page with next to nothing.</p>";
const WARM_UP = 300;
const REQUESTS = 1500;
const ROUNDS = 3;

/** What scrapes over loopback cost in processor time: a page with next to nothing, one of 100 KB, labelled ones. */
export async function benchStatic(): Promise<readonly Figure[]> {
  const sample = labelledSample();
  const fixture = await startFixture({ "/tiny": TINY_PAGE, "/page": articlePage(PAGE_BYTES), ...sample });
  const service = await startService();
  try {
    const figures = [await ofTinyPage(service, fixture.url), await ofLargePage(service, fixture.url)];
    if (!sample) return figures;
    return [
      ...figures,
      await ofSample(
        service,
        Object.keys(sample).map((path) => fixture.url + path),
      ),
    ];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

/** What the smallest scrape costs by itself. */
export async function tinyPageFigure(): Promise<Figure> {
  const fixture = await startFixture({ "/tiny": TINY_PAGE });
  const service = await startService();
  try {
    return await ofTinyPage(service, fixture.url);
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

async function ofTinyPage(service: ServerProcess, origin: string): Promise<Figure> {
  const scrapes = (requests: number) => scrapeAgain(service, `${origin}/tiny`, requests);
  await scrapes(WARM_UP);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scrapes(REQUESTS));
  return costOf("static scrape of a tiny page, CPU", Math.min(...rounds), 1.2);
}

async function ofLargePage(service: ServerProcess, origin: string): Promise<Figure> {
  const url = `${origin}/page`;
  await scrapeAgain(service, url, WARM_UP);
  await floor(url, WARM_UP);
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    pairs.push([await scrapeAgain(service, url, REQUESTS), await floor(url, REQUESTS)]);
  const [ours = 0, base = 1] = [...pairs].sort(([a], [b]) => a - b)[0] ?? [];
  const figure = costOf("static scrape of a 100 KB page, CPU", ours, 7.5);
  return { ...figure, value: `${figure.value} (fetch and parse alone: ${base.toFixed(2)} ms)` };
}

/** Every page once before, and in each round: as a service meets them. */
async function ofSample(service: ServerProcess, urls: readonly string[]): Promise<Figure> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = service.cpuMs();
    for (const url of urls) await scrapeOnce(service, url);
    rounds.push((service.cpuMs() - before) / urls.length);
  }
  const [first = 0, ...others] = rounds;
  const figure = costOf(
    `static scrapes of ${urls.length} labelled pages, CPU per page`,
    Math.min(...others),
    19,
  );
  return { ...figure, value: `${figure.value} (the first time ${first.toFixed(2)} ms)` };
}

/** Milliseconds of processor time per request. */
async function scrapeAgain(service: ServerProcess, url: string, requests: number): Promise<number> {
  const before = service.cpuMs();
  const body = JSON.stringify({ url, maxAge: 0 });
  await runLoad({ url: `${service.url}/v2/scrape`, body, connections: 1, requests });
  return (service.cpuMs() - before) / requests;
}

async function scrapeOnce(service: ServerProcess, url: string): Promise<void> {
  const body = JSON.stringify({ url, maxAge: 0, storeInCache: false, fastMode: true });
  const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text.slice(0, 200)}`);
}

/**
 * Milliseconds of processor time per fetch and parse, in this process. Our parser leaves texts and attributes in the
 * source until they are requested; like any other parser's, its work is done when they have been read.
 */
async function floor(url: string, requests: number): Promise<number> {
  const rules = parseEgressRules(["127.0.0.1"]);
  const client = openHttpClient({ guard: openGuard({ rules, resolver: openResolver({ servers: [] }) }) });
  const signal = new AbortController().signal;
  const visit = {
    url,
    headers: {},
    acceptLanguage: "en-US,en;q=0.9",
    skipTlsVerification: true,
    profile: "basic" as const,
    maxBodyBytes: 50_000_000,
  };
  const before = process.cpuUsage();
  let characters = 0;
  for (let index = 0; index < requests; index += 1) {
    const { response } = await navigate(client, visit, signal);
    characters += readAll(parseHtml(decodeBody(response.body, "text/html; charset=utf-8")));
  }
  const used = process.cpuUsage(before);
  await client.close();
  if (characters === 0) throw new Error("Nothing was parsed.");
  return (used.user + used.system) / 1000 / requests;
}

function readAll(tree: HtmlTree): number {
  let characters = 0;
  for (let node = 0; node < tree.size; node += 1) {
    characters += tree.text(node).length;
    for (const [, value] of tree.attributes(node)) characters += value.length;
  }
  return characters;
}

function costOf(name: string, milliseconds: number, limit: number): Figure {
  return {
    name,
    value: `${milliseconds.toFixed(2)} ms`,
    limit: `≤ ${limit} ms`,
    isMet: milliseconds <= limit,
  };
}
