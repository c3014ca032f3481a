import { Firecrawl } from "firecrawl";
import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, overflow, settle, WIDTHS } from "./pages.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, OPENING_MS);

afterAll(() => desk.close());

test("a key for Markdown and a hundred credits is made, edited and rotated", async () => {
  const url = desk.world.site.page("/for-key", htmlPage("<h1>For the key</h1>"));
  const { page, complaints } = await desk.visit("/dashboard/keys?new=1");
  await settle(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("colleague");
  await dialog.getByRole("button", { name: "markdown", exact: true }).click();
  await dialog.getByLabel("Credits").fill("100");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const apiKey = (await page.locator(".secret code").first().textContent()) ?? "";
  const client = new Firecrawl({ apiUrl: desk.world.baseUrl, apiKey });
  expect((await client.scrape(url, { formats: ["markdown"] })).markdown).toContain("For the key");
  await expect(client.scrape(url, { formats: ["html"] })).rejects.toMatchObject({ status: 403 });
  await page.getByRole("button", { name: "I have copied it" }).click();
  const row = page.getByRole("row", { name: "colleague" });
  await row.getByText(`fc-…${apiKey.slice(-4)}`).waitFor();
  await row.getByText("of 100").waitFor();

  await page.getByRole("button", { name: "Edit colleague" }).click();
  await dialog.getByRole("button", { name: "html", exact: true }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await client.scrape(url, { formats: ["html"] })).html).toContain("For the key");

  await page.getByRole("button", { name: "Rotate colleague" }).click();
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  const rotated = (await page.locator(".secret code").first().textContent()) ?? "";
  expect(rotated).not.toBe(apiKey);
  await page.getByRole("button", { name: "I have copied it" }).click();
  const renewed = new Firecrawl({ apiUrl: desk.world.baseUrl, apiKey: rotated });
  expect((await renewed.scrape(url)).markdown).toContain("For the key");
  // The old text still works, for a day.
  expect((await client.scrape(url)).markdown).toContain("For the key");
  await row.getByText("rotated").waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the ledger tells what was left after each movement, and goes on to the oldest", async () => {
  const team = await makeTeam(desk.world, { name: "Ledger", credits: 1 });
  // One more than a page has.
  for (let more = 0; more < 200; more += 1) {
    await operate(desk.world, `POST teams/${team.teamId}/credits`, { add: 1 });
  }
  const { page } = await desk.visit("/dashboard/teams");
  await settle(page);
  await page.getByRole("button", { name: "Ledger of Ledger" }).click();
  const left = page.getByRole("dialog").locator("tbody td:last-child");
  await left.first().waitFor();
  expect(await left.allTextContents()).toEqual(Array.from({ length: 200 }, (_, row) => `${201 - row}`));
  const older = page.getByRole("button", { name: "Show older entries" });
  await older.click();
  await older.waitFor({ state: "detached" });
  await expect.poll(() => left.count()).toBe(201);
  expect(await left.last().textContent()).toBe("1");
});

