import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { dialectNames } from "../src/platform/models/dialects.ts";
import { startModelDouble } from "../src/platform/models/model-double.suite.ts";
import { openCrawlSite } from "./crawls.ts";
import { htmlPage, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

/**
 * Clients that are too large to be dependencies: a folder with
 * `npm install firecrawl-cli firecrawl-aisdk ai zod firecrawl-mcp`.
 */
const FOLDER = process.env["OFFICIAL_CLIENTS"] ?? "";
const NOTE = FOLDER === "" ? " (left out: set OFFICIAL_CLIENTS to a folder where they are installed)" : "";

const PAGE = `<main><h1>The harbour</h1><p>The harbour of Elmstad was opened by Queen Marta in 1874.</p>
  <p>Around 240 ships call every month. Most of them carry timber.</p>
  <table><tr><th>Ship</th><th>Tonnes</th></tr><tr><td>Anna</td><td>1200</td></tr><tr><td>Bertha</td><td>900</td></tr></table></main>`;
const QUESTION = "When was the harbour opened?";
const ANSWER = "The harbour of Elmstad was opened by Queen Marta in 1874.";
const SHIPS = [
  { ship: "Anna", tonnes: 1200 },
  { ship: "Bertha", tonnes: 900 },
];
const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    ships: {
      type: "array",
      items: {
        type: "object",
        properties: { ship: { type: "string" }, tonnes: { type: "integer" } },
        required: ["ship", "tonnes"],
      },
    },
  },
  required: ["title", "ships"],
};

const TOOLS = `
import { scrape } from "firecrawl-aisdk";
const [url, prompt] = process.argv.slice(2);
const result = await scrape.execute({ url, formats: [{ type: "query", prompt }] }, { toolCallId: "1", messages: [] });
console.log(JSON.stringify(result));
`;

const run = promisify(execFile);

const SAID = "In 1874, by Queen Marta.";

describe.skipIf(FOLDER === "").each(dialectNames)(`A60 with a model that speaks %s${NOTE}`, (api) => {
  test("`scrape --query` of the command line prints what it says", async () => {
    const said = { text: JSON.stringify({ found: true, answer: SAID }) };
    const double = await startModelDouble(api, [{ say: said }]);
    const world = await openWorld({ LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: api });
    const home = await mkdtemp(join(tmpdir(), "clients-"));
    try {
      const url = world.site.page("/harbour", htmlPage(PAGE));
      const words = ["scrape", url, "--query", QUESTION, "--api-url", world.baseUrl];
      const env = { PATH: process.env["PATH"], HOME: home, FIRECRAWL_API_KEY: "fc-anything" };
      const { stdout } = await run(join(FOLDER, "node_modules/.bin/firecrawl"), words, { env, cwd: home });
      expect(stdout).toContain(SAID);
      expect(double.requests).toHaveLength(1);
    } finally {
      await world.close();
      double.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});

describe.skipIf(FOLDER === "")(`official clients on a machine without a model${NOTE}`, () => {
  let world: World;
  let url: string;
  let home: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    world = await openWorld();
    url = world.site.page("/harbour", htmlPage(PAGE));
    home = await mkdtemp(join(tmpdir(), "clients-"));
    const { PATH } = process.env;
    env = { PATH, HOME: home, FIRECRAWL_API_KEY: "fc-anything", FIRECRAWL_API_URL: world.baseUrl };
  });

  afterAll(async () => {
    await world.close();
    await rm(home, { recursive: true, force: true });
  });

  test("A60 `scrape --query` of the command line prints the answer", async () => {
    const program = join(FOLDER, "node_modules/.bin/firecrawl");
    expect(existsSync(program)).toBe(true);
    const words = ["scrape", url, "--query", QUESTION, "--api-url", world.baseUrl];
    const { stdout } = await run(program, words, { env, cwd: home });
    expect(stdout).toContain(ANSWER);
  });

  test("the tool of firecrawl-aisdk asks with query", async () => {
    const file = join(FOLDER, "pergamon-query.mjs");
    await writeFile(file, TOOLS);
    const { stdout } = await run(process.execPath, [file, url, QUESTION], { env });
    await rm(file);
    expect(stdout).toContain(ANSWER);
  });

  test("the MCP server answers its json and query formats", async () => {
    const command = join(FOLDER, "node_modules/.bin/firecrawl-mcp");
    const client = new Client({ name: "test", version: "0" });
    await client.connect(new StdioClientTransport({ command, env: env as Record<string, string> }));
    const scrape = async (more: object) => {
      const result = await client.callTool({ name: "firecrawl_scrape", arguments: { url, ...more } });
      return JSON.stringify(result.content);
    };
    try {
      const asked = await scrape({ formats: ["query"], queryOptions: { prompt: QUESTION } });
      expect(asked).toContain(ANSWER);
      const quoted = { prompt: QUESTION, mode: "directQuote" };
      expect(await scrape({ formats: ["query"], queryOptions: quoted })).toContain(ANSWER);
      const filled = await scrape({
        formats: ["json"],
        jsonOptions: { prompt: "The ships", schema: SCHEMA },
      });
      for (const { ship, tonnes } of SHIPS) expect(filled).toMatch(new RegExp(`${ship}.{1,40}${tonnes}`));
    } finally {
      await client.close();
    }
  });

  describe("with a site", () => {
    let site: Site;

    beforeAll(async () => {
      site = await openCrawlSite({ "/": ["/a", "/b"], "/a": [], "/b": ["/"] });
      site.page("/hanging", () => undefined);
    });

    afterAll(() => site.close());

    async function say(...words: readonly string[]): Promise<string> {
      const program = join(FOLDER, "node_modules/.bin/firecrawl");
      const { stdout } = await run(program, [...words, "--api-url", world.baseUrl], { env, cwd: home });
      return stdout;
    }

    test("the command line maps, crawls, asks and cancels", async () => {
      const urls = ["/", "/a", "/b"].map((path) => site.url(path));
      expect((await say("map", site.url("/"))).trim().split("\n").toSorted()).toEqual(urls);
      const crawled = await say("crawl", site.url("/"), "--wait", "--poll-interval", "1", "--limit", "10");
      expect(JSON.parse(crawled)).toMatchObject({ status: "completed", completed: 3, creditsUsed: 3 });
      const [id = ""] = /[0-9a-f-]{36}/.exec(await say("crawl", site.url("/hanging"))) ?? [];
      expect(JSON.parse(await say("crawl", id))).toMatchObject({ id, status: "scraping" });
      expect(JSON.parse(await say("crawl", id, "--cancel"))).toMatchObject({ id, status: "cancelled" });
    }, 120_000);

    test("the MCP server maps, crawls, and asks about the crawl", async () => {
      const command = join(FOLDER, "node_modules/.bin/firecrawl-mcp");
      const client = new Client({ name: "test", version: "0" });
      await client.connect(new StdioClientTransport({ command, env: env as Record<string, string> }));
      const ask = async (name: string, input: object) =>
        JSON.stringify((await client.callTool({ name, arguments: { ...input } })).content);
      try {
        expect(await ask("firecrawl_map", { url: site.url("/") })).toContain(site.url("/b"));
        const started = await ask("firecrawl_crawl", { url: site.url("/"), limit: 10 });
        const [id = ""] = /[0-9a-f-]{36}/.exec(started) ?? [];
        const asked = () => ask("firecrawl_check_crawl_status", { id });
        await expect.poll(asked, { timeout: 30_000 }).toMatch(/completed/);
        expect(await asked()).toContain("Page /a");
      } finally {
        await client.close();
      }
    }, 120_000);
  });
});
