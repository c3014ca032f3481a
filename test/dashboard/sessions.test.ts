import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import {
  accessibilityProblems,
  type Desk,
  OPENING_MS,
  openDesk,
  overflow,
  settle,
  THEMES,
  WIDTHS,
} from "./pages.ts";

let desk: Desk;
let id = "";

/** Everywhere on it is a button that says how often it was pressed, in the title too. */
const PAGE = htmlPage(
  `<button style="position:fixed;inset:0" onclick="document.title = this.textContent = 'Pressed'">Press</button>`,
  "<title>Untouched</title>",
);

beforeAll(async () => {
  desk = await openDesk();
  const { world } = desk;
  const team = await makeTeam(world, { name: "Research", credits: 1000 });
  const { body } = await team.scrape({ url: world.site.page("/button", PAGE) });
  const opened = await fetch(`${world.baseUrl}/v2/scrape/${body.data.metadata.scrapeId}/interact`, {
    method: "POST",
    headers: { ...team.headers, "content-type": "application/json" },
    body: JSON.stringify({ code: "1" }),
  });
  id = ((await opened.json()) as { readonly sessionId: string }).sessionId;
}, OPENING_MS);

afterAll(() => desk.close());

test("a live session is seen, worked in, taken over and ended", async () => {
  const { page, complaints } = await desk.visit("/dashboard/sessions");
  await settle(page);
  await page.locator(".thumbnail img").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  await page.getByRole("link", { name: "/button" }).click();

  const screen = page.frameLocator("iframe.screen");
  await screen.locator("#state[hidden]").waitFor({ state: "attached" });
  expect(await screen.locator("body").getAttribute("data-interactive")).toBe("false");
  await page.getByLabel("Code in Node").fill("await page.title()");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log", { name: "Calls" }).getByText("Untouched").waitFor();
  // Everybody's steps, and where the browser is.
  const steps = page.getByRole("log", { name: "Steps" });
  await steps.getByText("node by dashboard").waitFor();
  await steps.getByText("node by the team").waitFor();
  await page.getByText(`The browser is at ${desk.world.site.url("/button")}`).waitFor();
  const widthOfScreen = async () => (await page.locator("iframe.screen").boundingBox())?.width ?? 0;
  expect(await widthOfScreen()).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Large view" }).click();
  expect(await widthOfScreen()).toBeLessThan(700);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog").getByText("/live/").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Large view" }).click();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "Take over" }).click();
  await screen.locator("body[data-interactive=true] #state[hidden]").waitFor({ state: "attached" });
  await screen.locator("#view").click({ position: { x: 100, y: 100 } });
  const title = async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).and(page.locator(":enabled")).waitFor();
    return page.getByRole("log", { name: "Calls" }).locator("article").first().innerText();
  };
  await expect.poll(title, { timeout: 20_000 }).toContain("Pressed");
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft([colorScheme, width, await overflow(page)]).toEqual([colorScheme, width, 0]);
    }
  }

  await page.getByRole("button", { name: "End session" }).click();
  await page.getByRole("button", { name: "End now" }).click();
  await page.getByText("ended by the client or here").waitFor();
  await page.getByText("The session has ended").waitFor();
  expect(complaints).toEqual([]);
});

test("one that is over can be looked up, and not be worked in", async () => {
  const { page } = await desk.visit(`/dashboard/sessions?id=${id}`);
  await page.getByText("The session has ended").waitFor();
  expect(await page.getByRole("button", { name: "Take over" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Run", exact: true }).count()).toBe(0);
});

test("a browser is opened by clicks, at a page, with links for programs and people", async () => {
  const { page, complaints } = await desk.visit("/dashboard/sessions");
  await settle(page);
  await page.getByRole("button", { name: "Open a browser" }).click();
  const dialog = page.getByRole("dialog");
  const url = desk.world.site.page("/first", htmlPage("<h1>First</h1>", "<title>First page</title>"));
  await dialog.getByLabel("First page").fill(url);
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await dialog.getByRole("button", { name: "Copy CDP URL" }).click();
  const cdpUrl = String(await page.evaluate("navigator.clipboard.readText()"));
  const browser = await chromium.connectOverCDP(cdpUrl);
  try {
    await expect.poll(() => browser.contexts()[0]?.pages()[0]?.url(), { timeout: 20_000 }).toBe(url);
  } finally {
    await browser.close();
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
  await dialog.getByRole("link", { name: "Show the session" }).click();
  await page.getByText(`The browser is at ${url}`).waitFor();
  expect(complaints).toEqual([]);
});
