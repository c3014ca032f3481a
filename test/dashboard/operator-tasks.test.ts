import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Firecrawl } from "firecrawl";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { hasPythonClient, PYTHON } from "../installed-clients/clients.ts";
import { makeTeam, operate, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

const run = promisify(execFile);

let desk: Desk;
let team: TestTeam;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "operator-tasks-"));
  // The official client, as somebody who pastes code has installed it.
  await symlink(new URL("../../node_modules", import.meta.url).pathname, join(folder, "node_modules"));
  desk = await openDesk({ PROFILE_SAVE_ON_SCRAPE: "true" });
  team = await makeTeam(desk.world, { name: "Research", credits: 1000 });
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

/** What operators come for, in so many clicks: typing apart, and a choice from a list is one. */
interface Task {
  readonly page: Page;
  /** Clicks since the overview was opened. */
  readonly clicks: () => number;
}

/** Begins where everybody does: on the overview. */
async function begin(on: Desk = desk): Promise<Task> {
  const { page } = await on.visit("/healthz");
  let clicks = 0;
  await page.exposeFunction("noteClick", () => (clicks += 1));
  await page.addInitScript(`
    addEventListener("pointerdown", ({ target, isTrusted }) => {
      if (isTrusted && !(target instanceof HTMLSelectElement)) noteClick();
    }, true);
    addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement || target.type === "file") noteClick();
    }, true);`);
  await page.goto(`${on.world.baseUrl}/dashboard`);
  await settle(page);
  return { page, clicks: () => clicks };
}

/** By the side bar, where some screens have a count beside their names. */
async function open(page: Page, screen: string): Promise<void> {
  await page
    .getByRole("link", { name: new RegExp(`^${screen}\\b`) })
    .first()
    .click();
  await page.getByRole("heading", { name: screen, level: 1 }).waitFor();
  await settle(page);
}

test("why did this scrape fail? One click", async () => {
  await team.scrape({ url: "http://10.1.2.3/private" });
  const { page, clicks } = await begin();
  await page.getByRole("link", { name: "10.1.2.3/private" }).first().click();
  const drawer = page.locator(".drawer");
  await drawer.getByText("Connection violated security rules").first().waitFor();
  await drawer.getByText("If this private target is yours").waitFor();
  expect(clicks()).toBe(1);
});

test("what costs most? Two clicks, sessions counted", async () => {
  const url = desk.world.site.page("/dear", htmlPage("<h1>Dear</h1>"));
  const { body } = await team.scrape({ url });
  const path = `${desk.world.baseUrl}/v2/scrape/${body.data.metadata.scrapeId}/interact`;
  const headers = { ...team.headers, "content-type": "application/json" };
  await fetch(path, { method: "POST", headers, body: JSON.stringify({ code: "1" }) });
  await fetch(path, { method: "DELETE", headers });
  const { page, clicks } = await begin();
  await open(page, "Usage");
  await page.getByLabel("Group by").selectOption("kind");
  await page.getByRole("link", { name: "session", exact: true }).waitFor();
  const credits = await creditsByName(page);
  const used = 1000 - (await team.remaining());
  expect(credits.get("session")).toBeGreaterThan(0);
  expect([...credits.values()].reduce((sum, one) => sum + one, 0)).toBe(used);
  expect(clicks()).toBe(2);
});

/** Of the breakdown that is shown. */
async function creditsByName(page: Page): Promise<ReadonlyMap<string, number>> {
  const rows = page.locator(".panel", { has: page.getByLabel("Group by") }).locator("tbody tr");
  const texts = await rows.evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.innerText.trim())),
  );
  return new Map(texts.map(([name = "", , , credits = ""]) => [name, Number(credits.replaceAll(",", ""))]));
}

test("who used how many credits this week? Two clicks", async () => {
  const { page, clicks } = await begin();
  await open(page, "Usage");
  await page.getByLabel("Period").selectOption("week");
  await settle(page);
  await expect
    .poll(async () => (await creditsByName(page)).get("Research"))
    .toBe(1000 - (await team.remaining()));
  expect(clicks()).toBe(2);
});