test("of two operators who edit the same key, the second is told, and loses nothing that was typed", async () => {
  const team = await makeTeam(desk.world, { name: "Two operators" });
  const made = await operate(desk.world, `POST teams/${team.teamId}/keys`, { name: "shared" });
  const { page } = await desk.visit(`/dashboard/keys?team=${team.teamId}`);
  await settle(page);
  await page.getByRole("button", { name: "Edit shared" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("of the second");
  await dialog.getByLabel("Credits").fill("22");
  const first = await operate(desk.world, `PATCH keys/${made.body.keyId}`, {
    name: "of the first",
    restrictions: { formats: ["markdown"] },
  });
  expect(first.status).toBe(200);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("This key was changed in the meantime").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await dialog.getByLabel("Name").inputValue()).toBe("of the second");
  expect(await dialog.getByLabel("Credits").inputValue()).toBe("22");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit of the first" }).click();
  await dialog.getByLabel("Credits").fill("22");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { body } = await operate(desk.world, `GET teams/${team.teamId}/keys`);
  expect(body.data.find(({ keyId }) => keyId === made.body.keyId)).toMatchObject({
    name: "of the first",
    restrictions: { formats: ["markdown"], credits: 22 },
  });
});

test("a rotation without grace ends the old text at once, and keeps what was used", async () => {
  const { body } = await operate(desk.world, "POST teams", { name: "Rotating" });
  const url = desk.world.site.page("/rotate", htmlPage("<h1>Rotate</h1>"));
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
  expect((await desk.world.scrape({ url }, headersOf(body.apiKey))).status).toBe(200);
  const rotated = await operate(desk.world, `POST keys/${body.keyId}/rotate`, { graceHours: 0 });
  expect(rotated.body.keyId).toBe(body.keyId);
  expect((await desk.world.scrape({ url }, headersOf(body.apiKey))).status).toBe(401);
  expect((await desk.world.scrape({ url }, headersOf(rotated.body.apiKey))).status).toBe(200);
  const keys = await operate(desk.world, `GET teams/${body.teamId}/keys`);
  expect(keys.body.data[0]).toMatchObject({ creditsUsedThisMonth: 2, ending: rotated.body.apiKey.slice(-4) });
  expect((await operate(desk.world, `POST keys/${body.keyId}/rotate`, { graceHours: 169 })).status).toBe(400);
});

test("a team gets an allowance and limits, shows where its credits went, and is deleted with a warning", async () => {
  const team = await makeTeam(desk.world, { name: "Trial", credits: 1 });
  await team.scrape({ url: desk.world.site.page("/trial", htmlPage("<h1>Trial</h1>")) });
  const { page } = await desk.visit("/dashboard/teams");
  await settle(page);
  await page.getByRole("row", { name: "Trial" }).getByText("out of credits").waitFor();
  await page.getByRole("button", { name: "Ledger of Trial" }).click();
  await page.getByRole("dialog").getByRole("link").first().waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Edit Trial" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Allowance of credits").fill("500");
  await dialog.getByLabel("Concurrent requests").fill("3");
  await dialog.getByLabel("Zero data retention").selectOption("forced");
  const blocked = desk.world.site.page("/blocked", htmlPage("<h1>Blocked</h1>"));
  await dialog.getByLabel("Threat policy").selectOption("manual-only");
  await dialog.getByLabel("Blacklist").fill(new URL(blocked).hostname);
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const teams = await operate(desk.world, "GET teams");
  const found = teams.body.data.find(({ teamId }) => teamId === team.teamId);
  expect(found).toMatchObject({ allowance: { credits: 500, period: "month" }, limits: { concurrency: 3 } });
  expect(found).toMatchObject({
    flags: { zeroDataRetention: "forced" },
    threatPolicy: { mode: "manual-only" },
  });
  expect(await team.scrape({ url: blocked })).toMatchObject({
    status: 403,
    body: { error: expect.stringMatching(/threat/i) as string },
  });
  await page.getByRole("button", { name: "Edit Trial" }).click();
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await dialog.getByText("This cannot be undone.").waitFor();
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await page.getByRole("row", { name: "Trial" }).waitFor({ state: "detached" });
});

test("of many teams fifty are shown, and each is found by its name", async () => {
  for (let number = 1; number <= 52; number += 1) await makeTeam(desk.world, { name: `Guild ${number}` });
  const { page, complaints } = await desk.visit("/dashboard/teams");
  await settle(page);
  const rows = page.getByRole("region", { name: "Teams" }).locator("tbody tr");
  expect(await rows.count()).toBe(50);
  await page.getByRole("searchbox", { name: "Name or id of a team" }).fill("guild 52");
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.innerText()).toContain("Guild 52");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Show all" }).click();
  expect(await rows.count()).toBeGreaterThan(52);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
