import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { operate } from "../operator.ts";
import { openSite, type Site } from "../site.ts";
import { type Desk, OPENING_MS, openDesk, overflow, settle, type Visit } from "./pages.ts";

/** What a page does that wants to reach the operator. */
function hostilePage(trap: string): string {
  const script = `fetch("${trap}/script");alert(1)`;
  return `<!doctype html><html><head><meta charset="utf-8"><title>&lt;img src=x onerror=${script}&gt;</title>
<meta name="description" content='</script><script>${script}</script>'>
<meta http-equiv="refresh" content="600;url=${trap}/refresh"><base href="${trap}/base/">
<link rel="stylesheet" href="${trap}/style.css"></head><body>
<h1>Hostile &lt;script&gt;${script}&lt;/script&gt;</h1>
<script>${script}</script><img src="${trap}/picture.png" onerror='${script}' alt="<b>bold</b>">
<svg onload='${script}'><use href="${trap}/use.svg#x"></use></svg><iframe src="${trap}/frame"></iframe>
<p style="background:url(${trap}/background)">Text</p><form action="${trap}/form"><button>Send</button></form>
<a href="javascript:${script}">Script link</a> <a href="data:text/html,<script>${script}</script>">Data link</a>
<a href="${trap}/\u202Egpj.exe">\u202Ereversed\u202C</a> <a href="${trap}/zero\u200Bwidth">zero\u200Bwidth</a>
<p>${"long".repeat(60_000)}</p><p>مرحبا بالعالم</p></body></html>`;
}

let desk: Desk;
let trap: Site;
let visit: Visit;
let url: string;

beforeAll(async () => {
  [desk, trap] = await Promise.all([openDesk(), openSite()]);
  const trapUrl = trap.url("").replace(/\/$/, "");
  const markup = `<img src="${trapUrl}/name" onerror="alert(1)">\u202E`;
  url = desk.world.site.page("/%3Cscript%3Ealert(1)%3C/script%3E", hostilePage(trapUrl));
  await operate(desk.world, "POST teams", { name: markup });
  await operate(desk.world, "POST teams/default/keys", { name: markup });
  visit = await desk.visit(`/dashboard/playground?url=${encodeURIComponent(url)}`);
  await scrapeAll(visit.page);
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await trap.close();
});

/** The scrape itself calls nobody but the page. */
async function scrapeAll(page: Page): Promise<void> {
  await settle(page);
  for (const format of ["html", "rawHtml", "links", "images"]) {
    await page.getByRole("button", { name: format, exact: true }).click();
  }
  await page.getByRole("switch", { name: "Only main content" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Hostile <script>" }).waitFor();
}

test("nothing of a hostile page runs, opens a window or calls out, whatever tab shows it", async () => {
  const { page, complaints } = visit;
  const before = trap.connections();
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await page.getByRole("tabpanel").waitFor();
    expect.soft([await tab.innerText(), await overflow(page)]).toEqual([await tab.innerText(), 0]);
  }
  expect(await page.locator("main script, main svg:not(.icon), main iframe, main form form").count()).toBe(0);
  expect(complaints).toEqual([]);
  expect(trap.connections()).toBe(before);
});

test("its links are shown in full, and only addresses of the web can be opened", async () => {
  const { page, complaints } = visit;
  await page.getByRole("tab", { name: "Links" }).click();
  await page.locator(".addresses li").first().waitFor();
  const links = await page.locator(".addresses li").allInnerTexts();
  expect(links.join("\n")).not.toMatch(/[\u202E\u200B]/);
  expect(await page.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);
  await page.getByRole("tab", { name: "Markdown", exact: true }).click();
  await page.locator(".paper-text h1").waitFor();
  expect(await page.locator('.paper-text a[href^="javascript:"], .paper-text img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("HTML as a page is a frame that can do nothing", async () => {
  const { page, complaints } = visit;
  const before = trap.connections();
  await page.getByRole("tab", { name: "HTML", exact: true }).click();
  await page.getByRole("button", { name: "Rendered, without scripts and images" }).click();
  const frame = page.frameLocator("iframe.frame");
  await frame.locator("h1").waitFor();
  expect(await page.locator("iframe.frame").getAttribute("sandbox")).toBe("");
  expect(trap.connections()).toBe(before);
  // What the policy of the frame refused is told in the console: that is it at work.
  const others = complaints
    .splice(0)
    .filter(
      (complaint) => !/Content Security Policy|sandboxed|Blocked script|Unsafe attempt/.test(complaint),
    );
  expect(others.filter((complaint) => !complaint.startsWith(`request: ${trap.url("")}`))).toEqual([]);
});

test.each(["", "/requests", "/keys", "/teams", "/cache", "/usage"])(
  "names and addresses that are markup stay text on %s",
  async (path) => {
    const { page, complaints } = visit;
    await page.goto(`${desk.world.baseUrl}/dashboard${path}`);
    await settle(page);
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(complaints.splice(0)).toEqual([]);
  },
);

test("a line of ten megabytes is shown in part, and the page can still be used", async () => {
  const { page, complaints } = await desk.visit("/dashboard/playground?url=https%3A%2F%2Flong.test");
  const markdown = "long".repeat(2_500_000);
  await page.route("**/v2/scrape", (route) =>
    route.fulfill({
      json: { success: true, data: { markdown, metadata: { statusCode: 200, creditsUsed: 1 } } },
    }),
  );
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The rest is too long to be rendered here.").waitFor();
  expect(await overflow(page)).toBe(0);
  await page.getByRole("button", { name: "Source" }).click();
  await page.getByText("9,800,000 characters more").waitFor();
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});
