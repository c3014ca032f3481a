import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { FirecrawlClient } from "firecrawl";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { beforeAll, describe, expect, test } from "vitest";

import {
  type ScriptedModel,
  startScriptedModel,
} from "../../packages/server/src/interact/prompt/scripted-model.suite.ts";
import { htmlPage, openSite } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
let model: ScriptedModel;
let client: FirecrawlClient;
let url: string;

beforeAll(async () => {
  model = await startScriptedModel();
  world = await openWorld({ LLM_BASE_URL: model.url, LLM_MODEL: "scripted", LLM_API: "openai" });
  client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
  url = world.site.page(
    "/shop",
    htmlPage(`<h1>Shop</h1><p id="seen">0</p><button onclick="seen.textContent++">More</button>`),
  );
});

async function scrape(): Promise<string> {
  const { metadata } = await client.scrape(url);
  return metadata?.scrapeId ?? "";
}

const SEEN = /paragraph\n\s*(\d+)/;

describe("the official client, unmodified", () => {
  test("A58, A60: interacts by code and by a prompt, and stops", async () => {
    const id = await scrape();
    const first = await client.interact(id, { code: `await page.click("button"); await page.title()` });
    expect(first).toMatchObject({ success: true, exitCode: 0, killed: false });
    model.play([
      { tool: "click", on: /button "More"/ },
      { tool: "done", answer: SEEN, success: true },
    ]);
    const second = await client.interact(id, { prompt: "Click More, then tell the number." });
    expect(second).toMatchObject({ success: true, output: "2" });
    expect(await client.stopInteraction(id)).toMatchObject({ success: true, creditsBilled: 7 });
    await expect(client.stopInteraction(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.interact(id, { code: "1" })).rejects.toMatchObject({ status: 410 });
  });

  test("opens, uses, lists and deletes browsers", async () => {
    const opened = await client.browser({ ttl: 120 });
    const id = opened.id ?? "";
    const code = `await page.goto(${JSON.stringify(url)}); console.log(await page.title())`;
    const run = await client.browserExecute(id, { code, language: "node" });
    expect(run).toMatchObject({ success: true, exitCode: 0 });
    const { sessions } = await client.listBrowsers({ status: "active" });
    expect(sessions?.map((session) => session.id)).toEqual([id]);
    expect(await client.deleteBrowser(id)).toMatchObject({ success: true, creditsBilled: 2 });
  });
});

test("Playwright connects to cdpUrl and goes on with the page; afterwards the address is dead", async () => {
  const { id = "", cdpUrl = "" } = await client.browser();
  const browser = await chromium.connectOverCDP(cdpUrl);
  const page = browser.contexts()[0]?.pages()[0];
  await page?.goto(url);
  await page?.getByRole("button", { name: "More" }).click();
  expect(await page?.textContent("#seen")).toBe("1");
  const code = `await page.textContent("#seen")`;
  expect((await client.browserExecute(id, { code, language: "node" })).result).toBe("1");
  await client.deleteBrowser(id);
  await browser.close();
  await expect(chromium.connectOverCDP(cdpUrl, { timeout: 5000 })).rejects.toThrow(/404/);
});

test("puppeteer connects to cdpUrl and goes on with the page", async () => {
  const { id = "", cdpUrl = "" } = await client.browser();
  const browser = await connect({ browserWSEndpoint: cdpUrl, defaultViewport: null });
  const [page] = await browser.pages();
  await page?.goto(url);
  await page?.click("button");
  expect(await page?.$eval("#seen", (seen) => seen.textContent)).toBe("1");
  await browser.disconnect();
  const code = `await page.textContent("#seen")`;
  expect((await client.browserExecute(id, { code, language: "node" })).result).toBe("1");
  await client.deleteBrowser(id);
});

test("the head of a printed page holds neither files nor private pages, and runs no script", async () => {
  const trap = await openSite("127.0.0.2");
  const marker = join(world.dataDir, "marker.html");
  await writeFile(marker, "Words of a file");
  const { id = "", cdpUrl = "" } = await client.browser();
  const browser = await chromium.connectOverCDP(cdpUrl);
  const [context] = browser.contexts();
  const page = context?.pages()[0];
  if (!context || !page) throw new Error("The session has no page.");
  await page.setContent("<p>Words of the page</p>");
  const session = await context.newCDPSession(page);
  const address = `http://127.0.0.2:${trap.port}`;
  const headerTemplate = `<div style="font-size: 12px">Words of the head <b id="b"></b>
    <iframe src="file://${marker}"></iframe><iframe src="${address}/frame"></iframe><img src="${address}/image.png">
    <script>b.textContent = "Words of a script"; fetch("${address}/fetch")</script></div>`;
  const templates = { displayHeaderFooter: true, headerTemplate, footerTemplate: headerTemplate };
  const { data } = await session.send("Page.printToPDF", { ...templates, marginTop: 2, marginBottom: 2 });
  const printed = world.site.page("/printed.pdf", (_request, response) =>
    response.setHeader("content-type", "application/pdf").end(Buffer.from(data, "base64")),
  );
  const { markdown } = await client.scrape(printed);
  expect(markdown).toContain("Words of the page");
  expect(markdown).toContain("Words of the head");
  expect(markdown).not.toMatch(/Words of a (?:file|script)/);
  expect(trap.connections()).toBe(0);
  for (const [name, element] of [
    ["headerTemplate", `<LINK rel="stylesheet" href="${address}/a.css">`],
    ["footerTemplate", `<object data="${address}/a"></object>`],
    ["footerTemplate", `<style>@import url("${address}/a.css")</style>`],
  ] as const) {
    const printing = session.send("Page.printToPDF", { displayHeaderFooter: true, [name]: element });
    await expect(printing).rejects.toThrow(`'${name}' cannot hold '`);
  }
  expect(await page.textContent("p")).toBe("Words of the page");
  await browser.close();
  await client.deleteBrowser(id);
  await trap.close();
});

test("a live view is a page that needs no key, as long as its session lives", async () => {
  const { id = "", liveViewUrl = "", interactiveLiveViewUrl = "" } = await client.browser();
  for (const link of [liveViewUrl, interactiveLiveViewUrl]) {
    const response = await fetch(link);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
  }
  await client.deleteBrowser(id);
  expect((await fetch(liveViewUrl)).status).toBe(404);
});

test("A62: tools of the Model Context Protocol interact and stop", async () => {
  const mcp = new Client({ name: "test", version: "0" });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${world.baseUrl}/mcp`)));
  const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const result = (await mcp.callTool({ name, arguments: input })) as {
      readonly isError?: boolean;
      readonly content: readonly { readonly text: string }[];
    };
    return [result.isError ?? false, result.content[0]?.text ?? ""] as const;
  };
  const scrapeId = await scrape();
  model.play([{ tool: "done", answer: SEEN, success: true }]);
  const [isError, text] = await call("interact", { scrapeId, prompt: "Which number is shown?" });
  expect([isError, JSON.parse(text)]).toMatchObject([false, { output: "0" }]);
  expect((await call("interact", { scrapeId: "nowhere", code: "1" }))[1]).toMatch(/^BAD_REQUEST/);
  expect((await call("interact", { scrapeId }))[1]).toMatch(/Either 'code' or 'prompt' must be provided/);
  expect(JSON.parse((await call("interact_stop", { scrapeId }))[1])).toMatchObject({ creditsBilled: 7 });
  expect(await call("interact_stop", { scrapeId })).toEqual([true, "Browser session not found."]);
  await mcp.close();
});

test("a prompt without a model says what to set, and opens nothing", async () => {
  const bare = await openWorld();
  const page = bare.site.page("/", htmlPage("<h1>Page</h1>"));
  const { body } = await bare.scrape({ url: page });
  const own = new FirecrawlClient({ apiUrl: bare.baseUrl, apiKey: "fc-anything" });
  const asking = own.interact(body.data.metadata.scrapeId, { prompt: "Look." });
  await expect(asking).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/^Prompts require a language model\..*LLM_BASE_URL/) as string,
  });
  expect((await own.listBrowsers()).sessions).toEqual([]);
  await bare.close();
});
