import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage } from "../site.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, overflow, settle } from "./pages.ts";

const SHOP = {
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Linen apron",
  brand: { "@type": "Brand", name: "Fjell" },
  description: "A heavy apron of washed linen.",
  sku: "AP-1",
  offers: {
    "@type": "Offer",
    price: "34.00",
    priceCurrency: "EUR",
    availability: "https://schema.org/InStock",
  },
};

const MENU = {
  "@context": "https://schema.org",
  "@type": "Restaurant",
  name: "The Slate",
  hasMenu: {
    "@type": "Menu",
    hasMenuSection: [
      {
        "@type": "MenuSection",
        name: "Soups",
        hasMenuItem: [
          {
            "@type": "MenuItem",
            name: "Leek soup",
            offers: { "@type": "Offer", price: "7.50", priceCurrency: "EUR" },
          },
          {
            "@type": "MenuItem",
            name: "Barley broth",
            offers: { "@type": "Offer", price: "8", priceCurrency: "EUR" },
          },
        ],
      },
    ],
  },
};

const ARTICLE = `<title>Slopes</title><main><h1>Slopes of Elmstad</h1>
  <p>The harbour was measured for ten years by the same three people.</p>
  <p>The north slope grew 4.1 mm in 2026. Nobody had expected that.</p>
  <p>The south slope did not grow at all.</p><a href="/one">One</a></main>`;

let desk: Desk;
let team: TestTeam;
let articleUrl: string;
let shipsUrl: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  desk = await openDesk();
  const { site } = desk.world;
  team = await makeTeam(desk.world, { name: "Research", credits: 1000 });
  const shop = site.page("/shop", htmlPage(withData(SHOP, "<h1>Linen apron</h1><p>€ 34.00</p>")));
  const menu = site.page("/menu", htmlPage(withData(MENU, "<h1>The Slate</h1><h2>Soups</h2>")));
  const article = site.page("/article", htmlPage(ARTICLE));
  articleUrl = article;
  const selectors = [{ selector: "a", attribute: "href" }];
  await scrape("product", { url: shop, formats: ["product"] });
  await scrape("menu", { url: menu, formats: ["menu"] });
  await scrape("facts", {
    url: article,
    formats: [
      { type: "question", question: "How fast did the north slope grow?" },
      { type: "highlights", query: "south slope" },
      { type: "attributes", selectors },
    ],
  });
  const schema = {
    type: "object",
    properties: {
      title: { type: "string", "x-selector": "h1" },
      growth: { type: "string", "x-selector": "p:nth-of-type(2)" },
    },
  };
  await scrape("evidence", { url: article, formats: [{ type: "json", schema, citeSources: true }] });
  const ship = (name: string, tonnes: number) =>
    `<li class="ship"><b>${name}</b> <span class="tonnes">${tonnes}</span></li>`;
  const ships = `<ul>${ship("Anna", 1200)}${ship("Bertha", 900)}</ul><ol><li>Salt</li><li>Grain</li></ol>`;
  shipsUrl = site.page("/ships", htmlPage(`<main><h1>Ships</h1>${ships}</main>`));
  await scrape("ships", { url: shipsUrl, formats: ["markdown"] });
  const invoice = site.page("/invoice.pdf", (_request, response) => {
    response.setHeader("content-type", "application/pdf");
    response.end(writePdf({ pages: [textPage("Cover"), textPage("Invoice number: 4711")] }));
  });
  const numbered = { type: "object", properties: { invoiceNumber: { type: "string" } } };
  await scrape("invoice", { url: invoice, formats: [{ type: "json", schema: numbered, citeSources: true }] });
  const tracked = ["markdown", { type: "changeTracking", modes: ["git-diff"] }];
  await scrape("before", { url: article, formats: tracked });
  site.page("/article", htmlPage(ARTICLE.replace("4.1 mm", "5.2 mm")));
  await scrape("change", { url: article, formats: tracked, maxAge: 0 });
}, OPENING_MS);

afterAll(() => desk.close());