test("a key for a colleague, Markdown alone and a hundred credits: at most four clicks", async () => {
  const url = desk.world.site.page("/for-colleague", htmlPage("<h1>For the colleague</h1>"));
  const { page, clicks } = await begin();
  await page.getByRole("link", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("colleague");
  await dialog.getByRole("button", { name: "markdown", exact: true }).click();
  await dialog.getByLabel("Credits").fill("100");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const apiKey = (await page.locator(".secret code").first().textContent()) ?? "";
  expect(clicks()).toBeLessThanOrEqual(4);
  const client = new Firecrawl({ apiUrl: desk.world.baseUrl, apiKey });
  expect((await client.scrape(url, { formats: ["markdown"] })).markdown).toContain("For the colleague");
  await expect(client.scrape(url, { formats: ["html"] })).rejects.toMatchObject({ status: 403 });
  const { body } = await operate(desk.world, "GET teams/default/keys");
  expect(body.data.find(({ name }) => name === "colleague")).toMatchObject({
    restrictions: { credits: 100 },
  });
});

test("data by a schema, copied as Python and JavaScript that run: at most seven clicks", async () => {
  const url = desk.world.site.page(
    "/by-schema",
    htmlPage(`<main><h1>Linen apron</h1><p>Price: <span class="price">€34.50</span></p></main>`),
  );
  const { page, clicks } = await begin();
  await open(page, "Playground");
  await page.getByLabel("URL", { exact: true }).fill(url);
  await page.getByRole("button", { name: "json", exact: true }).click();
  await page.getByRole("button", { name: "Insert example" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Linen apron").first().waitFor();
  await page.getByRole("button", { name: "Copy as code" }).click();
  const copied = async (language: string) => {
    await page.getByRole("tab", { name: language, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied.").first().waitFor();
    return String(await page.evaluate("navigator.clipboard.readText()"));
  };
  const python = await copied("Python");
  expect(clicks()).toBeLessThanOrEqual(7);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    PERGAMON_API_KEY: team.headers.authorization.slice(7),
  };
  const program = join(folder, "copied.py");
  await writeFile(program, python);
  const code = hasPythonClient ? [program] : ["-m", "py_compile", program];
  const said = (await run(PYTHON, code, { env, cwd: folder })).stdout;
  expect(hasPythonClient ? said : "Linen apron").toContain("Linen apron");
  await writeFile(join(folder, "copied.mjs"), await copied("JavaScript"));
  const { stdout } = await run(process.execPath, ["copied.mjs"], { env, cwd: folder });
  expect(stdout).toContain("Linen apron");
});

test("a live session is watched and taken over: three clicks", async () => {
  const button = `<button style="position:fixed;inset:0" onclick="document.title = 'Pressed'">Press</button>`;
  const { body } = await team.scrape({
    url: desk.world.site.page("/taken", htmlPage(button, "<title>Untouched</title>")),
  });
  const path = `${desk.world.baseUrl}/v2/scrape/${body.data.metadata.scrapeId}/interact`;
  const headers = { ...team.headers, "content-type": "application/json" };
  const say = async (code: string) =>
    (await fetch(path, { method: "POST", headers, body: JSON.stringify({ code }) })).text();
  await say("1");
  const { page, clicks } = await begin();
  await open(page, "Sessions");
  await page.getByRole("link", { name: "/taken" }).click();
  await page.getByRole("button", { name: "Take over" }).click();
  const screen = page.frameLocator("iframe.screen");
  await screen.locator("body[data-interactive=true] #state[hidden]").waitFor({ state: "attached" });
  expect(clicks()).toBe(3);
  await screen.locator("#view").click({ position: { x: 100, y: 100 } });
  await expect.poll(() => say("await page.title()"), { timeout: 20_000 }).toContain("Pressed");
  await fetch(path, { method: "DELETE", headers });
});

test("a request is found by its URL, replayed, and what changed is shown: three clicks", async () => {
  const price = (euros: number) => htmlPage(`<h1>Linen towel</h1><p>Price: ${euros} euros.</p>`);
  const url = desk.world.site.page("/earlier", price(39));
  await team.scrape({ url });
  desk.world.site.page("/earlier", price(34));
  const { page, clicks } = await begin();
  await open(page, "Requests");
  await page.keyboard.press("/");
  await page.keyboard.type("/earlier");
  await page.getByText("1 request", { exact: true }).waitFor();
  await page.getByRole("link", { name: url.replace("http://", "") }).click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const differences = page.getByRole("region", { name: "Markdown differences" });
  await differences.waitFor();
  expect(await differences.innerText()).toMatch(/39 euros[^]*34 euros/);
  expect(clicks()).toBe(3);
});

test("a profile is exported before its deletion and restored: at most four clicks each", async () => {
  const url = desk.world.site.page("/login", (_request, response) => {
    response
      .setHeader("set-cookie", "session=kept; path=/; max-age=3600")
      .setHeader("content-type", "text/html");
    response.end(htmlPage("<h1>Logged in</h1>"));
  });
  const actions = [{ type: "wait", milliseconds: 1 }];
  await team.scrape({ url, profile: { name: "shop" }, actions });
  const deleting = await begin();
  await open(deleting.page, "Profiles");
  await deleting.page.getByRole("button", { name: "Delete shop" }).click();
  const dialog = deleting.page.getByRole("dialog");
  await dialog.getByText("This cannot be undone.").waitFor();
  const downloading = deleting.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export first" }).click();
  const file = join(folder, "shop.profile.json");
  await (await downloading).saveAs(file);
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await deleting.page.getByText("No profiles").waitFor();
  expect(deleting.clicks()).toBeLessThanOrEqual(4);

  const { page, clicks } = await begin();
  await open(page, "Profiles");
  await page.getByRole("button", { name: "Import" }).click();
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await page.getByRole("row", { name: "shop" }).waitFor();
  expect(clicks()).toBeLessThanOrEqual(4);
  let cookie: string | undefined;
  const again = desk.world.site.page("/who", (request, response) => {
    cookie = request.headers.cookie;
    response.setHeader("content-type", "text/html").end(htmlPage("<h1>Who</h1>"));
  });
  await team.scrape({ url: again, profile: { name: "shop", saveChanges: false } });
  expect(cookie).toContain("session=kept");
});
