import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { expectDeclared } from "../declared.ts";
import { makeTeam, operate, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import type { World } from "../world.ts";

const OWN_PAGES_ONLY = "Search covers only pages stored by this instance; set SEARCH_URL to search the web.";

const world = useSharedWorld("keyed");
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world);
  const pages = {
    "/anvil": ["How anvils are made", "Smiths pour molten steel into a mould, and let it cool for a week."],
    "/horse": ["Horseshoes", "A smith bends the iron on an anvil until it fits the hoof."],
    "/über": ["Über Käse", "Der Käse reift drei Monate in einem kühlen Keller in Zürich."],
    "/茶": ["京都の茶", "宇治の茶畑では春に新茶を摘みます。"],
  };
  for (const [path, [title = "", text = ""]] of Object.entries(pages)) {
    const page = htmlPage(`<main><h1>${title}</h1><p>${text}</p></main>`, `<title>${title}</title>`);
    await team.scrape({ url: world.site.page(encodeURI(path), page) });
  }
});

interface Result {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly position: number;
  readonly category?: string;
  readonly markdown?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Found {
  readonly status: number;
  readonly body: {
    readonly data: { readonly web?: readonly Result[]; readonly news?: object[]; readonly tools?: object[] };
    readonly warning?: string;
    readonly id: string;
    readonly creditsUsed: number;
    readonly error: string;
    readonly code?: string;
    readonly details: readonly { readonly path: readonly unknown[]; readonly code: string }[];
  };
}

async function search(
  body: object,
  who: TestTeam = team,
  on: World = world,
  path = "/v2/search",
): Promise<Found> {
  const init = { method: "POST", headers: who.headers, body: JSON.stringify(body) };
  const response = await fetch(on.baseUrl + path, init);
  const { status } = response;
  const answer = (await response.json()) as Found["body"];
  expectDeclared({ method: "POST", path, status, body: answer });
  return { status, body: answer };
}

const titlesOf = ({ body }: Found) => body.data.web?.map(({ title }) => title);

describe("F-68 without an engine", () => {
  test("the JavaScript client finds stored pages", async () => {
    const apiKey = team.headers.authorization.slice("Bearer ".length);
    const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey });
    const { web } = await client.search("molten steel");
    expect(web).toMatchObject([{ url: world.site.url("/anvil"), title: "How anvils are made", position: 1 }]);
  });

