import { Firecrawl } from "firecrawl";
import { beforeAll, expect, test } from "vitest";

import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { openCrawlSite } from "./crawls.ts";
import { RunClient } from "./runs.ts";
import { htmlPage, type Site } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";
import { openWorld, type World } from "./world.ts";

const world = useSharedWorld();
let site: Site;
let runs: RunClient;
let crawlId: string;
let visits = 0;
/** A service with a language model, and a crawl there. */
let modelWorld: World;
let byModel: RunClient;
let modelCrawlId: string;
let model: ModelDouble;

const page = (name: string, price: number) =>
  htmlPage(`<main><h1>${name}</h1><p class="price">${price} euros</p><a href="/b">b</a></main>`);

beforeAll(async () => {
  const counted =
    (name: string, price: number) => (_request: unknown, response: { end(text: string): void }) => {
      visits += 1;
      response.end(page(name, price));
    };
  site = await openCrawlSite({ "/": counted("Lantern", 12), "/b": counted("Crane", 340) });
  runs = new RunClient(world);
  const { body } = await runs.ask("POST /v2/crawl", { url: site.url("/") });
  crawlId = body.id;
  await runs.ended(`/v2/crawl/${crawlId}`);
  model = await startModelDouble("openai", [{ say: { text: '{"currency":"euros"}' } }]);
  modelWorld = await openWorld({ LLM_BASE_URL: model.url, LLM_MODEL: "double" });
  byModel = new RunClient(modelWorld);
  const { body: crawl } = await byModel.ask("POST /v2/crawl", { url: site.url("/") });
  modelCrawlId = crawl.id;
  await byModel.ended(`/v2/crawl/${modelCrawlId}`);
});

interface Chunk {
  readonly headings: readonly string[];
  readonly span: readonly [number, number];
}

const schema = { type: "object", properties: { price: { type: "string", "x-selector": ".price" } } };

test("A93 a batch asks the stored pages of a crawl again: nothing is fetched, and only formats are charged", async () => {
  const before = visits;
  const id = await runs.batch({ source: { crawlId }, formats: ["markdown", { type: "json", schema }] });
  const { data, creditsUsed } = await runs.ended(`/v2/batch/scrape/${id}`);
  const told = data as unknown as readonly {
    json: { price: string };
    metadata: { url: string; cacheState: string };
  }[];
  expect(
    told.map(({ json, metadata }) => [metadata.url, json.price, metadata.cacheState].join(" ")).toSorted(),
  ).toEqual([`${site.url("/")} 12 euros hit`, `${site.url("/b")} 340 euros hit`]);
  expect([visits - before, creditsUsed]).toEqual([0, 0]);
  const again = await runs.batch({ source: { batchId: id }, formats: ["chunks"] });
  expect((await runs.ended(`/v2/batch/scrape/${again}`)).completed).toBe(2);
});

test.each([
  ["/v2/extract", { schema }, 0],
  [
    "/v2/extract",
    { schema: { ...schema, properties: { currency: { type: "string" } } }, prompt: "The currency" },
    8,
  ],
  ["/v1/extract", { schema }, 0],
  [
    "/v1/extract",
    { schema: { ...schema, properties: { currency: { type: "string" } } }, prompt: "The currency" },
    8,
  ],
])(
  "%s of a source with %j is paid as extraction alone, with %i credits for two pages",
  async (path, asked, price) => {
    const { body } = await byModel.ask(`POST ${path}`, { source: { crawlId: modelCrawlId }, ...asked });
    const state = async () => (await byModel.ask(`GET ${path}/${body.id}`)).body;
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: "completed", creditsUsed: price });
  },
);

test("A93 a search looks in the pages of a crawl alone, and asks no engine", async () => {
  await world.scrape({ url: world.site.page("/elsewhere", page("Kettle", 5)) });
  const before = visits;
  const { body } = await runs.ask("POST /v2/search", { query: "euros", source: { crawlId } });
  const { web } = body.data as unknown as { web: readonly { url: string; description: string }[] };
  expect(web.map(({ url }) => url).toSorted()).toEqual([site.url("/"), site.url("/b")]);
  expect(web[0]?.description).toMatch(/\d+ euros/);
  expect([body.warning, body.creditsUsed, visits - before]).toEqual([undefined, 2, 0]);
  const unknown = { crawlId: "0190a7d5-1c2b-7a3e-8f4d-0123456789ab" };
  expect((await runs.ask("POST /v2/search", { query: "euros", source: unknown })).status).toBe(404);
});

