import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { readVersion } from "../packages/server/src/api/version.ts";
import { testBrowserPath } from "../packages/browser/src/browser.suite.ts";
import { build } from "./built.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const LONG_TEXT = Array.from({ length: 6000 }, (_, index) => `<p>Paragraph ${index} 😀</p>`).join("");

const PRICED = ["scrape", "screenshot", "map", "batch", "crawl", "parse", "search", "interact"];

let keyed: World;
let open: World;
let team: TestTeam;

beforeAll(async () => {
  await build();
  keyed = await openWorld(KEYED);
  open = await openWorld();
  team = await makeTeam(keyed, { credits: 1000 });
  for (const { site } of [keyed, open]) {
    site.page("/page", htmlPage("<main><h1>Shop</h1><p>Some text.</p></main>"));
    site.page("/long", htmlPage(`<main>${LONG_TEXT}</main>`));
  }
}, 120_000);

async function connect(world: World, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "0" });
  const url = new URL(`${world.baseUrl}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await client.connect(transport);
  return ofTestFile.add(client, (connected) => connected.close());
}

/** Starts `pergamon mcp`, as clients do. */
async function start(settings: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: "test", version: "0" });
  const { PATH = "" } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["dist/cli.js", "mcp"],
    env: { PATH, ...(testBrowserPath && { BROWSER_PATH: testBrowserPath }), ...settings },
    stderr: "inherit",
  });
  await client.connect(transport);
  return ofTestFile.add(client, (connected) => connected.close());
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly uri: string;
    readonly data: string;
    readonly mimeType: string;
  }[];
}

async function call(client: Client, name: string, input: object): Promise<Result> {
  return (await client.callTool({ name, arguments: { ...input } })) as unknown as Result;
}

/** The last part of a result, as JSON. */
function factsOf({ content }: Result): Readonly<Record<string, unknown>> {
  return JSON.parse(content.at(-1)?.text ?? "") as Readonly<Record<string, unknown>>;
}

describe("by HTTP, with a key", () => {
  let client: Client;

  beforeAll(async () => {
    client = await connect(keyed, team.headers);
  });

  test("tools are listed, with words that cost few tokens", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "scrape",
      "screenshot",
      "map",
      "batch",
      "crawl",
      "crawl_status",
      "parse",
      "search",
      "agent",
      "agent_status",
      "monitor",
      "monitor_checks",
      "find_tools",
      "call_tool",
      "interact",
      "interact_stop",
      "read_document",
    ]);
    for (const { inputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(typeof annotations?.readOnlyHint).toBe("boolean");
      expect(description).toMatch(/\.$/);
    }
    const priced = tools.filter(({ description }) => /\bcosts?\b/i.test(description ?? ""));
    expect(priced.map(({ name }) => name)).toEqual(PRICED);
    // A token is about four characters.
    expect(JSON.stringify(tools).length / 4).toBeLessThan(3150);
  });

  test("a crawl is started, asked about, and its pages are read", async () => {
    const [inside, url] = ["/crawled/inside", keyed.site.url("/crawled")];
    keyed.site.page("/crawled", htmlPage(`<h1>Start</h1><a href="${inside}">x</a>`, "<title>Start</title>"));
    keyed.site.page(inside, htmlPage("<h1>Inside</h1>", "<title>Inside</title>"));
    const started = await call(client, "crawl", { url, options: { sitemap: "skip" } });
    const [, id = ""] = /The crawl (\S+) has started/.exec(started.content[0]?.text ?? "") ?? [];
    const textOf = async () => (await call(client, "crawl_status", { id })).content[0]?.text ?? "";
    await expect.poll(textOf).toMatch(/^completed: 2 of 2 pages\.\n/);
    const [, first = "", other = ""] = (await textOf()).split("\n");
    expect(first).toContain(`${url} – Start – `);
    const scrapeId = other.split(" – ").at(-1);
    const page = await call(client, "read_document", { scrapeId });
    expect(page.content[0]?.text).toBe("# Inside");
  });

  test("a file is sent to a link and read", async () => {
    const asked = await call(client, "parse", { filename: "prices.csv" });
    const [, uploadUrl = ""] = /curl -fsS -T FILE '(\S+)'/.exec(asked.content[0]?.text ?? "") ?? [];
    const [, uploadRef = ""] = /uploadRef (\S+)\.$/.exec(asked.content[0]?.text ?? "") ?? [];
    expect((await fetch(uploadUrl, { method: "PUT", body: "tea,price\ngreen,3\n" })).status).toBe(200);
    const parsed = await call(client, "parse", { uploadRef });
    expect(parsed.content[0]?.text).toMatch(/\| tea +\| price \|/);
    expect(factsOf(parsed)).toMatchObject({ sourceFile: "prices.csv", creditsUsed: 1 });
    const again = await call(client, "parse", { uploadRef });
    expect([again.isError, again.content[0]?.text]).toEqual([true, expect.stringContaining("not available")]);
  });

  test.each([
    [{}, /one of path, filename and uploadRef/],
    [{ filename: "a.csv", uploadRef: "x" }, /one of path, filename and uploadRef/],
    [{ path: "/etc/hostname" }, /cannot read files of your machine.*filename/],
    [{ filename: "a.exe" }, /Unsupported upload type/],
    [{ uploadRef: "nonsense" }, /uploadRef/],
  ])("refuses to parse %j", async (input, message) => {
    const { isError, content } = await call(client, "parse", input);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(message)]);
  });

  test("scrape returns the text, then the facts, and costs what it costs by HTTP", async () => {
    const before = await team.remaining();
    const url = keyed.site.url("/page");
    const result = await call(client, "scrape", { url });
    expect(result.isError).toBeUndefined();
    expect(result.content[0]?.text).toBe("# Shop\n\nSome text.");
    expect(factsOf(result)).toMatchObject({ url, statusCode: 200, creditsUsed: 1 });
    expect(await team.remaining()).toBe(before - 1);
  });

  test("a batch is started, and asked about as a crawl is", async () => {
    const urls = [keyed.site.url("/page"), "ftp://a.test"];
    const started = await call(client, "batch", { urls, options: { formats: ["markdown"] } });
    const said = started.content[0]?.text ?? "";
    expect(said).toMatch(/Left out, because they cannot be scraped: ftp:\/\/a\.test$/);
    const [, id = ""] = /The batch (\S+) has started/.exec(said) ?? [];
    const textOf = async () => (await call(client, "crawl_status", { id })).content[0]?.text ?? "";
    await expect.poll(textOf).toMatch(/^completed: 1 of 1 pages\.\n/);
    expect(await textOf()).toContain(urls[0]);
  });

  test("a batch of many addresses that are none tells the first of them", async () => {
    const wrong = Array.from({ length: 900 }, (_, index) => `ftp://a.test/${index}/${"x".repeat(2000)}`);
    const started = await call(client, "batch", { urls: [keyed.site.url("/page"), ...wrong] });
    expect(started.content[0]?.text).toMatch(/ftp:\/\/a\.test\/9\/x{1,200} and 890 more$/);
    expect(started.content[0]?.text?.length).toBeLessThan(3000);
  });

  test("several formats stand under their names; further fields are those of the interface", async () => {
    const input = { url: keyed.site.url("/page"), formats: ["markdown", "links"] };
    const { content } = await call(client, "scrape", { ...input, options: { includeTags: ["h1"] } });
    expect(content[0]?.text).toBe("--- markdown ---\n# Shop\n\n--- links ---\n[]");
  });

  test("long text comes in parts that make the whole, by the tool and by the link alike", async () => {
    const url = keyed.site.url("/long");
    const { body } = await team.scrape({ url });
    const whole = body.data.markdown ?? "";
    let result = await call(client, "scrape", { url });
    const link = result.content.find(({ type }) => type === "resource_link");
    const read = await client.readResource({ uri: link?.uri ?? "" });
    const { scrapeId } = factsOf(result);
    await keyed.app.services.records.flush();
    const parts = [result.content[0]?.text ?? ""];
    while (factsOf(result)["shown"] !== undefined) {
      const from = Number(/from: (\d+)/.exec(String(factsOf(result)["shown"]))?.[1]);
      result = await call(client, "read_document", { scrapeId, from });
      parts.push(result.content[0]?.text ?? "");
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join("")).toBe(whole);
    expect(read.contents).toMatchObject([{ text: parts[1] }]);
    expect(parts.filter((part) => Buffer.from(part).toString() !== part)).toEqual([]);
  });

  test.each([
    ["spaces", "Words of a guide. ".repeat(25), 600, 800],
    ["none", "起重机在码头工作。".repeat(50), 150, 260],
  ])(
    "A79 a part has the tokens asked for in text with %s, and names the sections after it",
    async (kind, words, least, most) => {
      const path = `/guide/${kind}`;
      const sections = Array.from({ length: 30 }, (_, index) => `<h2>Part ${index}</h2><p>${words}</p>`);
      keyed.site.page(path, htmlPage(`<main><h1>Guide</h1>${sections.join("")}</main>`));
      const scraped = await call(client, "scrape", { url: keyed.site.url(path), maxTokens: 200 });
      const length = scraped.content[0]?.text.length ?? 0;
      expect([length >= least, length <= most]).toEqual([true, true]);
      const { scrapeId, sections: named } = factsOf(scraped);
      const last = (named as readonly string[]).at(-1) ?? "";
      expect(last).toMatch(/^\d+ ## Part 29$/);
      await keyed.app.services.records.flush();
      const from = Number.parseInt(last);
      const read = await call(client, "read_document", { scrapeId, from, maxTokens: 100 });
      expect(read.content[0]?.text).toMatch(/^## Part 29\n/);
      expect(factsOf(read)["shown"]).toMatch(new RegExp(`^characters ${from} to `));
    },
  );

  test("another team reads nothing of it", async () => {
    const { metadata } = (await team.scrape({ url: keyed.site.url("/page") })).body.data;
    await keyed.app.services.records.flush();
    const input = { scrapeId: metadata.scrapeId };
    expect((await call(client, "read_document", input)).isError).toBeUndefined();
    const other = await connect(keyed, (await makeTeam(keyed, { credits: 1 })).headers);
    expect(await call(other, "read_document", input)).toMatchObject({
      isError: true,
      content: [{ text: "Document not found, or no longer stored. Scrape the page again." }],
    });
    const uri = `pergamon://documents/${input.scrapeId}`;
    await expect(other.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
  });

  test.each([
    [{ url: "http://127.0.0.1:1/" }, /^SCRAPE_ALL_ENGINES_FAILED: /],
    [{ url: "http://10.0.0.1/" }, /violated security rules/],
    [{ url: 1 }, /^BAD_REQUEST: url: /],
    [{ url: "https://a.test", typo: 1 }, /^BAD_REQUEST: Unrecognized key: "typo"/],
    [{ url: "https://a.test", options: { typo: 1 } }, /^BAD_REQUEST: Unrecognized key: "typo"/],
    [{ url: "https://a.test", options: { alexandria: {} } }, /^BAD_REQUEST: /],
  ])("scrape of %j fails in words", async (input, words) => {
    const result = await call(client, "scrape", input);
    expect([result.isError, result.content[0]?.text]).toEqual([true, expect.stringMatching(words)]);
  });

  test.each([
    ["that is too long is not looked into", 40_000, /^.{0,200}<=50 items$/],
    ["of faults is told by its first ten", 50, /^.{0,2000}; and 40 more$/],
  ])("a list %s", async (_what, length, words) => {
    const input = { url: "https://a.test", formats: Array.from({ length }, () => ({})) };
    const result = await call(client, "scrape", input);
    expect(result.content[0]?.text).toMatch(words);
  });

  test("a tool that is not there is an error of the protocol", async () => {
    await expect(client.callTool({ name: "constructor" })).rejects.toMatchObject({ code: -32_602 });
  });

  test("provider tools are found and called, by teams that may", async () => {
    const able = await makeTeam(keyed, { credits: 100, flags: { providerTools: true } });
    const other = await connect(keyed, able.headers);
    const found = await call(other, "find_tools", { query: "terms of a provider" });
    expect(found.content[0]?.text).toContain('"firecrawl/terms/show"');
    const show = { provider: "firecrawl", capability: "terms/show", requestId: "once" };
    const shown = await call(other, "call_tool", { ...show, options: { provider: "wikipedia" } });
    expect(JSON.parse(shown.content[0]?.text ?? "")).toMatchObject({
      data: { required: false },
      creditsCost: 0,
    });
    const failed = await call(other, "call_tool", { provider: "firecrawl", capability: "terms/show" });
    expect([failed.isError, failed.content[0]?.text]).toEqual([
      true,
      expect.stringContaining("invalid_options"),
    ]);
    for (const name of ["find_tools", "call_tool"]) {
      const refused = await call(client, name, name === "call_tool" ? show : {});
      expect(refused.content[0]?.text).toMatch(/^THIRD_PARTY_DATA_TERMS_REQUIRED: /);
    }
  });

  test("without credits, and with a key for other things, nothing is scraped", async () => {
    const url = keyed.site.url("/page");
    const poor = await connect(keyed, (await makeTeam(keyed, { credits: 0 })).headers);
    expect((await call(poor, "scrape", { url })).content[0]?.text).toMatch(/^insufficient_credits: /);
    const line = `POST teams/${team.teamId}/keys`;
    const { body } = await operate(keyed, line, { name: "narrow", restrictions: { endpoints: ["account"] } });
    const narrow = await connect(keyed, { authorization: `Bearer ${body.apiKey}` });
    const refused = await call(narrow, "scrape", { url });
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringContaining("restricted"),
    ]);
  });

  test("a job counts as one, and only runs of the key's endpoints are shown", async () => {
    const line = `POST teams/${team.teamId}/keys`;
    const slow = await operate(keyed, line, { restrictions: { requestsPerMinute: 5 } });
    const starter = await connect(keyed, { authorization: `Bearer ${slow.body.apiKey}` });
    const first = await call(starter, "batch", { urls: [keyed.site.url("/page")] });
    const second = await call(starter, "batch", { urls: [keyed.site.url("/page")] });
    expect([first.isError, second.isError]).toEqual([undefined, true]);
    expect(second.content[0]?.text).toMatch(/Rate limit/);
    const [id = ""] = /[0-9a-f-]{36}/.exec(first.content[0]?.text ?? "") ?? [];
    const crawls = await operate(keyed, line, { restrictions: { endpoints: ["crawl"] } });
    const reader = await connect(keyed, { authorization: `Bearer ${crawls.body.apiKey}` });
    expect((await call(reader, "crawl_status", { id })).content[0]?.text).toBe("Job not found");
    expect((await call(starter, "crawl_status", { id })).isError).toBeUndefined();
  });

  test("of a team of which nothing may be kept, nothing is", async () => {
    const silent = await makeTeam(keyed, { credits: 10, flags: { zeroDataRetention: "forced" } });
    const result = await call(await connect(keyed, silent.headers), "scrape", {
      url: keyed.site.url("/long"),
    });
    expect(factsOf(result)["shown"]).toMatch(/not stored/);
    expect(result.content.map(({ type }) => type)).toEqual(["text", "text"]);
  });

  test("no key is refused", async () => {
    await expect(connect(keyed)).rejects.toThrow("Unauthorized");
  });
});

