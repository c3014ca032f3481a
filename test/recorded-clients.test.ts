import { beforeAll, describe, expect, test } from "vitest";

import { recordedRequests } from "./recorded-requests.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";
import type { Answer } from "./world.ts";

/** A page of the operator's own machine. */
const APP = "http://localhost:5173";

const world = useWorld();
let url: string;

beforeAll(async () => {
  url = world.site.page("/page", htmlPage("<main><h1>Hello</h1><p>One paragraph of text.</p></main>"));
});

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(world.baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

describe.each([
  ["the command line's scrape", { formats: ["markdown"], integration: "cli", onlyMainContent: true }],
  [
    "the command line's scrape with tags",
    { formats: ["markdown", "links"], integration: "cli", includeTags: ["h1"] },
  ],
  [
    "the MCP server's scrape",
    {
      formats: ["markdown"],
      parsers: ["pdf"],
      onlyMainContent: true,
      proxy: "stealth",
      origin: "mcp-fastmcp",
    },
  ],
  [
    "the MCP server's scrape with options",
    { formats: ["rawHtml"], parsers: [{ type: "pdf", maxPages: 3 }], maxAge: 0, origin: "mcp-fastmcp" },
  ],
  [
    "empty lists",
    { formats: [], includeTags: [], excludeTags: [], location: { languages: [] }, actions: [] },
  ],
  ["a lower-case country", { location: { country: "de", languages: ["de"] } }],
  ["a chat front end's short timeout", { formats: ["markdown", "rawHtml"], timeout: 7500 }],
  ["a workflow tool's labels", { formats: ["markdown"], integration: "n8n", origin: "n8n" }],
  ["the MCP server's question", { formats: [{ type: "query", prompt: "What is it?" }] }],
  ["the command line's summary", { formats: ["summary"] }],
  ["cleaned Markdown", { onlyCleanContent: true }],
  ["json in one word", { formats: ["json"] }],
  [
    "json for a prompt and a schema",
    { formats: [{ type: "json", prompt: "x", schema: { type: "object" } }] },
  ],
  ["changes as json", { formats: ["markdown", { type: "changeTracking", modes: ["json"] }] }],
  ["a look for prompt injections", { checkPromptInjection: true, formats: ["summary"] }],
  ["tools switched off", { domainTools: false, toolDetail: "summary", zeroDataRetention: false }],
])("%s", (_client, options) => {
  test("is answered", async () => {
    const { status, body } = await post("/v2/scrape", { url, ...options }, { "x-origin": "mcp-fastmcp" });
    expect(status).toBe(200);
    expect(body.success).toBe(true);
    expect(body.data.metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("base URLs as people configure them", () => {
  test.each([
    "/v2/scrape",
    "/scrape",
    "/v2/v2/scrape",
    "//v2/scrape",
    "/v2//scrape",
    "//v2//v2/scrape",
    "/v2/scrape/",
  ])("POST %s scrapes", async (path) => {
    const { status, body } = await post(path, { url });
    expect(status).toBe(200);
    expect(body.data.markdown).toContain("# Hello");
  });

  test.each([
    "/team/credit-usage",
    "/v2/team/credit-usage",
    "/v2/v2/team/credit-usage",
    "//team/credit-usage",
    "/v2/team/credit-usage/?x=1",
  ])("GET %s tells the credits", async (path) => {
    const { status, body } = await world.get(path);
    expect(status).toBe(200);
    expect(body.data).toHaveProperty("remainingCredits");
  });

  test.each(["/v0/scrape", "/v2/nothing", "/exchange/discover"])("POST %s is not there", async (path) => {
    const { status, body } = await post(path, { url });
    expect(status).toBe(404);
    expect(body).toEqual({ success: false, error: expect.stringMatching(/^Not Found(?:: .*\/v2\/.*)?$/) });
  });

  test("another method is not there either", async () => {
    const response = await fetch(`${world.baseUrl}/v2/scrape`, { method: "PUT", body: "{}" });
    expect(response.status).toBe(404);
  });
});

describe("content types", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "application/x-www-form-urlencoded",
  ])("%j is read as JSON", async (contentType) => {
    const { status } = await world.scrape({ url }, { "content-type": contentType });
    expect(status).toBe(200);
  });
});

test.each(["", "json", "a/b/c"])("the malformed content type %j is a bad request", async (contentType) => {
  const { status, body } = await world.scrape({ url }, { "content-type": contentType });
  expect(status).toBe(400);
  expect(body.code).toBe("BAD_REQUEST");
});

describe("headers of answers", () => {
  test("tell the type, the time taken, and open the door to browsers", async () => {
    const { headers } = await world.scrape({ url }, { origin: APP });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-response-time")).toMatch(/^\d+ms$/);
    expect(headers.get("access-control-allow-origin")).toBe(APP);
  });

  test.each(["/v2/nothing", "/healthz", "/v2/scrape/x"])("are on %s, too", async (path) => {
    const { headers } = await fetch(world.baseUrl + path, { headers: { origin: APP } });
    expect(headers.get("x-response-time")).toMatch(/^\d+ms$/);
    expect(headers.get("access-control-allow-origin")).toBe(APP);
  });

  test.each(["/v2/scrape", "/v2/team/credit-usage", "/anything"])(
    "answer a preflight of %s",
    async (path) => {
      const response = await fetch(world.baseUrl + path, {
        method: "OPTIONS",
        headers: {
          origin: APP,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,x-request-id,x-idempotency-key,content-type",
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("access-control-allow-origin")).toBe(APP);
      expect(response.headers.get("access-control-allow-methods")).toContain("POST");
      for (const name of ["authorization", "x-request-id", "x-idempotency-key", "content-type"]) {
        expect(response.headers.get("access-control-allow-headers")).toContain(name);
      }
    },
  );
});

describe("activity", () => {
  test("lists scrapes newest first, page by page", async () => {
    await post("/v2/scrape", { url: `${url}?1` });
    await post("/v2/scrape", { url: `${url}?2` });
    const first = (await world.get("/v2/team/activity?limit=1")).body as unknown as ActivityBody;
    expect(first).toMatchObject({ success: true, has_more: true });
    expect(first.data).toEqual([
      {
        id: expect.any(String) as string,
        endpoint: "scrape",
        api_version: "v2",
        created_at: expect.any(String) as string,
        target: `${url}?2`,
      },
    ]);
    const second = (await world.get(`/v2/team/activity?limit=1&cursor=${first.cursor}`))
      .body as unknown as ActivityBody;
    expect(second.data[0]?.target).toBe(`${url}?1`);
  });

  test("names every kind of request, and is asked for one", async () => {
    await post("/v2/map", { url, sitemap: "skip" });
    await post("/v2/search", { query: "anvils" });
    await post("/v2/crawl", { url, limit: 1, sitemap: "skip" });
    await post("/v2/batch/scrape", { urls: [`${url}?batch`] });
    const listed = async (query = "") =>
      ((await world.get(`/v2/team/activity?limit=100${query}`)).body as unknown as ActivityBody).data;
    // Documents of jobs tell what a batch is about.
    await expect
      .poll(async () => (await listed("&endpoint=batch_scrape")).map(({ target }) => target))
      .toEqual([`${url}?batch`]);
    for (const [endpoint, target] of [
      ["map", url],
      ["search", "anvils"],
      ["crawl", url],
    ] as const)
      expect(await listed(`&endpoint=${endpoint}`)).toMatchObject([{ endpoint, target }]);
    const endpoints = new Set((await listed()).map(({ endpoint }) => endpoint));
    expect([...endpoints].toSorted((a, b) => a.localeCompare(b))).toEqual([
      "batch_scrape",
      "crawl",
      "map",
      "scrape",
      "search",
    ]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "endpoint=fly"])("with %s is refused", async (query) => {
    const { status, body } = await world.get(`/v2/team/activity?${query}`);
    expect(status).toBe(400);
    expect(body.code).toBe("BAD_REQUEST");
  });
});

interface ActivityBody {
  readonly data: readonly { readonly endpoint: string; readonly target: string }[];
  readonly cursor: string;
}

describe("applications", () => {
  beforeAll(async () => {
    const words = "<p>The harbour of Elmstad was opened in 1874. It has three piers.</p>";
    const head = '<title>Harbour</title><meta name="description" content="A harbour">';
    const links = '<a href="/harbour/a">One</a>';
    world.site.page("/harbour/a", htmlPage("<main><h1>Pier</h1><p>A pier of stone.</p></main>"));
    const harbour = world.site.page(
      "/harbour/",
      htmlPage(`<main><h1>Harbour</h1>${words}${links}</main>`, head),
    );
    await post("/v2/scrape", { url: harbour });
  });

  /** What a job says at its end. */
  async function ended(path: string): Promise<unknown> {
    for (;;) {
      const body = (await world.get(path)).body as unknown as { readonly status: string };
      if (!["scraping", "processing"].includes(body.status)) return body;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  test.each(recordedRequests)("$client: $line", async ({ line, body, headers, reads, follows }) => {
    const at = (path: string) => world.site.url(path);
    const path = line.replace("POST ", "");
    const answer = await post(path, body(at), { authorization: "Bearer fc-any", ...headers });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const { id } = answer.body as unknown as { readonly id: string };
    const read = follows === undefined ? answer.body : await ended(`${follows}/${id}`);
    expect(read).toMatchObject(reads(at));
  });
});