test("an extract takes values from the stored pages of a crawl", async () => {
  const before = visits;
  const endOf = async (more: object) => {
    const order = { source: { crawlId }, schema, showSources: true, ...more };
    const { body } = await runs.ask("POST /v2/extract", order);
    const state = async () => (await runs.ask(`GET /v2/extract/${body.id}`)).body;
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: "completed" });
    return state();
  };
  expect(await endOf({})).toMatchObject({ data: { price: "12 euros" }, sources: { price: [site.url("/")] } });
  const warning = expect.stringContaining("2 documents, of which 1 are read") as string;
  expect(await endOf({ limit: 1 })).toMatchObject({ warning });
  expect(visits - before).toBe(0);
});

test("pages that are not stored any more are named", async () => {
  const url = site.url("/b");
  const id = await runs.batch({ urls: [url], maxAge: 0, storeInCache: false });
  await runs.ended(`/v2/batch/scrape/${id}`);
  const { body: extract } = await runs.ask("POST /v2/extract", { source: { batchId: id }, schema });
  await expect
    .poll(async () => (await runs.ask(`GET /v2/extract/${extract.id}`)).body, { timeout: 20_000 })
    .toMatchObject({ status: "failed", error: expect.stringContaining(url) as string });
  const again = await runs.batch({ source: { batchId: id }, formats: ["links"] });
  expect(await runs.ended(`/v2/batch/scrape/${again}`)).toMatchObject({ status: "completed", completed: 0 });
  const { body } = await runs.ask(`GET /v2/batch/scrape/${again}/errors`);
  expect(body.errors).toMatchObject([{ url, code: "SCRAPE_NO_CACHED_DATA" }]);
});

test("the official client reads stored pages again, in chunks", async () => {
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const before = visits;
  const options = { source: { crawlId }, urls: undefined, formats: [{ type: "chunks", maxTokens: 64 }] };
  // The client wants an address, and sends the options over it.
  const { id } = await client.startBatchScrape([site.url("/")], { options: options as never });
  await runs.ended(`/v2/batch/scrape/${id}`);
  const { data } = await client.getBatchScrapeStatus(id);
  const chunks = data.map((document) => (document as unknown as { chunks: readonly Chunk[] }).chunks);
  expect(chunks.flat().map(({ headings, span: [start] }) => [headings, start])).toEqual(
    expect.arrayContaining([
      [["Lantern"], 0],
      [["Crane"], 0],
    ]),
  );
  expect([data.length, visits - before]).toEqual([2, 0]);
});

test.each([
  [400, { urls: ["http://a.test/"] }],
  [400, { headers: { a: "b" } }],
  [400, { actions: [{ type: "wait", milliseconds: 1 }] }],
  [404, { source: { crawlId: "0190a7d5-1c2b-7a3e-8f4d-0123456789ab" } }],
  [400, { source: { crawlId: "no" } }],
  [400, { source: undefined }],
])("a batch is %i with a source and %j", async (status, more) => {
  const { status: answered } = await runs.ask("POST /v2/batch/scrape", { source: { crawlId }, ...more });
  expect(answered).toBe(status);
});

test.each([
  { urls: ["http://a.test/"] },
  { enableWebSearch: true, prompt: "a" },
  { scrapeOptions: { waitFor: 1 } },
])("an extract is refused with a source and %j", async (more) => {
  const answer = await runs.ask("POST /v2/extract", { source: { crawlId }, schema, ...more });
  expect(answer.status).toBe(400);
});

test("a job that runs is no source yet", async () => {
  const url = site.page("/hanging", () => undefined);
  const id = await runs.batch({ urls: [url] });
  const { status } = await runs.ask("POST /v2/batch/scrape", { source: { batchId: id } });
  const search = await runs.ask("POST /v2/search", { query: "a", source: { batchId: id } });
  expect([status, search.status]).toEqual([409, 409]);
  await runs.ask(`DELETE /v2/batch/scrape/${id}`);
});
