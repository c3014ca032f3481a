import { Buffer } from "node:buffer";

import { beforeAll, expect, test } from "vitest";

import { ServiceError } from "../../packages/server/src/api/errors.ts";
import { SCRAPE_ID } from "../../packages/server/src/api/example-values.ts";
import { Outgoing } from "../../packages/server/src/api/outgoing.ts";
import { accessibilityProblems, overflow, settle } from "./pages.ts";
import { answers as ofPictures } from "./picture-answers.ts";
import { type Answers, type Asked, example, scraped, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

const URL_FIELD = { exact: true } as const;
const ids = [1, 2].map((number) => `${SCRAPE_ID.slice(0, -1)}${number}`);

/** Scrapes that the log has, by the order in which they are made. */
function scrapes(): Answers {
  const bodies: unknown[] = [];
  const document = (id: string | undefined) =>
    scraped(
      {
        markdown: "# Linen apron\n\nHeavy linen.",
        html: "<h1>Linen apron</h1>",
        links: ["https://site.test/a"],
        summary: "An apron.",
      },
      { scrapeId: id },
    );
  return {
    "POST /v2/scrape"({ body }: Asked) {
      bodies.push(body);
      return document(ids[bodies.length - 1]);
    },
    "GET /admin/api/requests/{id}"({ params: { id = "" } }: Asked) {
      const { data } = example("GET /admin/api/requests/{id}");
      const body = bodies[ids.indexOf(id)] ?? { url: "https://site.test/" };
      return { success: true, data: { ...data, body, masked: [], request: { ...data.request, id } } };
    },
    "GET /admin/api/requests/{id}/answer": ({ params: { id } }: Asked) => document(id),
  };
}

const open = (url: string, answers: Answers = {}) =>
  screens.visit(`/dashboard/playground?url=${encodeURIComponent(url)}`, answers);

test("a scrape asks for what is chosen, and shows each format on a tab", async () => {
  const { page, complaints, sent } = await open("https://site.test/", scrapes());
  for (const format of ["html", "links"])
    await page.getByRole("button", { name: format, exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Linen apron" }).waitFor();
  expect(sent("POST /v2/scrape")[0]).toMatchObject({
    body: { url: "https://site.test/", formats: ["markdown", "html", "links"], origin: "dashboard" },
    headers: { authorization: "Bearer fc-0123456789abcdef0123456789abcdef" },
  });
  await page.getByRole("tab", { name: "HTML", exact: true }).click();
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("<h1>Linen apron</h1>");
  await page.getByRole("tab", { name: "Links" }).click();
  await page.getByRole("button", { name: "https://site.test/a" }).click();
  await expect.poll(() => page.getByRole("dialog").innerText()).toContain("https://site.test/a");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Metadata" }).click();
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("scrapeId");
  expect(complaints).toEqual([]);
});

test("a run outlives a reload, is found in the history, opens from the log, and stands beside the next one", async () => {
  const { page, complaints } = await open("https://site.test/", scrapes());
  const [shown = ""] = ids;
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => page.url()).toContain(`id=${shown}`);
  await page.reload();
  await page.getByRole("heading", { name: "Linen apron" }).waitFor();
  expect(await page.getByLabel("URL", URL_FIELD).inputValue()).toBe("https://site.test/");
  await page.getByRole("button", { name: "summary", exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => page.url()).toContain(`id=${ids[1]}`);
  await page.getByRole("button", { name: "Compare with the previous run" }).click();
  await page
    .getByRole("region", { name: "Run before" })
    .getByRole("heading", { name: "Linen apron" })
    .waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "History" }).click();
  const entries = page.getByRole("dialog", { name: "History" }).getByRole("listitem");
  expect(await entries.count()).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await entries.last().getByRole("button").click();
  await expect.poll(() => page.url()).toContain(`id=${shown}`);
  await page.goto(`${screens.url}/dashboard/requests?id=${shown}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await page.getByRole("heading", { name: "Linen apron" }).waitFor();
  expect(complaints).toEqual([]);
});

test("formats stand in groups, and each is explained to keyboards and fingers", async () => {
  const { page } = await open("https://site.test/");
  const group = page.getByRole("group", { name: "Answers" });
  expect(await group.getByRole("button").allInnerTexts()).toEqual(["question", "highlights", "query"]);
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
  const { page, sent } = await open("https://site.test/", scrapes());
  await page.getByRole("button", { name: "links", exact: true }).click();
  await page.getByLabel("Timeout").fill("45 s");
  await page.getByText("Edit as JSON").click();
  const request = { url: "https://site.test/", formats: ["markdown", "links"], timeout: 45_000 };
  await page
    .getByRole("textbox", { name: "Request as JSON" })
    .fill(JSON.stringify({ ...request, headers: { cookie: "secret" } }));
  await expect.poll(() => decodeURIComponent(page.url())).toContain('"timeout":45000');
  expect(page.url()).not.toContain("secret");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await settle(other);
  expect(await other.getByLabel("URL", URL_FIELD).inputValue()).toBe("https://site.test/");
  expect(await other.getByLabel("Timeout").inputValue()).toBe("45 s");
  await other.getByRole("button", { name: "Run" }).click();
  await other.getByRole("tab", { name: "Links" }).waitFor();
  expect(sent("POST /v2/scrape")[0]?.body).toMatchObject(request);
  await other.goto(`${screens.url}/dashboard/playground#request=%7Bbroken`);
  await settle(other);
  await other.getByRole("button", { name: "Run" }).waitFor();
});

test("a site is mapped and crawled, and pages are scraped in a batch, whose jobs can be opened", async () => {
  const [job] = example("GET /admin/api/jobs").data;
  const { page, complaints, sent, tell } = await open("https://site.test/", {
    "POST /v2/map": { success: true, id: SCRAPE_ID, links: [{ url: "https://site.test/a" }] },
    "POST /v2/crawl": { success: true, id: SCRAPE_ID, url: `https://scrape.test/v2/crawl/${SCRAPE_ID}` },
    "POST /v2/batch/scrape": {
      success: true,
      id: SCRAPE_ID,
      url: `https://scrape.test/v2/batch/scrape/${SCRAPE_ID}`,
      invalidURLs: ["mailto:a@b.test"],
    },
  });
  const choose = async (name: string) => {
    await page.getByLabel("Endpoint").selectOption({ label: name });
    await settle(page);
  };
  await choose("Map");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "https://site.test/a" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  await choose("Crawl");
  expect(await page.getByLabel("URL", URL_FIELD).inputValue()).toBe("https://site.test/");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("link", { name: "Open job" }).waitFor();
  expect(sent("POST /v2/crawl")[0]?.body).toMatchObject({ url: "https://site.test/", limit: 10 });
  tell("job", { ...job, total: 2, completed: 2, failed: 0, running: 0 });
  await page.getByText("2 of 2").waitFor();
  await page.locator(".badge", { hasText: "completed" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  await choose("Batch scrape");
  await page
    .getByLabel("URLs, one per line")
    .fill("https://site.test/\nmailto:a@b.test\nhttps://site.test/a");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("1 URL cannot be scraped.").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open job" }).click();
  await page.getByRole("list", { name: "Pages by folder" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a file that is dropped on the screen is read, and so is one that is chosen", async () => {
  const { page, complaints, sent } = await open("", {
    "POST /v2/parse": { success: true, data: PARSED },
  });
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
  await page.getByRole("heading", { name: "The report" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const report = { name: "report.html", mimeType: "text/html", buffer: Buffer.from("<h1>The report</h1>") };
  await page.getByLabel("File", { exact: true }).setInputFiles(report);
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => sent("POST /v2/parse").length).toBe(2);
  expect(sent("POST /v2/parse").map(({ body }) => String(body["text"]))).toEqual([
    expect.stringContaining("green,3"),
    expect.stringContaining("<h1>The report</h1>"),
  ]);
  expect(complaints).toEqual([]);
});

test("the form and its JSON are the same request, whichever is changed", async () => {
  const { page } = await open("https://site.test/");
  await page.getByLabel("Max age").fill("3 h");
  await page.getByRole("switch", { name: "Only main content" }).click();
  await page.getByText("Edit as JSON").click();
  const json = page.getByLabel("Request as JSON");
  const request = {
    url: "https://site.test/",
    formats: ["markdown"],
    maxAge: 10_800_000,
    onlyMainContent: false,
  };
  await expect.poll(async () => JSON.parse(await json.inputValue()) as unknown).toEqual(request);
  await json.fill('{\n  "url": "https://other.test/",\n  "formats": ["links"],\n  "waitFor": 2000\n}');
  await expect.poll(() => page.getByLabel("URL", URL_FIELD).inputValue()).toBe("https://other.test/");
  expect(await page.getByLabel("Wait for", { exact: true }).inputValue()).toBe("2 s");
  const isOn = page.getByRole("switch", { name: "Only main content" }).getAttribute("aria-checked");
  expect(await isOn).toBe("true");
  const isChosen = page.getByRole("button", { name: "links", exact: true }).getAttribute("aria-pressed");
  expect(await isChosen).toBe("true");
  await json.fill('{\n  "url": \n}');
  await page.getByText("Invalid JSON in line 3.").waitFor();
  expect(await page.getByLabel("URL", URL_FIELD).inputValue()).toBe("https://other.test/");
});

test("a failed run says what happened, and leads to the log", async () => {
  const { page } = await open("http://127.0.0.1:9/", {
    "POST /v2/scrape"() {
      throw new ServiceError("SCRAPE_SITE_ERROR");
    },
  });
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("alert").filter({ hasText: "Time" }).waitFor();
  await page.getByRole("link", { name: "Show in the log" }).click();
  await expect.poll(() => page.url()).toContain("/dashboard/requests?search=");
});

test("blocks are walked by keyboard, each with its text", async () => {
  const { page, complaints, sent } = await open("https://site.test/lichens.pdf", {
    "POST /v2/scrape": ofPictures["POST /v2/scrape"],
    "GET /admin/api/requests/{id}/pages/{n}.png": new Outgoing(Buffer.from(PIXEL, "base64"), {
      type: "image/png",
    }),
  });
  await page.getByRole("button", { name: "pdf", exact: true }).click();
  await page.getByRole("switch", { name: "Blocks" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("tab", { name: "Blocks" }).click();
  expect(sent("POST /v2/scrape")[0]?.body).toMatchObject({ parsers: [{ type: "pdf", blocks: true }] });
  const boxes = page.getByRole("group", { name: "Page 1" }).getByRole("button");
  await boxes.first().focus();
  await page.keyboard.press("ArrowDown");
  const passages = page.getByRole("group", { name: "Text in reading order" }).getByRole("button");
  await expect.poll(() => passages.first().getAttribute("aria-pressed")).toBe("true");
  await passages.last().click();
  await expect.poll(() => boxes.last().getAttribute("aria-pressed")).toBe("true");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

const PARSED = {
  markdown: "# The report",
  metadata: {
    sourceFile: "report.html",
    statusCode: 200,
    contentType: "text/html",
    proxyUsed: "basic",
    scrapeId: SCRAPE_ID,
    creditsUsed: 1,
    concurrencyLimited: false,
  },
};

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

test("a tool's button leads to the playground, with the tool chosen and an example filled in", async () => {
  const { page, complaints, sent } = await screens.visit("/dashboard/tools");
  await page.getByRole("link", { name: "Try Forecast" }).click();
  const tool = page.getByRole("combobox", { name: "Tool", exact: true });
  await tool.waitFor();
  expect(await tool.locator("option:checked").innerText()).toContain(": Forecast");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("region", { name: "Result" }).getByText("celsius").waitFor();
  expect(sent("POST /admin/api/providers/{id}/try")[0]?.body).toMatchObject({
    capability: "forecast",
    options: { city: "Bern" },
  });
  expect(complaints).toEqual([]);
});
