import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KEYED, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld } from "../world.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

let desk: Desk;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "never-stuck-"));
  desk = await openDesk({ DATA_DIR: folder });
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tabs of one browser, all on the overview. */
async function openTabs(first: Page, count: number): Promise<readonly Page[]> {
  const more = await Promise.all(
    Array.from({ length: count - 1 }, async () => {
      const tab = await first.context().newPage();
      await tab.goto(`${desk.world.baseUrl}/dashboard`);
      return tab;
    }),
  );
  const tabs = [first, ...more];
  for (const tab of tabs) await tab.getByText("Pages in progress").waitFor();
  return tabs;
}

/** How many streams of events the service has open. */
async function streams(): Promise<number> {
  const { body } = await operate(desk.world, "GET overview");
  return (body.data as unknown as { readonly now: { readonly viewers: number } }).now.viewers;
}

/** Browsers open six connections to a host: with a stream for each tab, the seventh would load nothing. */
const MORE_THAN_CONNECTIONS = 8;

test("more tabs than a browser has connections cost the service one stream, all work, and the next takes it over", async () => {
  const { page: first, complaints } = await desk.visit("/dashboard");
  const tabs = await openTabs(first, MORE_THAN_CONNECTIONS);
  expect(await streams()).toBe(1);
  await first.close();
  const last = tabs.at(-1) ?? first;
  await last.bringToFront();
  await last.getByRole("link", { name: "Requests", exact: true }).click();
  await settle(last);
  await expect.poll(streams).toBe(1);
  // A request that ends is told to a tab without a stream of its own.
  const url = desk.world.site.page("/told", htmlPage("<h1>Told</h1>"));
  const { body } = await operate(desk.world, "POST playground-key", { teamId: "default" });
  await desk.world.scrape({ url }, { authorization: `Bearer ${body.apiKey}` });
  await last
    .getByRole("button", { name: "Show 1 new request" })
    .or(last.getByRole("link", { name: url.replace("http://", "") }))
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await last.context().close();
  await expect.poll(streams).toBe(0);
});

