import { Firecrawl, FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";

import { expectDeclared } from "../declared.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

const MAP = { ignoreSitemap: true, useIndex: false };

let world: World;
let client: Firecrawl["v1"];
let url: string;

beforeAll(async () => {
  // The watchers of version 1 take it from the platform, which has it from Node 22 on.
  vi.stubGlobal("WebSocket", WebSocket);
  world = await openWorld();
  client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-anything" }).v1;
  url = world.site.page(
    "/shop",
    htmlPage(
      "<main><h1>Anvil</h1><p>A heavy thing for smiths.</p><a href=/more>more</a></main>",
      "<title>Anvil</title>",
    ),
  );
  world.site.page("/more", htmlPage("<h1>More</h1>"));
});

afterAll(() => vi.unstubAllGlobals());

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(line: string, body?: unknown): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(world.baseUrl + path, init);
  const { status } = response;
  const answer = (await response.json()) as Answered["body"];
  expectDeclared({ method, path, status, body: answer });
  return { status, body: answer };
}

describe("F-93 the JavaScript client of version 1", () => {
  test("scrapes", async () => {
    const document = await client.scrapeUrl(url, { formats: ["markdown", "links"] });
    expect(document).toMatchObject({
      success: true,
      markdown: expect.stringContaining("# Anvil") as string,
      links: [world.site.url("/more")],
      metadata: { title: "Anvil", statusCode: 200 },
    });
  });

  test("gets pages anew unless it says otherwise", async () => {
    const page = world.site.page("/anew", htmlPage("<h1>Anew</h1>"));
    await client.scrapeUrl(page, { formats: ["markdown"] });
    await client.scrapeUrl(page, { formats: ["markdown"] });
    expect(world.site.hits("/anew")).toHaveLength(2);
    await client.scrapeUrl(page, { formats: ["markdown"], maxAge: 60_000 });
    expect(world.site.hits("/anew")).toHaveLength(2);
  });

  test("extracts by a schema, under both names", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const json = await client.scrapeUrl(url, { formats: ["json"], jsonOptions: { schema } } as never);
    expect(json).toMatchObject({ success: true, json: { title: "Anvil" } });
    const extract = await client.scrapeUrl(url, { formats: ["extract"], extract: { schema } } as never);
    expect(extract).toMatchObject({ success: true, extract: { title: "Anvil" } });
    expect(extract).not.toHaveProperty("json");
  });

  test("extracts from several pages", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const answer = await client.extract([url], {
      schema,
      showSources: true,
      agent: { model: "FIRE-1" },
    } as never);
    expect(answer).toMatchObject({ success: true, data: { title: "Anvil" }, sources: { title: [url] } });
    const started = (await client.asyncExtract([url], { schema } as never)) as unknown as {
      readonly id: string;
    };
    await expect
      .poll(() => client.getExtractStatus(started.id), { timeout: 20_000 })
      .toMatchObject({ success: true, status: "completed", data: { title: "Anvil" } });
    const { status, body } = await ask("POST /v1/extract", { urls: [url, "nonsense"], schema });
    expect([status, body["details"]]).toMatchObject([400, [{ path: ["urls", 1] }]]);
  });

  test("maps to texts", async () => {
    const home = world.site.page("/", htmlPage("<a href=/shop>shop</a>"));
    const { links } = (await client.mapUrl(home, MAP)) as {
      links: readonly string[];
    };
    expect(links).toEqual([home, url]);
    expect(world.site.hits("/sitemap.xml")).toEqual([]);
  });

  test("is told what is wrong", async () => {
    await expect(client.scrapeUrl("http://127.0.0.1:9/", { formats: ["markdown"] })).rejects.toThrow(
      /SCRAPE_|engines failed/,
    );
  });

  test("asks about its team", async () => {
    const credits = await client.getCreditUsage();
    expect(credits).toMatchObject({
      success: true,
      data: { remaining_credits: expect.any(Number) as number },
    });
    expect(await client.getTokenUsage()).toMatchObject({
      data: { remaining_tokens: expect.any(Number) as number, plan_tokens: expect.any(Number) as number },
    });
    expect(await client.getCreditUsageHistorical(true)).toMatchObject({ success: true });
    expect(await client.getTokenUsageHistorical()).toMatchObject({ success: true });
    expect(await client.getQueueStatus()).toMatchObject({ jobsInQueue: 0 });
  });
  test("does without deep research and llms.txt, and is told what there is instead", async () => {
    const params = {} as never;
    const research = /status code 501.*Deep research is not served here\. Use POST \/v2\/search/;
    const texts = /status code 501.*llms\.txt is not made here\. Use POST \/v2\/map/;
    // Of what a GET answers the client tells the status only.
    const status = /Status code: 501/;
    const calls: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [() => client.deepResearch("anvils", params), research],
      [() => client.asyncDeepResearch("anvils", params), research],
      [() => client.checkDeepResearchStatus("0199"), status],
      [() => client.__deepResearch("anvils", params), research],
      [() => client.__asyncDeepResearch("anvils", params), research],
      [() => client.__checkDeepResearchStatus("0199"), status],
      [() => client.generateLLMsText(url, params), texts],
      [() => client.asyncGenerateLLMsText(url, params), texts],
      [() => client.checkGenerateLLMsTextStatus("0199"), status],
    ];
    for (const [call, sentence] of calls) await expect(call()).rejects.toThrow(sentence);
  });

  test.each([
    [
      "crawl",
      () => client.crawlUrlAndWatch(url, { limit: 2, ignoreSitemap: true, allowBackwardLinks: true }),
    ],
    [
      "batch",
      () => client.batchScrapeUrlsAndWatch([url, world.site.url("/more")], { formats: ["markdown"] }),
    ],
  ])("watches a %s until its end", async (_name, watch) => {
    const watcher = await watch();
    const titles: string[] = [];
    watcher.addEventListener("document", ({ detail }) => {
      titles.push(String((detail as { markdown?: string }).markdown?.split("\n")[0]));
    });
    const status = await new Promise((resolve, reject) => {
      watcher.addEventListener("done", ({ detail }) => resolve((detail as { status: string }).status));
      watcher.addEventListener("error", ({ detail }) => reject(new Error(JSON.stringify(detail))));
    });
    watcher.close();
    expect([status, titles.toSorted((a, b) => a.localeCompare(b))]).toEqual([
      "completed",
      ["# Anvil", "# More"],
    ]);
  });
});

