import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../../packages/kit/src/test-folder.suite.ts";
import {
  type ScriptedModel,
  startScriptedModel,
} from "../../packages/server/src/interact/prompt/scripted-model.suite.ts";
import { askVersion, locateProgram } from "../../packages/kit/src/process/programs.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";
import { ask } from "./session-client.ts";

/**
 * Clients that are no dependencies of this project: tested where they are installed, and named where they are not.
 * `OFFICIAL_CLIENTS` may name a folder where `scripts/install-official-clients.sh` has installed them.
 */
const FOLDER = process.env["OFFICIAL_CLIENTS"];
const PATH = [
  ...(FOLDER === undefined ? [] : [join(FOLDER, "node_modules/.bin"), join(FOLDER, "py/bin")]),
  process.env["PATH"] ?? "",
].join(":");
const commandLine = await locateProgram("firecrawl", PATH);
const mcpServer = await locateProgram("firecrawl-mcp", PATH);
const python = await pythonWithPlaywright();
const missing = Object.entries({
  firecrawl: commandLine,
  "firecrawl-mcp": mcpServer,
  "playwright of Python": python,
});
for (const [name, path] of missing) if (!path) console.warn(`NOT TESTED: ${name} is not installed.`);

async function pythonWithPlaywright(): Promise<string | undefined> {
  const path = await locateProgram("python3", PATH);
  const args = ["-c", "from importlib.metadata import version; print(version('playwright'))"];
  return path && "version" in (await askVersion(path, { args })) ? path : undefined;
}

let world: World;
let model: ScriptedModel;
const home = testFolder();
let url: string;

beforeAll(async () => {
  model = await startScriptedModel();
  world = await openWorld({ LLM_BASE_URL: model.url, LLM_MODEL: "scripted", LLM_API: "openai" });
  url = world.site.page(
    "/shop",
    htmlPage(`<h1>Shop</h1><p id="seen">0</p><button onclick="seen.textContent++">More</button>`),
  );
});

const environment = () => ({
  PATH,
  HOME: home,
  FIRECRAWL_API_URL: world.baseUrl,
  FIRECRAWL_API_KEY: "fc-anything",
  FIRECRAWL_NO_TELEMETRY: "1",
});

async function start(program: string | undefined, ...args: readonly string[]): Promise<string> {
  if (program === undefined) throw new Error("There is no such program.");
  return (await promisify(execFile)(program, args, { env: environment(), timeout: 60_000 })).stdout;
}

describe.runIf(commandLine)("the official command line", () => {
  test("A60: interacts in three languages and in words with the page that it scraped last, and stops", async () => {
    const cli = (...args: readonly string[]) => start(commandLine, ...args);
    expect(await cli("--status")).toContain("Concurrency");
    expect(await cli("credit-usage")).toMatch(/credits/i);
    expect(await cli("scrape", url)).toContain("Shop");
    expect(await cli("interact", "-c", `await page.click("button"); await page.title()`)).not.toContain(
      "Error",
    );
    const code = `print(await page.text_content("#seen"))`;
    expect(await cli("interact", "-c", code, "--python")).toBe("1\n");
    expect(await cli("interact", "-c", "agent-browser get text '#seen'", "--bash")).toBe("1\n");
    expect(await cli("interact", "-c", "snapshot", "--bash")).toMatch(/button "More"/);
    model.play([
      { tool: "click", on: /button "More"/ },
      { tool: "done", answer: /paragraph\n\s*(\d+)/, success: true },
    ]);
    expect(await cli("interact", "Click More, then tell the number.")).toBe("2\n");
    expect(await cli("interact", "stop")).toMatch(/Session stopped[^]*Credits billed: 7/);
    await expect(cli("interact", "stop")).rejects.toThrow("Command failed");
  }, 120_000);
});

describe.runIf(mcpServer)("the official server of the Model Context Protocol", () => {
  test("interacts by an address or by a scrape, and stops", async () => {
    const mcp = new Client({ name: "test", version: "0" });
    await mcp.connect(
      new StdioClientTransport({ command: mcpServer ?? "", env: environment(), stderr: "ignore" }),
    );
    const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const { content } = (await mcp.callTool({ name, arguments: input })) as {
        readonly content: readonly { readonly text: string }[];
      };
      return JSON.parse(content[0]?.text ?? "") as Readonly<Record<string, unknown>>;
    };
    const opened = await call("firecrawl_interact", { url, code: "page.title()" });
    expect(opened).toMatchObject({ success: true, exitCode: 0 });
    const { scrapeId } = opened;
    const bash = { scrapeId, code: "agent-browser click button", language: "bash" };
    expect(await call("firecrawl_interact", bash)).toMatchObject({ success: true });
    model.play([{ tool: "done", answer: /paragraph\n\s*(\d+)/, success: true }]);
    expect(await call("firecrawl_interact", { scrapeId, prompt: "Which number?" })).toMatchObject({
      output: "1",
    });
    expect(await call("firecrawl_interact_stop", { scrapeId })).toMatchObject({
      success: true,
      creditsBilled: 7,
    });
    await mcp.close();
  }, 120_000);
});

describe.runIf(python)("Playwright for Python", () => {
  test("connects to cdpUrl and goes on with the page", async () => {
    const [, { id, cdpUrl }] = await ask(world, "POST /v2/browser", {});
    const program = `
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(sys.argv[1])
    page = browser.contexts[0].pages[0]
    page.goto(sys.argv[2])
    page.get_by_role("button", name="More").click()
    print(page.title(), page.text_content("#seen"), page.screenshot()[1:4].decode())
    browser.close()
`;
    expect(await start(python, "-c", program, cdpUrl, url)).toMatch(/ 1 PNG\n$/);
    await ask(world, `DELETE /v2/browser/${id}`);
  }, 120_000);
});
