import { decodeBody } from "../src/content/html/parser/decode.ts";
import { parseHtml } from "../src/content/html/parser/parse.ts";
import type { HtmlTree } from "../src/content/html/parser/tree.ts";
import { openHttpClient } from "../src/platform/net/client.ts";
import { parseEgressRules } from "../src/platform/net/egress-rules.ts";
import { openGuard } from "../src/platform/net/guard.ts";
import { navigate } from "../src/platform/net/navigate.ts";
import { openResolver } from "../src/platform/net/resolver.ts";
import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const PAGE_BYTES = 100_000;
const WARM_UP = 300;
const REQUESTS = 1500;
const ROUNDS = 3;

/** Processor time of a scrape over loopback against fetching and parsing the same page, nothing else. */
export async function benchStatic(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const service = await startService();
  const url = `${fixture.url}/page`;
  const body = JSON.stringify({ url, maxAge: 0 });
  const scrapes = async (requests: number) => {
    const before = service.cpuMs();
    await runLoad({ url: `${service.url}/v2/scrape`, body, connections: 1, requests });
    return (service.cpuMs() - before) / requests;
  };
  try {
    await scrapes(WARM_UP);
    await floor(url, WARM_UP);
    const pairs: (readonly [number, number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await scrapes(REQUESTS), await floor(url, REQUESTS)]);
    return [figureOf(pairs)];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

/**
 * Milliseconds of processor time per fetch and parse, in this process. Our parser leaves texts and attributes in the
 * source until somebody asks; like any other parser's, its work is done when they have been read.
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

function figureOf(pairs: readonly (readonly [number, number])[]): Figure {
  const sorted = [...pairs].sort(([a, b], [c, d]) => a / b - c / d);
  const [ours = 0, base = 1] = sorted[Math.floor(sorted.length / 2)] ?? [];
  return {
    name: "static scrape of a 100 KB page, CPU against fetch and parse alone",
    value: `${(ours / base).toFixed(2)} × (${ours.toFixed(2)} against ${base.toFixed(2)} ms)`,
    limit: "≤ 1.6 ×",
    isMet: ours / base <= 1.6,
  };
}