describe("the wire", () => {
  const headers = { "content-type": "application/json" };
  const post = async (body: string, more: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${open.baseUrl}/mcp`, {
      method: "POST",
      headers: { ...headers, ...more },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const PING = '{"jsonrpc":"2.0","id":"a","method":"ping"}';

  test("is JSON-RPC without sessions", async () => {
    expect(await post(PING)).toEqual({ status: 200, text: '{"jsonrpc":"2.0","id":"a","result":{}}' });
    const told = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect(await post(told)).toEqual({ status: 202, text: "" });
  });

  test.each(["GET", "DELETE"])("%s is answered with what there is", async (method) => {
    const answer = await fetch(`${open.baseUrl}/mcp`, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test.each([
    ["[]", 400, -32_600],
    [`[${PING}]`, 400, -32_600],
    ["{}", 400, -32_600],
    ["null", 400, -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', 200, -32_601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}', 200, -32_602],
    [
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
      200,
      -32_002,
    ],
  ])("%s is answered with an error", async (body, status, code) => {
    const answer = await post(body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { error: { code } }]);
  });

  test("a version that nobody speaks is refused", async () => {
    expect((await post(PING, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await post(PING, { "mcp-protocol-version": "2025-06-18" })).status).toBe(200);
  });

  test.each([{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }])(
    "in open mode pages of other sites may not use it: %j",
    async (more) => {
      expect((await post(PING, more)).status).toBe(403);
    },
  );
});

describe("by standard input and output", () => {
  let site: Site;
  const folder = testFolder();

  beforeAll(async () => {
    site = await openSite();
    site.page("/page", htmlPage("<h1>Shop</h1>"));
  });

  test("the program does the work itself", { timeout: 60_000 }, async () => {
    const client = await start({ DATA_DIR: folder, EGRESS_ALLOW: "127.0.0.1" });
    expect(client.getServerVersion()).toEqual({ name: "pergamon", version: readVersion() });
    expect((await client.listTools()).tools).toHaveLength(17);
    const { content } = await call(client, "scrape", { url: site.url("/page") });
    expect(content[0]?.text).toBe("# Shop");
    const path = join(folder, "prices.csv");
    await writeFile(path, "tea,price\ngreen,3\n");
    const file = await call(client, "parse", { path });
    expect(file.content[0]?.text).toMatch(/\| tea +\| price \|/);
    const missing = await call(client, "parse", { path: join(folder, "missing.pdf") });
    expect([missing.isError, missing.content[0]?.text]).toEqual([true, expect.stringContaining("No file")]);
    const picture = await call(client, "screenshot", { url: site.url("/page") });
    expect(picture.content[0]).toMatchObject({ type: "image", mimeType: "image/png" });
    expect(Buffer.from(picture.content[0]?.data ?? "", "base64").toString("latin1", 1, 4)).toBe("PNG");
    expect(factsOf(picture)["image"]).toBeUndefined();
    const formats = ["markdown", "screenshot"];
    const several = await call(client, "scrape", { url: site.url("/page"), formats });
    expect(several.content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
    expect(several.content[0]?.text).not.toContain("/v2/files/");
    for (const [tool, input] of [
      ["crawl", { url: site.url("/page"), limit: 1 }],
      ["batch", { urls: [site.url("/page")] }],
    ] as const) {
      const started = await call(client, tool, input);
      const [id = ""] = /[0-9a-f-]{36}/.exec(started.content[0]?.text ?? "") ?? [];
      const textOf = async () => (await call(client, "crawl_status", { id })).content[0]?.text;
      await expect.poll(textOf, { timeout: 10_000 }).toMatch(/^completed: 1 of 1 pages\./);
    }
  });

  test("a job that it leaves behind goes on in the next one", { timeout: 60_000 }, async () => {
    // In a folder of its own: another program that runs on the same one would take the job over first.
    const settings = { DATA_DIR: testFolder(), EGRESS_ALLOW: "127.0.0.1" };
    let isHeld = true;
    const urls = [0, 1, 2].map((index) =>
      site.page(`/left/${index}`, (_request, response) => {
        if (!isHeld) response.end(htmlPage("<h1>Left</h1>"));
      }),
    );
    const first = await start(settings);
    const started = await call(first, "batch", { urls, options: { maxAge: 0 } });
    const [id = ""] = /[0-9a-f-]{36}/.exec(started.content[0]?.text ?? "") ?? [];
    await expect.poll(() => site.hits("/left/0").length).toBeGreaterThan(0);
    await first.close();
    isHeld = false;
    const next = await start(settings);
    const textOf = async () => (await call(next, "crawl_status", { id })).content[0]?.text;
    await expect.poll(textOf, { timeout: 30_000 }).toMatch(/^completed: 3 of 3 pages\./);
  });

  test("or lets a service do it", { timeout: 60_000 }, async () => {
    const [, key = ""] = team.headers.authorization.split(" ");
    const client = await start({ PERGAMON_URL: keyed.baseUrl, PERGAMON_API_KEY: key });
    const before = await team.remaining();
    const { content } = await call(client, "scrape", { url: keyed.site.url("/page") });
    expect(content[0]?.text).toContain("# Shop");
    expect(await team.remaining()).toBe(before - 1);
  });

  test("whose refusal is told", { timeout: 60_000 }, async () => {
    await expect(start({ PERGAMON_URL: keyed.baseUrl })).rejects.toThrow("Set PERGAMON_API_KEY.");
  });
});