describe("a scrape of version 1", () => {
  test.each([
    [{ formats: ["content"] }, { markdown: expect.stringContaining("# Anvil") as string }],
    [{ formats: ["markdown"], parsePDF: true, agent: { model: "x" }, geolocation: { country: "DE" } }, {}],
    [
      { formats: ["rawHtml"], timeout: 15_000, waitFor: 0, mobile: false, blockAds: true, proxy: "basic" },
      {},
    ],
    [{ origin: "test", integration: null }, {}],
  ])("takes %j", async (options, data) => {
    const { status, body } = await ask("POST /v1/scrape", { url, ...options });
    expect([status, body]).toMatchObject([200, { success: true, data }]);
    const { scrapeId } = (body["data"] as { metadata: { scrapeId: string } }).metadata;
    expect((await ask(`GET /v1/scrape/${scrapeId}`)).body).toMatchObject({ success: true, data });
  });

  test("leaves a PDF as it is where parsePDF is false", async () => {
    const { textPage, writePdf } = await import("../pdf-writer.ts");
    const pdf = world.site.page(
      "/a.pdf",
      (_request, response) =>
        void response
          .setHeader("content-type", "application/pdf")
          .end(writePdf({ pages: [textPage("Words")] })),
    );
    const { body } = await ask("POST /v1/scrape", { url: pdf, parsePDF: false });
    expect(Buffer.from((body["data"] as { markdown: string }).markdown, "base64").toString("latin1")).toMatch(
      /^%PDF/,
    );
  });

  test.each([
    [{ unknown: 1 }, "unrecognized_keys"],
    [{ domainTools: true }, "unrecognized_keys"],
    [{ formats: ["json"] }, "custom"],
    [{ formats: ["extract"] }, "custom"],
    [{ formats: ["json", "extract"], jsonOptions: { prompt: "x" }, extract: { prompt: "x" } }, "custom"],
    [{ formats: "markdown" }, "invalid_type"],
    [{ url: undefined }, "invalid_type"],
  ])("refuses %j", async (options, code) => {
    const { status, body } = await ask("POST /v1/scrape", { url, ...options });
    expect([status, body["details"]]).toMatchObject([400, [{ code }]]);
  });

  test("says that json and its old name are written with their options", async () => {
    const { body } = await ask("POST /v1/scrape", {
      url,
      formats: ["changeTracking", "markdown"],
      changeTrackingOptions: { modes: ["git-diff"] },
    });
    expect(body).toMatchObject({ data: { changeTracking: { changeStatus: "new" } } });
  });
});

test("changeTracking.diff is an object in version 1", async () => {
  const tracked = { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["git-diff"] } };
  const changing = world.site.page("/changing", htmlPage("<main><p>An anvil costs 10.</p></main>"));
  await client.scrapeUrl(changing, tracked as never);
  world.site.page("/changing", htmlPage("<main><p>An anvil costs 12.</p></main>"));
  const { changeTracking } = (await client.scrapeUrl(changing, tracked as never)) as {
    readonly changeTracking?: unknown;
  };
  expect(changeTracking).toMatchObject({
    changeStatus: "changed",
    diff: {
      text: expect.stringContaining("-An anvil costs 10."),
      json: {
        files: [
          { chunks: [{ changes: expect.arrayContaining([expect.objectContaining({ type: "add" })]) }] },
        ],
      },
    },
  });
});