  test("tells what it costs, and what it is", async () => {
    const { status, body } = await search({ query: "anvils" });
    expect([status, body]).toMatchObject([200, { warning: OWN_PAGES_ONLY, creditsUsed: 2 }]);
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.data.web?.map(({ position }) => position)).toEqual([1, 2]);
  });

  test("costs nothing where nothing is found", async () => {
    const { body } = await search({ query: "xylophone" });
    expect(body).toMatchObject({ data: { web: [] }, creditsUsed: 0, warning: OWN_PAGES_ONLY });
  });

  test.each([
    ["anvil", "How anvils are made"],
    ["ANVIL mould", "How anvils are made"],
    ["horseshoe", "Horseshoes"],
    ["kase zurich", "Über Käse"],
    ["新茶", "京都の茶"],
    ["smith hoof nothing-else-has-this", "Horseshoes"],
  ])("puts the right page first: %s", async (query, title) => {
    expect(titlesOf(await search({ query }))?.[0]).toBe(title);
  });

  test("shows the line that matters", async () => {
    const { body } = await search({ query: "molten steel" });
    expect(body.data.web?.[0]?.description).toContain("Smiths pour molten steel into a mould");
  });

  test.each([
    '"',
    "* OR *",
    "NEAR(a b)",
    "title: {x}",
    "anvil AND NOT",
    "a:b^2 -c +d",
    "()",
    "x".repeat(500),
    "'; DROP",
  ])("takes signs of its language as text: %s", async (query) => {
    expect((await search({ query })).status).toBe(200);
  });

  test("searches what the team has seen, and nothing else", async () => {
    const other = await makeTeam(world);
    expect(titlesOf(await search({ query: "anvil" }, other))).toEqual([]);
    const private1 = await makeTeam(world, { flags: { zeroDataRetention: "allowed" } });
    await private1.scrape({ url: world.site.url("/anvil"), zeroDataRetention: true });
    expect(titlesOf(await search({ query: "anvil" }, private1))).toEqual([]);
    await other.scrape({ url: world.site.url("/anvil") });
    expect(titlesOf(await search({ query: "anvil" }, other))).toEqual([]);
    await other.scrape({ url: world.site.url("/anvil"), maxAge: 0 });
    expect(titlesOf(await search({ query: "anvil" }, other))).toEqual(["How anvils are made"]);
  });

  test("keeps the newest copy, and none that was removed", async () => {
    const who = await makeTeam(world);
    const page = (text: string) =>
      htmlPage(`<main><h1>${text}</h1><p>Words about ${text}.</p></main>`, `<title>${text}</title>`);
    const url = world.site.page("/changing", page("Larch"));
    await who.scrape({ url });
    world.site.page("/changing", page("Birch"));
    await who.scrape({ url, maxAge: 0 });
    expect(titlesOf(await search({ query: "larch" }, who))).toEqual([]);
    expect(titlesOf(await search({ query: "birch" }, who))).toEqual(["Birch"]);
    const { data } = (await operate(world, "GET cache?host=127.0.0.1")).body;
    for (const { id, url: stored } of data)
      if (String(stored).endsWith("/changing")) await operate(world, `DELETE cache/${String(id)}`);
    expect(titlesOf(await search({ query: "birch" }, who))).toEqual([]);
    await operate(world, `DELETE teams/${who.teamId}`);
  });

  test("narrows to hosts and categories, and says what it cannot follow", async () => {
    expect(titlesOf(await search({ query: "anvil", includeDomains: ["example.com"] }))).toEqual([]);
    expect(titlesOf(await search({ query: "anvil", excludeDomains: ["example.com"] }))).toHaveLength(2);
    expect(titlesOf(await search({ query: "anvil", categories: ["github"] }))).toEqual([]);
    const { body } = await search({
      query: "anvil",
      safe: true,
      location: "Berlin",
      sources: ["web", "news"],
    });
    expect(body.warning).toBe(
      `${OWN_PAGES_ONLY} The search of stored pages cannot follow location, safe, and sources.`,
    );
    expect(body.data.news).toEqual([]);
  });
});

describe("A78, F-69 bad bodies", () => {
  test.each([
    [{}, "Bad Request: query is missing"],
    [{ query: "" }, "Bad Request: query must not be empty"],
    [{ query: "  " }, "Bad Request: query must not be empty"],
    [{ query: "x".repeat(501) }, "Bad Request: query must have at most 500 characters"],
    [{ query: "a", limit: 0 }, "Bad Request: limit must be at least 1"],
    [{ query: "a", limit: 101 }, "Bad Request: limit must be at most 100"],
    [{ query: "a", limit: "5" }, "Bad Request: limit must be a number"],
    [
      { query: "a", sources: ["x"] },
      "Bad Request: sources[0] must be one of web, images, news, alexandria or an object",
    ],
    [{ query: "a", timeout: 300_001 }, "Bad Request: timeout must be at most 300000"],
    [
      { query: "a", includeDomains: ["a.test"], excludeDomains: ["b.test"] },
      "includeDomains and excludeDomains cannot both be specified",
    ],
    [
      { query: "a", includeDomains: ["https://a.test/x"] },
      "Domain must be a valid hostname without protocol or path",
    ],
    [
      { query: "a", categories: ["developer", "pdf"] },
      "the developer category cannot be combined with other categories",
    ],
    [
      { query: "a", unknown: 1 },
      "Unrecognized key in body -- please review the v2 API documentation for request body changes",
    ],
    [
      { query: "a", zeroDataRetention: true },
      "Unrecognized key in body -- please review the v2 API documentation for request body changes",
    ],
    [
      { query: "a", scrapeOptions: { formats: ["markdown", "changeTracking"] } },
      "The format changeTracking is not supported here.",
    ],
    [{ query: "a", scrapeOptions: { lockdown: true } }, "lockdown is not supported here."],
    [{ query: "", sources: ["alexandria"] }, "A query is required for tool search."],
  ])("are refused: %j", async (body, message) => {
    const answer = await search(body);
    expect([answer.status, answer.body.error]).toEqual([400, "Invalid request body"]);
    expect(answer.body).toMatchObject({ details: [{ message }] });
  });
});

