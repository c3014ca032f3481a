import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import {
  accessibilityProblems,
  type Desk,
  LOOKS,
  look,
  OPENING_MS,
  openDesk,
  overflow,
  settle,
} from "./pages.ts";

let desk: Desk;
let team: TestTeam;

beforeAll(async () => {
  desk = await openDesk();
  const { world } = desk;
  team = await makeTeam(world, { name: "Research", credits: 100 });
  for (const name of ["one", "two", "three"])
    await team.scrape({ url: world.site.page(`/${name}`, htmlPage(`<h1>${name}</h1><p>Words.</p>`)) });
  // Without a model part of what is asked for is missing.
  const lacking = { url: world.site.url("/one"), formats: [{ type: "json", prompt: "The mood" }] };
  await team.scrape(lacking);
  await team.scrape({ url: "http://nowhere.invalid/" });
  await world.scrape({ url: world.site.url("/one") }, { authorization: "Bearer wrong" });
}, OPENING_MS);

afterAll(() => desk.close());

test("what is looked at stands in the address: it outlives a reload, and can be sent", async () => {
  const { page, complaints } = await desk.visit("/dashboard/requests");
  await settle(page);
  await page.getByLabel("Result").selectOption("failed");
  await page.getByRole("link", { name: "nowhere.invalid/", exact: true }).click();
  await page
    .getByRole("region", { name: "Request", exact: true })
    .getByText("DNS resolution failed for hostname")
    .waitFor();
  const sent = new URL(page.url());
  expect(Object.fromEntries(sent.searchParams)).toEqual({ result: "failed", id: expect.any(String) });
  await page.reload();
  await page
    .getByRole("region", { name: "Request", exact: true })
    .getByText("DNS resolution failed for hostname")
    .waitFor();
  expect(await page.getByLabel("Result").inputValue()).toBe("failed");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).not.toContain("id=");
  await page.keyboard.press("j");
  await expect.poll(() => page.url()).toContain("id=");
  await page.keyboard.press("/");
  await page.keyboard.type("three");
  await expect.poll(() => page.url()).toContain("search=three");
  await page.getByLabel("Result").selectOption("");
  await page.getByRole("link", { name: /\/three$/ }).waitFor();
  await page.getByText("1 request", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name").fill("Threes");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto(`${desk.world.baseUrl}/dashboard/requests`);
  await page.getByLabel("Saved view").selectOption("Threes");
  await expect.poll(() => page.url()).toContain("search=three");
  expect(complaints).toEqual([]);
});

test("numbers of Usage lead to the requests behind them", async () => {
  const { page } = await desk.visit("/dashboard/usage?span=day&by=team");
  await settle(page);
  await page.getByRole("link", { name: "SCRAPE_DNS_RESOLUTION_ERROR" }).click();
  await page.getByRole("link", { name: "nowhere.invalid/", exact: true }).waitFor();
  expect(
    await page
      .getByRole("region", { name: "Requests" })
      .getByRole("link", { name: /invalid/ })
      .count(),
  ).toBe(1);
  await page.goBack();
  await page.getByRole("link", { name: "unauthorized" }).click();
  await page.getByText("refused: unauthorized").first().waitFor();
});

test("usage of a site leads to its requests, and to its formats and keys", async () => {
  const { page, complaints } = await desk.visit("/dashboard/usage?span=day&by=site");
  await settle(page);
  const breakdown = page.getByRole("region", { name: "Breakdown" });
  const site = breakdown.getByRole("row", { name: /nowhere\.invalid/ });
  await site.getByRole("button", { name: "formats" }).click();
  await breakdown.getByRole("row", { name: /markdown/ }).waitFor();
  await expect.poll(() => page.url()).toContain("site=nowhere.invalid");
  await breakdown.getByRole("button", { name: /site: nowhere\.invalid/ }).click();
  await breakdown.getByLabel("Group by").selectOption("site");
  await site.getByRole("link", { name: "nowhere.invalid" }).click();
  await page.getByRole("link", { name: "nowhere.invalid/", exact: true }).waitFor();
  expect(page.url()).toContain("domain=nowhere.invalid");
  for (const by of ["site", "model"]) {
    await page.goto(`${desk.world.baseUrl}/dashboard/usage?by=${by}`);
    await settle(page);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test("failures are told once for each cause and site", async () => {
  const { page } = await desk.visit("/dashboard/requests");
  await settle(page);
  await page.getByText("2 failed or refused in the last 24 h").click();
  await page.getByRole("link", { name: "dns resolution error at nowhere.invalid" }).waitFor();
  for (const how of LOOKS) {
    await look(page, how);
    expect.soft([how, await overflow(page)]).toEqual([how, 0]);
  }
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("an answer that lacks something is amber, and found by that", async () => {
  const { page } = await desk.visit("/dashboard/requests?result=partial");
  await settle(page);
  await page.getByText("200 partial").first().waitFor();
  expect(await page.getByRole("region", { name: "Requests" }).locator("tbody tr").count()).toBe(1);
});

test("an opened request tells why a browser was used; ✕, Escape, j and k go through the log", async () => {
  const { site } = desk.world;
  const shell = site.page(
    "/shell",
    `<!doctype html><title>Shell</title><div id="root"></div>
      <script>document.getElementById("root").innerHTML = "<h1>Drawn by a script</h1>";</script>`,
  );
  const { body: plain } = await team.scrape({ url: site.page("/plain", htmlPage("<h1>Plain</h1>")) });
  const { body } = await team.scrape({ url: shell });
  expect(body.data.markdown).toContain("Drawn by a script");
  const { page, complaints } = await desk.visit(`/dashboard/requests?id=${body.data.metadata.scrapeId}`);
  await settle(page);
  const drawer = page.locator(".drawer");
  await drawer.getByText("http → browser (the static page had no text)").waitFor();
  await page.keyboard.press("j");
  await drawer.getByText(plain.data.metadata.scrapeId).waitFor();
  await drawer.getByText("via http").waitFor();
  await page.keyboard.press("k");
  await drawer.getByText("http → browser").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await drawer.getByRole("button", { name: "Close the request" }).click();
  await drawer.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});
