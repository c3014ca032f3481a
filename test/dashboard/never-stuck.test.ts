import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { UnauthorizedError } from "../../packages/server/src/api/errors.ts";
import { requestExample } from "../../packages/server/src/history/operator/show-request.ts";
import { accessibilityProblems, OPPOSITE_LOOKS, overflow, settle, tabTo } from "./pages.ts";
import { openScreens, type Screens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await openScreens();
});

/** Browsers open six connections to a host: with a stream for each tab, the seventh would load nothing. */
const MORE_THAN_CONNECTIONS = 8;

test("more tabs than a browser has connections have one stream, all work, and the next takes it over", async () => {
  const { page: first, complaints, streams, tell } = await screens.visit("/dashboard");
  const more = await Promise.all(
    Array.from({ length: MORE_THAN_CONNECTIONS - 1 }, async () => {
      const tab = await first.context().newPage();
      await tab.goto(`${screens.url}/dashboard`);
      return tab;
    }),
  );
  for (const tab of [first, ...more]) await tab.getByText("Pages in progress", { exact: true }).waitFor();
  expect(streams()).toBe(1);
  await first.close();
  const last = more.at(-1) ?? first;
  await last.bringToFront();
  await last.getByRole("link", { name: "Requests", exact: true }).click();
  await settle(last);
  await expect.poll(streams).toBe(1);
  // A request that ends is told to a tab without a stream of its own.
  tell("request", { ...requestExample, id: "new", createdAt: new Date().toISOString() });
  await last.getByRole("button", { name: "Show 1 new request" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a screen whose file cannot be had says so, and others can be opened meanwhile", async () => {
  const { page } = await screens.visit("/dashboard");
  let isDown = true;
  const withoutKeys = /\/dashboard\/assets\/keys-[^/]+\.js/;
  await page.context().route(withoutKeys, (route) => (isDown ? route.abort() : route.continue()));
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("button", { name: "Reload" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await page.getByRole("heading", { name: "Teams" }).waitFor();
  isDown = false;
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await reloadIfToldTo(page, page.getByRole("button", { name: "New key" }));
  await page.getByRole("button", { name: "New key" }).waitFor();
});

/** Chromium remembers that a file could not be had; the screen then says so, and how it goes on. */
async function reloadIfToldTo(page: Page, shown: ReturnType<Page["locator"]>): Promise<void> {
  const reload = page.getByRole("button", { name: "Reload" });
  await shown.or(reload).first().waitFor();
  if ((await reload.count()) > 0) await reload.click();
}

test("a login that ends leaves what was typed, and goes on with it", async () => {
  let isLoggedIn = true;
  const { page, sent } = await screens.visit("/dashboard/teams", {
    "POST /admin/api/teams"() {
      if (!isLoggedIn) throw new UnauthorizedError("Unauthorized");
      return { success: true, teamId: "t", keyId: "k", apiKey: "fc-made" };
    },
  });
  await page.getByRole("button", { name: "New team" }).click();
  const form = page.getByRole("dialog", { name: "New team" });
  await form.getByLabel("Name").fill("Typed before");
  isLoggedIn = false;
  await form.getByRole("button", { name: "Create team" }).click();
  const login = page.getByRole("dialog", { name: "Log in again" });
  await login.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await login.getByLabel("Operator key").fill("the-key");
  await login.getByRole("button", { name: "Log in" }).click();
  await login.waitFor({ state: "detached" });
  isLoggedIn = true;
  await form.getByRole("button", { name: "Create team" }).click();
  await page.getByText("fc-made", { exact: true }).waitFor();
  expect(sent("POST /admin/session")[0]?.body).toEqual({ key: "the-key" });
  expect(sent("POST /admin/api/teams")[1]?.body).toMatchObject({ name: "Typed before" });
});

test("what is wrong in the options is not sent: it gets the focus, and is named", async () => {
  const { page, sent } = await screens.visit("/dashboard/playground?url=https%3A%2F%2Fexample.com");
  await page.getByLabel("Timeout").fill("abc");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Correct “Timeout” first").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("option-timeout");
  await page.getByLabel("Timeout").fill("30 s");
  await page.getByRole("button", { name: "json", exact: true }).click();
  await page.getByRole("button", { name: "Insert example" }).click();
  // Its name leads to the text.
  await page.locator("label", { hasText: /^Schema$/ }).click();
  const schema = page.getByRole("textbox", { name: "Schema" });
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Schema");
  await schema.fill('{"type":');
  await page.keyboard.press("Control+Enter");
  await page.getByText("Correct “Schema” first").waitFor();
  expect(sent("POST /v2/scrape")).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("open pages tell that the service is away, also screens that are opened then, and go on when it is back", async () => {
  const visits = await Promise.all(OPPOSITE_LOOKS.map((look) => screens.visit("/dashboard", {}, { look })));
  const opening = await screens.visit("/dashboard");
  const pages = visits.map(({ page }) => page);
  for (const page of [...pages, opening.page])
    await page.getByText("Pages in progress", { exact: true }).waitFor();
  await screens.goAway();
  for (const page of pages) {
    await page.getByText("The service does not respond.").waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await opening.page.getByRole("link", { name: "Usage", exact: true }).click();
  await opening.page.getByText("The service does not respond.").waitFor();
  await screens.comeBack();
  for (const page of pages) {
    await page.getByText("The service does not respond.").waitFor({ state: "detached" });
    // Who was logged in is so still, and goes on by keyboard.
    await tabTo(page, /^Playground/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
  }
  await opening.page.getByText("The service does not respond.").waitFor({ state: "detached" });
  await reloadIfToldTo(opening.page, opening.page.locator("main .panel").first());
  await opening.page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await settle(opening.page);
  expect(await opening.page.getByRole("alert").count()).toBe(0);
});
