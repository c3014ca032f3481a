import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { FirecrawlClient } from "firecrawl";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

const FALLBACK = ["Fallback", "https://fallback.test/"];

let first: Engine;
let second: Engine;
let world: World;

interface Engine {
  readonly server: Server;
  readonly address: string;
  asked: URLSearchParams[];
  answer: (response: ServerResponse) => void;
}

async function openEngine(): Promise<Engine> {
  const engine = { asked: [], answer: () => undefined } as unknown as Engine;
  const server = createServer((request, response) => {
    engine.asked.push(new URL(request.url ?? "/", "http://x").searchParams);
    engine.answer(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = `searxng+http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(engine, { server, address });
}

const results =
  (...list: readonly (readonly [title: string, url: string])[]) =>
  (response: ServerResponse) =>
    void response.end(
      JSON.stringify({ results: list.map(([title, url]) => ({ title, url, content: `About ${title}` })) }),
    );

beforeAll(async () => {
  [first, second] = [await openEngine(), await openEngine()];
  const SEARCH_URL = `${first.address},${second.address}`;
  world = await openWorld({ SEARCH_URL, BLOCKED_DOMAINS: "blocked.test" });
});

beforeEach(() => {
  first.answer = results(["One", "https://one.test/"], ["Two", "https://two.test/a.pdf"]);
  second.answer = results(["Fallback", "https://fallback.test/"]);
});

afterEach(() => {
  [first.asked, second.asked] = [[], []];
});

afterAll(async () => {
  await world.close();
  for (const { server } of [first, second]) {
    server.closeAllConnections();
    server.close();
  }
});

async function search(body: object) {
  const response = await fetch(`${world.baseUrl}/v2/search`, { method: "POST", body: JSON.stringify(body) });
  const answer = (await response.json()) as {
    readonly data: { readonly web: readonly { readonly title: string; readonly url: string }[] };
    readonly warning?: string;
    readonly creditsUsed: number;
    readonly code: string;
    readonly error: string;
  };
  return { status: response.status, ...answer };
}

describe("F-72 SearXNG", () => {
  test("is asked, and what it finds is answered", async () => {
    const { status, data, warning, creditsUsed } = await search({
      query: "anvil",
      limit: 2,
      includeDomains: ["one.test"],
      tbs: "qdr:m",
    });
    expect(data.web).toEqual([
      { url: "https://one.test/", title: "One", description: "About One", position: 1 },
      { url: "https://two.test/a.pdf", title: "Two", description: "About Two", position: 2 },
    ]);
    expect([status, warning, creditsUsed]).toEqual([200, undefined, 2]);
    expect(Object.fromEntries(first.asked[0] ?? [])).toMatchObject({
      q: "anvil site:one.test",
      time_range: "month",
      language: "en-US",
      format: "json",
    });
    expect(second.asked).toEqual([]);
  });

  test("has its limit kept, its categories told, and blocked pages left out", async () => {
    first.answer = results(
      ["B", "https://blocked.test/"],
      ["Two", "https://two.test/a.pdf"],
      ["One", "https://one.test/"],
    );
    const { data } = await search({ query: "anvil", limit: 2, categories: ["pdf"] });
    expect(data.web).toEqual([
      { url: "https://two.test/a.pdf", title: "Two", description: "About Two", position: 1, category: "pdf" },
    ]);
  });

  test("leaves out what it cannot follow, and says so", async () => {
    const { warning } = await search({ query: "anvil", location: "Berlin", tbs: "sbd:1" });
    expect(warning).toBe("searxng cannot follow location and tbs.");
  });
});

describe("highlights", () => {
  const page = (path: string, text: string) =>
    world.site.page(path, htmlPage(`<main><h1>Forge</h1><p>${text}</p></main>`));
  const client = () => new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const told = (list: readonly object[] | undefined) =>
    (list ?? []).map((one) => one as { readonly description?: string; readonly snippet?: string });

  test("are passages of stored pages, unless they are not wanted", async () => {
    const stored = page("/stored", "Anvils are forged from steel in one piece.");
    await world.scrape({ url: stored });
    first.answer = results(["Forge", stored], ["Two", "https://two.test/"]);
    const { web, news } = await client().search("anvils forged", { sources: ["web", "news"] });
    expect(told(web)[0]?.description).toContain("forged from steel");
    expect(told(news)[0]?.snippet).toContain("forged from steel");
    expect(told(web)[1]?.description).toBe("About Two");
    const plain = await client().search("anvils forged", { highlights: false });
    expect(told(plain.web).map(({ description }) => description)).toEqual(["About Forge", "About Two"]);
  });

  test("come from pages that the search itself has scraped, too", async () => {
    first.answer = results(["Forge", page("/scraped", "Hammers are forged from iron in two pieces.")]);
    const { web } = await client().search("hammers forged", { scrapeOptions: { formats: ["markdown"] } });
    expect(told(web)[0]?.description).toContain("forged from iron");
  });

  test("are left out where nothing may be kept", async () => {
    const stored = page("/private", "Tongs are forged from wire.");
    await world.scrape({ url: stored });
    first.answer = results(["Forge", stored]);
    const { data } = await search({ query: "tongs forged", enterprise: ["zdr"] });
    expect(told(data.web)[0]?.description).toBe("About Forge");
  });
});

describe("F-73 an engine that fails", () => {
  const broken = (response: ServerResponse) => void response.writeHead(500).end();

  test("is followed by the next", async () => {
    first.answer = broken;
    const { data } = await search({ query: "anvil" });
    expect(data.web.map(({ title, url }) => [title, url])).toEqual([FALLBACK]);
  });

  test("fails the search where there is no other, which costs nothing", async () => {
    [first.answer, second.answer] = [broken, broken];
    const { status, code, error } = await search({ query: "anvil" });
    expect([status, code]).toEqual([500, "SEARCH_FAILED"]);
    expect(error).toBe(
      "No search engine answered. searxng answered with status 500. searxng answered with status 500.",
    );
    const usage = await world.get("/v2/team/credit-usage");
    expect(usage.status).toBe(200);
  });

  test("by silence ends with the time of the request", async () => {
    first.answer = () => undefined;
    const { status, code } = await search({ query: "anvil", timeout: 300 });
    expect([status, code]).toEqual([408, "SEARCH_TIMEOUT"]);
  });
});
