import type { Page, Response } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { accessibilityProblems, look, LOOKS, overflow } from "./pages.ts";
import { type Screens, sharedScreens } from "./screens.ts";

/** Of all that is sent for the page, fonts and the OpenAPI document with it. */
const MAX_BYTES = 120_000;

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

async function openReference(path = "/docs") {
  const visit = await screens.visit(path, {}, { isUnsettled: true });
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  return visit;
}

/** The operation of this name in the list. */
const entry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name });

test("the page takes at most 120 KB of the network, and nothing of elsewhere", async () => {
  const { page, complaints } = await screens.visit("/healthz", {}, { isUnsettled: true });
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  await page.goto(`${screens.url}/docs`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate("document.fonts.ready.then(() => true)");
  const sizes = await Promise.all(
    responses.map(async (response) => (await response.request().sizes()).responseBodySize),
  );
  const paths = responses.map((response) => new URL(response.url()).pathname);
  expect(paths).toContain("/openapi.json");
  expect(paths.filter((path) => path.endsWith(".woff2"))).toHaveLength(2);
  const packed = responses.filter((response) => response.headers()["content-encoding"] === "br");
  expect(packed.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  expect(complaints).toEqual([]);
});

test("it is clean and as wide as the window in every look, whatever is opened", async () => {
  const { page, complaints } = await openReference();
  for (const how of LOOKS) {
    await look(page, how);
    for (const line of ["POST/v2/scrape", "GET/admin/api/requests", "POST/v2/parse"]) {
      await page.evaluate(`location.hash = ${JSON.stringify(line)}`);
      await page
        .getByText(line.slice(line.indexOf("/")), { exact: true })
        .first()
        .waitFor();
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      expect(await overflow(page)).toBe(0);
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await page.getByRole("link", { name: "Errors" }).click();
  await page.getByRole("cell", { name: "SCRAPE_TIMEOUT", exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the operator's part stands apart, and a search by keyboard finds in all parts", async () => {
  const { page } = await openReference();
  const operators = entry(page, "List the credit movements of a team, newest first");
  expect(await operators.count()).toBe(0);
  await page.getByRole("link", { name: "Operator", exact: true }).click();
  await operators.waitFor();
  expect(await entry(page, "Scrape a page").count()).toBe(0);
  await page.keyboard.press("/");
  await page.keyboard.type("browser profiles of the team");
  await entry(page, "List the browser profiles of the team").click();
  await page.getByRole("heading", { name: "List the browser profiles of the team", level: 1 }).waitFor();
  await expect.poll(() => page.title()).toContain("List the browser profiles of the team");
});

test("the address names the operation, and what the dashboard can try leads there, with the example filled in", async () => {
  const { page } = await openReference("/docs#POST/v2/scrape");
  await page.getByRole("link", { name: "Try it in the playground" }).click();
  await page.getByRole("button", { name: "Run" }).waitFor();
  expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://example.com");
  await page.goto(`${screens.url}/docs#POST/v2/crawl`);
  await page.getByRole("link", { name: "Try it in the playground" }).click();
  await expect.poll(() => page.getByLabel("Endpoint").inputValue()).toBe("crawl");
  await page.goto(`${screens.url}/docs#GET/v2/team/credit-usage`);
  await page.getByRole("tab", { name: "curl" }).waitFor();
  expect(await page.getByRole("link", { name: "Try it in the playground" }).count()).toBe(0);
});