describe("F-94, F-95 batches of version 1", () => {
  test("are started, followed, and asked for their errors without an end", async () => {
    const started = await client.asyncBatchScrapeUrls([url, world.site.url("/more")], {
      formats: ["markdown"],
    });
    const { id } = started as { readonly id: string };
    expect((started as { url: string }).url).toBe(`${world.baseUrl}/v1/batch/scrape/${id}`);
    const errors = await client.checkBatchScrapeErrors(id);
    expect(errors).toMatchObject({ errors: [], robotsBlocked: [] });
    const status = async () => ((await client.checkBatchScrapeStatus(id, true)) as { status: string }).status;
    await expect.poll(status, { timeout: 15_000 }).toBe("completed");
    const { data, next } = (await client.checkBatchScrapeStatus(id, true)) as {
      data: object[];
      next?: string;
    };
    expect([data.length, next]).toEqual([2, undefined]);
    const page = await ask(`GET /v1/batch/scrape/${id}?limit=1`);
    expect(page.body["next"]).toBe(`${world.baseUrl}/v1/batch/scrape/${id}?skip=1&limit=1`);
    const last = await ask(`GET /v1/batch/scrape/${id}?limit=1&skip=1`);
    expect(last.body).not.toHaveProperty("next");
  });

  test("refuse invalid URLs unless they are to be left out", async () => {
    const refused = await ask("POST /v1/batch/scrape", { urls: [url, "no url"] });
    expect([refused.status, refused.body["details"]]).toMatchObject([400, [{ path: ["urls", 1] }]]);
    const { status, body } = await ask("POST /v1/batch/scrape", {
      urls: [url, "no url"],
      ignoreInvalidURLs: true,
    });
    expect([status, body]).toMatchObject([200, { invalidURLs: ["no url"] }]);
  });

  test("have no format extract", async () => {
    const body = { urls: [url], formats: ["extract"], extract: { prompt: "x" } };
    expect(await ask("POST /v1/batch/scrape", body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("use the format json") as string },
    });
  });
});

describe("F-93, F-94, F-95 crawls of version 1", () => {
  const site = () => {
    world.site.page("/v1/", htmlPage("<h1>Start</h1><a href=/v1/a>a</a><a href=/v1/b/c/d>deep</a>"));
    world.site.page("/v1/a", htmlPage("<h1>A</h1>"));
    return world.site.page("/v1/b/c/d", htmlPage("<h1>Deep</h1>")).replace("b/c/d", "");
  };

  test("visit the pages of a site, no deeper than maxDepth", async () => {
    const crawl = await client.crawlUrl(site(), { limit: 10, maxDepth: 2, ignoreSitemap: true }, 1);
    const { status, data } = crawl as { status: string; data: readonly { markdown?: string }[] };
    expect([
      status,
      data.map(({ markdown }) => markdown?.split("\n")[0]).toSorted((a = "", b = "") => a.localeCompare(b)),
    ]).toEqual(["completed", ["# A", "# Start"]]);
  });

  test("are asked for their errors without an end, and cancelled", async () => {
    const hanging = world.site.page("/hanging", () => undefined);
    const { id, url: link } = (await client.asyncCrawlUrl(hanging, { limit: 5, ignoreSitemap: true })) as {
      id: string;
      url: string;
    };
    expect(link).toBe(`${world.baseUrl}/v1/crawl/${id}`);
    expect(await client.checkCrawlErrors(id)).toMatchObject({ errors: [] });
    expect(await client.checkCrawlStatus(id)).toMatchObject({ status: "scraping" });
    expect((await ask("GET /v1/crawl/active")).body).toMatchObject({ crawls: [{ id }] });
    expect(await client.cancelCrawl(id)).toMatchObject({ status: "cancelled" });
  });

  test("find batches, which the client follows there", async () => {
    const batch = await client.batchScrapeUrls([url], { formats: ["markdown"] }, 1);
    expect(batch).toMatchObject({ status: "completed", data: [{}] });
  });

  test("do not begin below their depth", async () => {
    const { status, body } = await ask("POST /v1/crawl", { url: "https://a.test/1/2/3", maxDepth: 2 });
    expect([status, body]).toMatchObject([
      400,
      { error: "URL depth exceeds the specified maxDepth", details: [{ path: ["url"] }] },
    ]);
  });
});

describe("V1=off", () => {
  test("leaves nothing of version 1, and everything of version 2", async () => {
    const other = await openWorld({ V1: "off" });
    try {
      const page = other.site.page("/page", htmlPage("<h1>Page</h1>"));
      const response = await fetch(`${other.baseUrl}/v1/scrape`, {
        method: "POST",
        body: JSON.stringify({ url: page }),
      });
      expect([response.status, await response.json()]).toEqual([
        404,
        { success: false, error: expect.stringContaining("Use version 2") as string },
      ]);
      const client2 = new FirecrawlClient({ apiUrl: other.baseUrl, apiKey: "fc-anything" });
      expect((await client2.scrape(page)).markdown).toBe("# Page");
      const reference = (await (await fetch(`${other.baseUrl}/openapi.json`)).json()) as { paths: object };
      expect(Object.keys(reference.paths).filter((path) => path.startsWith("/v1/"))).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
