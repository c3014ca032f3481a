import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useSharedWorld } from "../../use-world.ts";

const world = useSharedWorld();
let runs: RunClient;
/** Of a batch with 23 documents. */
let path: string;

beforeAll(async () => {
  runs = new RunClient(world);
  const id = await runs.batch({ urls: somePages(23) });
  path = `/v2/batch/scrape/${id}`;
  await runs.endedBatch(id);
});

function somePages(count: number, text = ""): string[] {
  return Array.from({ length: count }, (_, index) =>
    world.site.page(
      `/p/${text.length}/${index}`,
      htmlPage(`<main><h1>Page ${index}</h1><p>${text}</p></main>`),
    ),
  );
}

describe("F-16 paging: pages and their end", () => {
  test("five pages, linked, none twice", async () => {
    const seen: string[] = [];
    const links: string[] = [];
    for (let next: string | undefined = `${path}?limit=5`; next !== undefined;) {
      const { body } = await runs.ask(`GET ${next}`);
      seen.push(...body.data.map(({ metadata }) => metadata.sourceURL));
      if ("next" in body) links.push(body.next);
      ({ next } = body);
    }
    expect(links).toEqual([5, 10, 15, 20].map((skip) => `${world.baseUrl}${path}?skip=${skip}&limit=5`));
    expect([seen.length, new Set(seen).size]).toEqual([23, 23]);
  });

  test("the same page twice is the same", async () => {
    const [one, other] = [await runs.ask(`GET ${path}?skip=3`), await runs.ask(`GET ${path}?skip=3`)];
    expect(one.body.data).toEqual(other.body.data);
    expect(one.body.data).toHaveLength(20);
  });

  test("beyond the end there is nothing", async () => {
    const { body } = await runs.ask(`GET ${path}?skip=23`);
    expect(body.data).toEqual([]);
    expect(body).not.toHaveProperty("next");
  });

  test("the JavaScript client follows, as far as it is allowed", async () => {
    const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
    const id = path.split("/").at(-1) ?? "";
    expect((await client.getBatchScrapeStatus(id)).data).toHaveLength(23);
    expect((await client.getBatchScrapeStatus(id, { autoPaginate: false })).data).toHaveLength(23);
  });
});

describe("F-17 paging: default page 100 and 10 MiB", () => {
  test("105 documents are 100 and 5", async () => {
    const id = await runs.batch({ urls: somePages(105, "long") });
    const { data, next } = await runs.endedBatch(id);
    expect([data.length, next]).toEqual([100, `${world.baseUrl}/v2/batch/scrape/${id}?skip=100`]);
    expect((await runs.ask(`GET ${next}`)).body.data).toHaveLength(5);
  });

  test("large documents make shorter pages", async () => {
    const urls = somePages(30, "word ".repeat(140_000));
    const id = await runs.batch({ urls, formats: ["rawHtml"] });
    await runs.endedBatch(id);
    const { body, text } = await runs.ask(`GET /v2/batch/scrape/${id}`);
    expect(body.data.length).toBeLessThan(30);
    expect(text.length).toBeLessThan(10 * 1024 * 1024 + 10_000);
    expect(await runs.all(`/v2/batch/scrape/${id}`)).toHaveLength(30);
  });
});

test.each([
  ["skip=1x", "skip must be a non-negative integer without trailing characters"],
  ["skip=-1", "skip must be a non-negative integer without trailing characters"],
  ["skip=9007199254740993", "skip must be a non-negative integer without trailing characters"],
  ["limit=0", "limit must be an integer between 1 and 1000"],
  ["limit=1001", "limit must be an integer between 1 and 1000"],
  ["limit=x", "limit must be a positive integer without trailing characters"],
  ["skip=1&skip=2", "skip must be a single value, not an array"],
  ["limit=1&limit=2", "limit must be a single value, not an array"],
])("F-18 paging: bad numbers: %s", async (query, problem) => {
  const { status, body } = await runs.ask(`GET ${path}?${query}`);
  expect([status, body.error]).toEqual([400, `Invalid pagination: ${problem}`]);
});

test("F-19 paging: no spin on a running job", async () => {
  const hanging = world.site.page("/hanging", () => undefined);
  const id = await runs.batch({ urls: [...somePages(2), hanging] });
  const of = `/v2/batch/scrape/${id}`;
  await expect.poll(async () => (await runs.ask(`GET ${of}`)).body.completed).toBe(2);
  const { body } = await runs.ask(`GET ${of}?limit=1&skip=1`);
  expect(body.data).toHaveLength(1);
  expect(body).not.toHaveProperty("next");
  await runs.ask(`DELETE ${of}`);
});