test("a screen whose file could not be had is shown once it is there, or says what to do", async () => {
  const { page } = await desk.visit("/dashboard");
  await settle(page);
  let isDown = true;
  const withoutKeys = /\/dashboard\/assets\/keys-[^/]+\.js/;
  await page.context().route(withoutKeys, (route) => (isDown ? route.abort() : route.continue()));
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await page.getByRole("button", { name: "Reload" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await page.getByRole("heading", { name: "Teams" }).waitFor();
  isDown = false;
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page
    .getByRole("button", { name: "New key" })
    .or(page.getByRole("button", { name: "Reload" }))
    .waitFor();
  const reload = page.getByRole("button", { name: "Reload" });
  if ((await reload.count()) > 0) await reload.click();
  await page.getByRole("button", { name: "New key" }).waitFor();
});

test("a login that ends leaves what was typed, and goes on with it", async () => {
  const { page } = await desk.visit("/dashboard/teams");
  await settle(page);
  await page.getByRole("button", { name: "New team" }).click();
  const form = page.getByRole("dialog", { name: "New team" });
  await form.getByLabel("Name").fill("Typed before");
  const session = (await page.context().cookies()).filter(({ name }) => name === "pergamon_session");
  expect(session).toHaveLength(1);
  await page.context().clearCookies();
  await form.getByRole("button", { name: "Create team" }).click();
  const login = page.getByRole("dialog", { name: "Log in again" });
  await login.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await login.getByLabel("Operator key").fill("operator-key-of-the-tests");
  await login.getByRole("button", { name: "Log in" }).click();
  await login.waitFor({ state: "detached" });
  expect(await form.getByLabel("Name").inputValue()).toBe("Typed before");
  await form.getByRole("button", { name: "Create team" }).click();
  await page.getByRole("heading", { name: /key/i }).waitFor();
});

test("what is wrong in the options is not sent: it gets the focus, and is named", async () => {
  const { page } = await desk.visit("/dashboard/playground");
  await settle(page);
  const sent: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/v2/scrape") && sent.push(request.url())));
  await page.getByLabel("URL", { exact: true }).fill(desk.world.site.url("/told"));
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
  expect(sent).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("a restart in eight tabs: screens opened meanwhile are shown, and dialogs go on with what was typed", async () => {
  const { page: first } = await desk.visit("/dashboard");
  const tabs = await openTabs(first, 8);
  const [navigating, working] = [tabs.slice(0, 5), tabs.slice(5)];
  const screens = ["Keys", "Teams", "Usage", "Requests", "Profiles"];
  for (const [index, tab] of working.entries()) await DIALOGS[index]?.open(tab);
  const { port } = new URL(desk.world.baseUrl);
  await desk.world.close();
  for (const [index, tab] of navigating.entries()) {
    await tab.getByRole("link", { name: screens[index] ?? "", exact: true }).click();
    await tab.getByText("The service does not respond.").waitFor();
  }
  for (const [index, tab] of working.entries()) {
    await send(tab, DIALOGS[index]);
    await tab.getByRole("dialog").getByText("The service cannot be reached").waitFor();
  }
  const again = await openWorld({ ...KEYED, DATA_DIR: folder, PORT: port });
  try {
    for (const [index, tab] of navigating.entries()) {
      await tab.getByText("The service does not respond.").waitFor({ state: "detached" });
      await healed(tab);
      await tab.getByRole("heading", { name: screens[index] ?? "", level: 1 }).waitFor();
      await settle(tab);
      await tab.getByRole("link", { name: "Overview", exact: true }).click();
      await tab.getByText("Pages in progress").waitFor();
      expect(await tab.getByRole("alert").count()).toBe(0);
    }
    for (const [index, tab] of working.entries()) {
      await tab.getByText("The service does not respond.").waitFor({ state: "detached" });
      await send(tab, DIALOGS[index]);
      await DIALOGS[index]?.done(tab);
    }
  } finally {
    await first.context().close();
    await again.close();
  }
});

interface DialogForm {
  readonly verb: string;
  open(tab: Page): Promise<void>;
  done(tab: Page): Promise<void>;
}

/** Presses the button that sends the form. */
async function send(tab: Page, form: DialogForm | undefined): Promise<void> {
  await tab
    .getByRole("dialog")
    .getByRole("button", { name: form?.verb ?? "", exact: true })
    .click();
}

/** Forms in dialogs: how each is filled, sent, and what tells that it was taken. */
const DIALOGS: readonly DialogForm[] = [
  {
    verb: "Create team",
    async open(tab) {
      await openDialog(tab, "Teams", "New team");
      await tab.getByRole("dialog").getByLabel("Name").fill("Typed during a restart");
    },
    done: (tab) => tab.getByText("Typed during a restart").first().waitFor(),
  },
  {
    verb: "Create key",
    async open(tab) {
      await openDialog(tab, "Keys", "New key");
      await tab.getByRole("dialog").getByLabel("Name").fill("key of a restart");
    },
    async done(tab) {
      await tab.getByRole("button", { name: "I have copied it" }).click();
      await tab.getByRole("row", { name: "key of a restart" }).waitFor();
    },
  },
  {
    verb: "Save",
    async open(tab) {
      await openDialog(tab, "Teams", "Edit Default");
      await tab.getByRole("dialog").getByLabel("Concurrent requests").fill("7");
    },
    done: (tab) => tab.getByRole("dialog").waitFor({ state: "detached" }),
  },
];

async function openDialog(tab: Page, screen: string, button: string): Promise<void> {
  await tab.getByRole("link", { name: screen, exact: true }).click();
  await settle(tab);
  await tab.getByRole("button", { name: button, exact: true }).click();
  await tab.getByRole("dialog").waitFor();
}

/** Chromium remembers that a file could not be had; the screen then says so, and how it goes on. */
async function healed(tab: Page): Promise<void> {
  const reload = tab.getByRole("button", { name: "Reload" });
  await tab.locator("main .panel").first().or(reload).first().waitFor();
  if ((await reload.count()) > 0) await reload.click();
}
