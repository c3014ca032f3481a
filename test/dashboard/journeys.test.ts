import { Firecrawl } from "firecrawl";
import { afterAll, beforeAll, expect, test } from "vitest";

import { operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import {
  accessibilityProblems,
  type Desk,
  look,
  OPENING_MS,
  openDesk,
  OPPOSITE_LOOKS,
  overflow,
  settle,
} from "./pages.ts";

const [wide, narrow] = OPPOSITE_LOOKS;

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, OPENING_MS);

afterAll(() => desk.close());

test("from a first scrape to its line in the log, to its replay, to what changed", async () => {
  const { site } = desk.world;
  const url = site.page("/apron", htmlPage("<h1>Linen apron</h1><p>Price: 39 euros.</p><p>Washed soft.</p>"));
  const { page, complaints } = await desk.visit("/dashboard/playground");
  await look(page, narrow);
  await settle(page);
  await page.getByLabel("URL", { exact: true }).fill(url);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Linen apron" }).waitFor();
  site.page(
    new URL(url).pathname,
    htmlPage("<h1>Linen apron</h1><p>Price: 34 euros.</p><p>Washed soft.</p>"),
  );

  await page.getByRole("link", { name: "Requests" }).click();
  await page
    .getByRole("link", { name: url.replace("http://", "") })
    .first()
    .click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const differences = page.getByRole("region", { name: "Markdown differences" });
  await differences.waitFor();
  expect(await differences.innerText()).toMatch(/Price: 39 euros\.[^]*Price: 34 euros\./);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a new key lets the official client in until it is revoked", async () => {
  const url = desk.world.site.page("/for-client", htmlPage("<h1>For the client</h1>"));
  const { page, complaints } = await desk.visit("/dashboard/keys");
  const name = "import";
  await look(page, wide);
  await settle(page);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  const apiKey = (await page.locator(".secret code").first().textContent()) ?? "";
  const client = new Firecrawl({ apiUrl: desk.world.baseUrl, apiKey });
  expect((await client.scrape(url)).markdown).toContain("For the client");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("row", { name }).getByText("revoked").waitFor();
  await expect(client.scrape(url)).rejects.toMatchObject({ status: 401 });
  expect(complaints).toEqual([]);
});

test("of two operators who edit the same team, the second is told, and undoes nothing", async () => {
  const { body } = await operate(desk.world, "POST teams", { name: "Shared" });
  const { page } = await desk.visit("/dashboard/teams");
  await settle(page);
  await page.getByRole("button", { name: "Edit Shared" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Of the second");
  await operate(desk.world, `PATCH teams/${body.teamId}`, { name: "Of the first" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("This team was changed in the meantime").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit Of the first" }).click();
  await dialog.getByLabel("Name").fill("Of the second");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit Of the second" }).waitFor();
});

test("Ctrl K goes to a screen, and its window gives the focus back", async () => {
  const { page, complaints } = await desk.visit("/dashboard/keys");
  await settle(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Screen, id, URL or key" }).waitFor();
  await page.keyboard.type("sett");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  expect(complaints).toEqual([]);
});
