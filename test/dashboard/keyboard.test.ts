import { Firecrawl } from "firecrawl";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ADMIN_KEY, makeTeam } from "../operator.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage } from "../site.ts";
import { type Desk, OPENING_MS, openDesk, settle, tabTo } from "./pages.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, OPENING_MS);

afterAll(() => desk.close());

/** Everything below uses the keyboard alone: what it cannot reach, it does not find. */
async function press(page: Page, name: RegExp, key = "Enter"): Promise<void> {
  await tabTo(page, name);
  const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  expect([name, outline]).toEqual([name, "solid"]);
  await page.keyboard.press(key);
}

test("log in, scrape, find it, replay it", async () => {
  const url = desk.world.site.page("/keys-only", htmlPage("<h1>Keys only</h1>"));
  const { page, complaints } = await desk.visit("/dashboard/playground", { isLoggedOut: true });
  await page.locator("#operator-key:focus").waitFor();
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("Wrong operator key.").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  await settle(page);
  await tabTo(page, /^URL/);
  await page.keyboard.type(url);
  await press(page, /^Run/);
  await page.getByRole("heading", { name: "Keys only" }).waitFor();
  await press(page, /Go to/);
  await page.getByRole("combobox", { name: "Screen, id, URL or key" }).waitFor();
  await page.keyboard.type("Requests");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Requests" }).waitFor();
  await page.getByRole("link", { name: /keys-only/ }).waitFor();
  await press(page, /keys-only/);
  await page.getByRole("button", { name: "Replay", exact: true }).waitFor();
  await press(page, /^Replay$/);
  await page.getByText("No differences").waitFor();
  expect(complaints).toEqual([]);
});

test("make a key, copy it into a client, and revoke it", async () => {
  const url = desk.world.site.page("/for-client", htmlPage("<h1>For the client</h1>"));
  const { page, complaints } = await desk.visit("/dashboard/keys");
  await settle(page);
  await press(page, /^New key/);
  await page.getByRole("dialog").waitFor();
  await tabTo(page, /^Name/);
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await page.locator(".secret code").first().waitFor();
  await press(page, /^Copy key/);
  await page.locator(".toast").getByText("Copied.").waitFor();
  const apiKey = String(await page.evaluate("navigator.clipboard.readText()"));
  const client = new Firecrawl({ apiUrl: desk.world.baseUrl, apiKey });
  expect((await client.scrape(url)).markdown).toContain("For the client");
  await press(page, /^I have copied it/);
  await page.getByRole("row", { name: "by keyboard" }).waitFor();
  await press(page, /^Revoke by keyboard/);
  await page.getByRole("dialog").waitFor();
  await press(page, /^Revoke$/);
  await page.getByRole("row", { name: "by keyboard" }).getByText("revoked").waitFor();
  await expect(client.scrape(url)).rejects.toMatchObject({ status: 401 });
  expect(complaints).toEqual([]);
});

test("scrape a document, and walk its blocks", async () => {
  const pdf = writePdf({ pages: [textPage("Growth of lichens", "Colonies were measured.")] });
  const url = desk.world.site.page("/lichens.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
  const { page, complaints } = await desk.visit("/dashboard/playground");
  await settle(page);
  await tabTo(page, /^URL/);
  await page.keyboard.type(url);
  await press(page, /^pdf/, "Space");
  await page.getByRole("switch", { name: "Blocks" }).waitFor();
  await press(page, /^Blocks/, "Space");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("tab", { name: "Blocks" }).waitFor();
  await tabTo(page, /^Markdown$/);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("group", { name: "Page 1" }).getByRole("button").first().waitFor();
  await tabTo(page, /Growth of lichens/);
  await page.keyboard.press("ArrowDown");
  const passages = page.getByRole("group", { name: "Text in reading order" }).getByRole("button");
  await expect.poll(() => passages.and(page.locator("[aria-pressed=true]")).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("open a live session, work in it, take it over and end it", async () => {
  const { world } = desk;
  const team = await makeTeam(world, { name: "Research", credits: 1000 });
  const url = world.site.page("/alive", htmlPage("<h1>Alive</h1>", "<title>Alive</title>"));
  const { body } = await team.scrape({ url });
  await fetch(`${world.baseUrl}/v2/scrape/${body.data.metadata.scrapeId}/interact`, {
    method: "POST",
    headers: { ...team.headers, "content-type": "application/json" },
    body: JSON.stringify({ code: "1" }),
  });
  const { page, complaints } = await desk.visit("/dashboard/sessions");
  await settle(page);
  await press(page, /\/alive$/);
  await page.getByRole("button", { name: "Take over" }).waitFor();
  await tabTo(page, /^Code in Node/);
  await page.keyboard.type("await page.title()");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log").getByText("Alive").waitFor();
  await press(page, /^Take over/);
  await page.getByRole("button", { name: "Release" }).waitFor();
  // The picture takes the keyboard as soon as it is there.
  await page.frameLocator("iframe.screen").locator("#view:focus").waitFor();
  // Within the page all keys are the page's, but for the ones that lead out of it.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Escape");
  await press(page, /^End session/);
  await page.getByRole("dialog").waitFor();
  await press(page, /^End now/);
  await page.getByText("ended by the client or here").waitFor();
  expect(complaints).toEqual([]);
});
