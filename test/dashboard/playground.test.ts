import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { hasPythonClient, PYTHON } from "../installed-clients/clients.ts";
import { operate } from "../operator.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage } from "../site.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, overflow, settle, until } from "./pages.ts";

const run = promisify(execFile);

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, OPENING_MS);

afterAll(() => desk.close());

async function openPlayground(url: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const visit = await desk.visit(`/dashboard/playground?url=${encodeURIComponent(url)}`);
  await settle(visit.page);
  return visit;
}

function tab(page: Page, name: string) {
  return page.getByRole("tab", { name, exact: true });
}

test("a scrape shows each format on a tab, and where the time went", async () => {
  const url = desk.world.site.page(
    "/shop",
    htmlPage(`<h1>Linen apron</h1><p>Heavy linen.</p><a href="/a">A</a>`),
  );
  const { page, complaints } = await openPlayground(url);
  for (const format of ["html", "links"])
    await page.getByRole("button", { name: format, exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Linen apron" }).waitFor();
  await tab(page, "HTML").click();
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("<h1>Linen apron</h1>");
  await tab(page, "Links").click();
  await page.getByRole("button", { name: desk.world.site.url("/a") }).click();
  await expect.poll(() => page.getByRole("dialog").innerText()).toContain(desk.world.site.url("/a"));
  await page.keyboard.press("Escape");
  await tab(page, "Metadata").click();
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("scrapeId");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a run outlives a reload, is found in the history, opens from the log, and stands beside the next one", async () => {
  const url = desk.world.site.page("/kept", htmlPage("<h1>Kept page</h1><p>Words of it.</p>"));
  const { page, complaints } = await openPlayground(url);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Kept page" }).waitFor();
  await expect.poll(() => page.url()).toContain("id=");
  const shown = page.url();
  await page.reload();
  await page.getByRole("heading", { name: "Kept page" }).waitFor();
  expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(url);
  await page.getByRole("button", { name: "summary", exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => page.url()).not.toBe(shown);
  await page.getByRole("button", { name: "Compare with the previous run" }).click();
  await page
    .getByRole("region", { name: "Run before" })
    .getByRole("heading", { name: "Kept page" })
    .waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "History" }).click();
  const entries = page.getByRole("dialog", { name: "History" }).getByRole("listitem");
  expect(await entries.count()).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await entries.last().getByRole("button").click();
  await expect.poll(() => page.url()).toBe(shown);
  await page.goto(`${desk.world.baseUrl}/dashboard/requests?id=${new URL(shown).searchParams.get("id")}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await page.getByRole("heading", { name: "Kept page" }).waitFor();
  expect(complaints).toEqual([]);
});

test("formats stand in groups, and each is explained to keyboards and fingers", async () => {
  const { page } = await openPlayground(desk.world.site.page("/groups", htmlPage("<h1>Groups</h1>")));
  const answers = page.getByRole("group", { name: "Answers" });
  expect(await answers.getByRole("button").allInnerTexts()).toEqual(["question", "highlights", "query"]);
  await page.getByRole("button", { name: "What is this: Answers" }).press("Enter");
  await page.getByText("The lines of the page that are relevant to a query.").waitFor();
  const explain = page.getByRole("button", { name: "What is this: Timeout" });
  const { width = 0, height = 0 } = (await explain.boundingBox()) ?? {};
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  await explain.click();
  await page.getByText("Milliseconds", { exact: false }).first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await overflow(page)).toBe(0);
});

test("options stand in the address, without headers, and are there again in another tab", async () => {
  const url = desk.world.site.page("/by-address", htmlPage("<h1>By address</h1>"));
  const { page } = await desk.visit("/dashboard/playground");
  await settle(page);
  await page.getByLabel("URL", { exact: true }).fill(url);
  await page.getByRole("button", { name: "links", exact: true }).click();
  await page.getByLabel("Timeout").fill("45 s");
  await page.getByText("Edit as JSON").click();
  await page
    .getByRole("textbox", { name: "Request as JSON" })
    .fill(JSON.stringify({ url, formats: ["links"], timeout: 45_000, headers: { cookie: "secret" } }));
  await expect.poll(() => decodeURIComponent(page.url())).toContain('"timeout":45000');
  expect(page.url()).not.toContain("secret");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await settle(other);
  expect(await other.getByLabel("URL", { exact: true }).inputValue()).toBe(url);
  expect(await other.getByLabel("Timeout").inputValue()).toBe("45 s");
  await other.getByRole("button", { name: "Run" }).click();
  await other.getByRole("tab", { name: "Links" }).waitFor();
  await other.goto(`${desk.world.baseUrl}/dashboard/playground#request=%7Bbroken`);
  await settle(other);
  await other.getByRole("button", { name: "Run" }).waitFor();
});

test("a site is mapped and crawled, and pages are scraped in a batch, whose jobs can be opened", async () => {
  const { site } = desk.world;
  site.page("/site/a", htmlPage("<main><h1>A</h1></main>"));
  const start = site.page("/site/", htmlPage(`<main><h1>Start</h1><a href="/site/a">A</a></main>`));
  const { page, complaints } = await openPlayground(start);
  const choose = async (name: string) => {
    await page.getByLabel("Endpoint").selectOption({ label: name });
    await settle(page);
  };
  await choose("Map");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: site.url("/site/a") }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  await choose("Crawl");
  expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(start);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("2 of 2").waitFor();
  await page.locator(".badge", { hasText: "completed" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  await choose("Batch scrape");
  await page.getByLabel("URLs, one per line").fill(`${start}\nmailto:a@b.test\n${site.url("/site/a")}`);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("1 URL cannot be scraped.").waitFor();
  await page.getByText("2 of 2").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open job" }).click();
  await page.getByRole("list", { name: "Pages by folder" }).getByText("site/").first().waitFor();
  expect(complaints).toEqual([]);
});

test("a file that is dropped on the screen is read, and so is one that is chosen", async () => {
  const { page, complaints } = await openPlayground("");
  const held = page.getByText("Drop the file to read it.");
  /** Does what a browser does while a person drags a file over the page. */
  const drag = (type: "dragenter" | "dragover" | "drop") =>
    page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["tea,price\\ngreen,3\\n"], "prices.csv", { type: "text/csv" }));
      const event = new DragEvent("${type}", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector("main").dispatchEvent(event);
      return event.defaultPrevented;
    })()`);
  await drag("dragenter");
  await held.waitFor();
  expect(await drag("dragover")).toBe(true);
  expect(await drag("drop")).toBe(true);
  await held.waitFor({ state: "hidden" });
  await page.getByText("prices.csv, 18 B").waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("cell", { name: "green" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  const report = { name: "report.html", mimeType: "text/html", buffer: Buffer.from("<h1>The report</h1>") };
  await page.getByLabel("File", { exact: true }).setInputFiles(report);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "The report" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a screenshot is shown from the service alone", async () => {
  const { page, complaints } = await openPlayground(desk.world.site.page("/seen", htmlPage("<h1>Seen</h1>")));
  await page.getByRole("button", { name: "screenshot", exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await tab(page, "Screenshot").click();
  const picture = page.getByAltText("Screenshot of the page");
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(300);
  expect(complaints).toEqual([]);
});

test("the form and its JSON are the same request, whichever is changed", async () => {
  const { page } = await openPlayground("https://site.test/");
  await page.getByLabel("Max age").fill("3 h");
  await page.getByRole("switch", { name: "Only main content" }).click();
  await page.getByText("Edit as JSON").click();
  const json = page.getByLabel("Request as JSON");
  await expect
    .poll(async () => JSON.parse(await json.inputValue()) as unknown)
    .toEqual({
      url: "https://site.test/",
      formats: ["markdown"],
      maxAge: 10_800_000,
      onlyMainContent: false,
    });
  await json.fill('{\n  "url": "https://other.test/",\n  "formats": ["links"],\n  "waitFor": 2000\n}');
  await expect.poll(() => page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://other.test/");
  expect(await page.getByLabel("Wait for", { exact: true }).inputValue()).toBe("2 s");
  expect(await page.getByRole("switch", { name: "Only main content" }).getAttribute("aria-checked")).toBe(
    "true",
  );
  expect(await page.getByRole("button", { name: "links", exact: true }).getAttribute("aria-pressed")).toBe(
    "true",
  );
  await json.fill('{\n  "url": \n}');
  await page.getByText("Invalid JSON in line 3.").waitFor();
  expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://other.test/");
});

test("a failed run says what happened, and leads to the log", async () => {
  const { page } = await openPlayground("http://127.0.0.1:9/");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("alert").filter({ hasText: "Time" }).waitFor();
  await page.getByRole("link", { name: "Show in the log" }).click();
  await expect.poll(() => page.url()).toContain("/dashboard/requests?search=");
});

test("blocks are walked by keyboard, each with its text", async () => {
  const pdf = writePdf({
    pages: [textPage("Growth of lichens", "Colonies were measured."), textPage("Second page")],
  });
  const url = desk.world.site.page("/lichens.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
  const { page, complaints } = await openPlayground(url);
  await page.getByRole("button", { name: "pdf", exact: true }).click();
  await page.getByRole("switch", { name: "Blocks" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await tab(page, "Blocks").click();
  const boxes = page.getByRole("group", { name: "Page 1" }).getByRole("button");
  await boxes.first().waitFor();
  // US Letter at 120 dpi.
  const drawn = (number: number) =>
    until(page, `document.querySelector(".sheet img[src$='/pages/${number}.png']")?.naturalHeight === 1320`);
  await drawn(1);
  await boxes.first().focus();
  await page.keyboard.press("ArrowDown");
  const passages = page.getByRole("group", { name: "Text in reading order" }).getByRole("button");
  await expect.poll(() => passages.first().getAttribute("aria-pressed")).toBe("true");
  await passages.last().click();
  await expect.poll(() => boxes.last().getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("Page 2 of 2").waitFor();
  await drawn(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

describe("a request that is copied does the same", () => {
  let folder = "";
  const snippets: Record<string, string> = {};
  let environment: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "snippets-"));
    const { world } = desk;
    // The official client, as somebody who pastes the code has installed it.
    await symlink(new URL("../../node_modules", import.meta.url).pathname, join(folder, "node_modules"));
    const { body } = await operate(world, "POST teams/default/keys", { name: "snippets" });
    const program = join(folder, "pergamon");
    const built = new URL("../../bin/pergamon.mjs", import.meta.url).pathname;
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${built}" "$@"\n`, { mode: 0o755 });
    environment = {
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: folder,
      DATA_DIR: join(folder, "data"),
      EGRESS_ALLOW: "127.0.0.1",
      PERGAMON_API_KEY: body.apiKey,
    };
    const url = world.site.page("/it's", htmlPage(`<h1>It's "here"</h1><p class="x">No.</p>`));
    const { page } = await openPlayground(url);
    await page.getByText("Content", { exact: true }).click();
    await page.getByLabel("Exclude tags").fill('p[class="x"]');
    await page.getByRole("button", { name: "Copy as code" }).click();
    for (const language of ["JavaScript", "Python", "curl", "fetch", "urllib", "CLI", "MCP"]) {
      await tab(page, language).click();
      snippets[language] = (await page.locator(`[data-snippet=${language}]`).textContent()) ?? "";
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Language → what runs it, and from which file. The client for Python is not everywhere. */
  const programs: readonly (readonly [language: string, program: string, file: string])[] = [
    ["JavaScript", process.execPath, "snippet.mjs"],
    ...(hasPythonClient ? [["Python", PYTHON, "snippet-sdk.py"] as const] : []),
    ["curl", "sh", "snippet.sh"],
    ["fetch", process.execPath, "snippet-fetch.mjs"],
    ["urllib", "python3", "snippet.py"],
    ["CLI", "sh", "snippet-cli.sh"],
    ["MCP", "sh", "snippet-mcp.sh"],
  ];

  test.each(programs)("as %s", async (language, program, file) => {
    const path = join(folder, file);
    await writeFile(path, snippets[language] ?? "");
    const { stdout } = await run(program, [path], { env: environment, cwd: folder });
    expect(stdout).toContain(`# It's \\"here\\"`);
    expect(stdout).not.toContain("No.");
  });
});