test("an answer stands first, with the lines of the page that it comes from", async () => {
  const { page, complaints } = await open("facts");
  await page.getByText("From 2 lines of the page").waitFor();
  expect(await page.locator(".answered").innerText()).toContain("grew 4.1 mm");
  await page.locator("mark", { hasText: "The north slope grew 4.1 mm in 2026." }).waitFor();
  await page.getByRole("button", { name: /^line/ }).first().click();
  await page.getByRole("tab", { name: "Highlights" }).click();
  await page.locator("mark", { hasText: "The south slope did not grow at all." }).waitFor();
  // The tab is a part of the address.
  await page.reload();
  await page.locator("mark", { hasText: "The south slope" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("tab", { name: "Attributes" }).click();
  await page.getByText("a [href]").waitFor();
  expect(complaints).toEqual([]);
});

test("a value that is touched shows where it stands on the page", async () => {
  const { page, complaints } = await open("evidence");
  await page.getByRole("tab", { name: "Evidence" }).click();
  await page.getByText("Found by selector, 100 % sure").waitFor();
  await page.locator("mark", { hasText: "Slopes of Elmstad" }).waitFor();
  await page.getByRole("button", { name: /^growth/ }).focus();
  await page
    .locator("mark", { hasText: "The north slope grew 4.1 mm in 2026. Nobody had expected that." })
    .waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test("texts of a page that are clicked make a schema whose answer is these texts", async () => {
  const { page, complaints } = await open("evidence");
  await page.getByRole("tab", { name: "Pick values" }).click();
  const title = page.getByRole("button", { name: "Slopes of Elmstad" });
  await title.click();
  const growth = "The north slope grew 4.1 mm in 2026. Nobody had expected that.";
  await page.getByRole("button", { name: growth }).click();
  await page.getByLabel(`Name of ${growth}`).fill("growth");
  await page.getByRole("button", { name: "One", exact: true }).click();
  await page.getByRole("button", { name: "One", exact: true }).click();
  expect(await title.getAttribute("aria-pressed")).toBe("true");
  expect(await accessibilityProblems(page)).toEqual([]);
  const schema = JSON.parse(await page.locator("pre.source").innerText()) as object;
  const { body } = await team.scrape({ url: articleUrl, formats: [{ type: "json", schema }] });
  expect(body.data.json).toEqual({ title: "Slopes of Elmstad", growth: growth.replace("4.1", "5.2") });
  expect(await page.getByRole("link", { name: "Open in the playground" }).getAttribute("href")).toContain(
    "#request=",
  );
  expect(complaints).toEqual([]);
});

test("a value of a document is outlined on the picture of its page", async () => {
  const { page, complaints } = await open("invoice");
  await page.getByRole("tab", { name: "Evidence" }).click();
  const sheet = page.getByRole("group", { name: "Page 2" });
  const [picture, outline] = [sheet.locator("img"), sheet.getByRole("button", { name: "text value" })];
  await expect
    .poll(() => picture.evaluate((drawn) => (drawn as unknown as { naturalWidth: number }).naturalWidth), {
      timeout: 30_000,
    })
    .toBeGreaterThan(100);
  const [whole, part] = [await picture.boundingBox(), await outline.boundingBox()];
  // The line is 72 points from the left, and 72 from the top, of 612 by 792.
  const left = ((part?.x ?? 0) - (whole?.x ?? 0)) / (whole?.width ?? 1);
  const top = ((part?.y ?? 0) - (whole?.y ?? 0)) / (whole?.height ?? 1);
  expect([left > 0.08 && left < 0.3, top > 0.05 && top < 0.11]).toEqual([true, true]);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a text that is clicked becomes all of its list, and texts of the same items one object", async () => {
  const { page, complaints } = await open("ships");
  await page.getByRole("tab", { name: "Pick values" }).click();
  for (const [at, text] of ["Anna", "1200", "Salt"].entries()) {
    await page.getByRole("button", { name: text, exact: true }).click();
    await page.getByLabel("All 2 like this").nth(at).check();
  }
  await page.getByLabel("Name of Salt").fill("cargo");
  expect(await accessibilityProblems(page)).toEqual([]);
  const schema = JSON.parse(await page.locator("pre.source").innerText()) as object;
  const { body } = await team.scrape({ url: shipsUrl, formats: [{ type: "json", schema }] });
  expect(body.data.json).toEqual({
    cargo: ["Salt", "Grain"],
    ships: [
      { value: "Anna", tonnes: 1200 },
      { value: "Bertha", tonnes: 900 },
    ],
  });
  expect(complaints).toEqual([]);
});

test.each([
  ["product", "In stock"],
  ["menu", "Leek soup"],
  ["change", "5.2 mm"],
] as const)("a view shows %s, wide and on a phone", async (name, text) => {
  const { page, complaints } = await open(name);
  if (name === "change") await page.getByRole("tab", { name: "Changes" }).click();
  await page.getByText(text).first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test.each(["product", "menu", "change", "facts"])(
  "all tabs of %s are walked forth and back",
  async (name) => {
    const { page, complaints } = await open(name);
    const tabs = page.getByRole("tablist", { name: "Response" }).getByRole("tab");
    const names = await tabs.allInnerTexts();
    for (const tab of [...names, ...names.toReversed()]) {
      await tabs.filter({ hasText: new RegExp(`^${tab}$`) }).click();
      await settle(page);
      expect(await page.getByText("This screen failed.").count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  },
);

test("the captured page stands beside its Markdown, from the drawer in one click", async () => {
  const { page, complaints } = await desk.visit(`/dashboard/requests?id=${ids.get("facts")}`);
  const large = page.getByRole("link", { name: "Open large" });
  const tab = page.getByRole("tab", { name: "Timing" });
  // On one line, also where the list stands beside it.
  const [largeBox, tabBox] = [await large.boundingBox(), await tab.boundingBox()];
  expect(Math.abs((largeBox?.y ?? 0) - (tabBox?.y ?? 99))).toBeLessThan(12);
  await large.click();
  await page.getByRole("tab", { name: "Page and Markdown" }).click();
  await page.getByRole("button", { name: "Page, without scripts and images" }).click();
  await page.frameLocator("iframe").getByRole("heading", { name: "Slopes of Elmstad" }).waitFor();
  await page.locator(".paper-text h1", { hasText: "Slopes of Elmstad" }).waitFor();
  await settle(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

async function scrape(name: string, request: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await team.scrape(request);
  ids.set(name, body.data.metadata.scrapeId);
}

async function open(name: string) {
  const visit = await desk.visit(`/dashboard/response?id=${ids.get(name)}`);
  await settle(visit.page);
  return visit;
}

function withData(data: object, body: string): string {
  return `<script type="application/ld+json">${JSON.stringify(data)}</script><main>${body}</main>`;
}

test("on a phone five places are at the thumb, and More leads to all others", async () => {
  const { page, complaints } = await desk.visit("/dashboard");
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(page);
  const bar = page.getByRole("navigation", { name: "Places" });
  expect(await bar.getByRole("link").allInnerTexts()).toEqual([
    "Overview",
    "Playground",
    "Requests",
    "Jobs",
    "Usage",
  ]);
  await bar.getByRole("button", { name: "More" }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await settle(page);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the service's own page has the dashboard's colours, and leads to it", async () => {
  const { page, complaints } = await desk.visit("/");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBe(0);
  await page.getByRole("link", { name: "Open dashboard" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(complaints).toEqual([]);
});