test.each([
  [{ sources: ["web", { type: "news" }, "images"] }],
  [{ sources: [{ type: "web", tbs: "qdr:d", location: "Germany" }] }],
  [{ categories: ["github", { type: "pdf" }] }],
  [{ categories: ["developer"] }],
  [{ tbs: "", location: "", country: "US", lang: "en", safe: true, highlights: true, asyncScraping: true }],
  [{ scrapeOptions: { formats: [] } }],
  [{ scrapeOptions: {} }],
  [{ enterprise: ["default"], ignoreInvalidURLs: true, timeout: 60_000, filter: "x" }],
  [{ origin: "mcp", integration: null, toolDetail: "compact", domainTools: false }],
])("F-70 what clients send is taken: %j", async (options) => {
  expect((await search({ query: "anvil", limit: 5, ...options })).status).toBe(200);
});

describe("F-70 tools", () => {
  const body = {
    query: "weather",
    sources: [{ type: "web" }, { type: "alexandria" }],
    toolDetail: "compact",
  };

  test("are found where the team may use them", async () => {
    const who = await makeTeam(world, { flags: { providerTools: true } });
    const found = await search({ ...body, domainTools: true }, who);
    expect(found.status).toBe(200);
    expect(found.body.data.tools?.length).toBeGreaterThan(0);
  });

  test("are refused with words that clients know", async () => {
    const who = await makeTeam(world, { flags: { providerTools: false } });
    const refused = await search(body, who);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      "This endpoint is not enabled for this team.",
    ]);
    const forced = await makeTeam(world, { flags: { zeroDataRetention: "forced" } });
    const error = "Provider discovery requires access and does not support zero data retention.";
    expect([(await search(body, forced)).status, (await search(body, forced)).body.error]).toEqual([
      403,
      error,
    ]);
  });
});

describe("F-71 with pages", () => {
  test("results carry their documents", async () => {
    const before = await team.remaining();
    const scrapeOptions = { formats: ["markdown"], maxAge: 100_000 };
    const { body } = await search({ query: "molten steel", scrapeOptions });
    expect(body.data.web?.[0]).toMatchObject({
      title: "How anvils are made",
      markdown: expect.stringContaining("# How anvils are made") as string,
      metadata: { statusCode: 200, creditsUsed: 1 },
    });
    expect(body.creditsUsed).toBe(3);
    expect(before - (await team.remaining())).toBe(3);
  });

  test("a page that fails keeps its result", async () => {
    const who = await makeTeam(world);
    const url = world.site.page("/failing", htmlPage("<main><h1>Failing</h1><p>Words.</p></main>"));
    await who.scrape({ url });
    world.site.page("/failing", (request) => void request.socket.destroy());
    const { body } = await search(
      { query: "failing words", scrapeOptions: { formats: ["markdown"], maxAge: 0 } },
      who,
    );
    expect(body.data.web?.[0]).toMatchObject({
      url,
      metadata: { sourceURL: url, error: expect.any(String) as string },
    });
    expect(body.data.web?.[0]).not.toHaveProperty("markdown");
    expect(body.creditsUsed).toBe(2);
  });
});

test("F-93 version 1 answers with one list", async () => {
  const { status, body } = await search(
    { query: "anvil", lang: "en", country: "us", scrapeOptions: { formats: [] } },
    team,
    world,
    "/v1/search",
  );
  const list = (body as unknown as { data: readonly Result[] }).data;
  expect([status, list.map(({ title }) => title)]).toEqual([200, ["How anvils are made", "Horseshoes"]]);
});
