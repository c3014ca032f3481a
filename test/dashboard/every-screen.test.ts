import { statSync } from "node:fs";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { UnauthorizedError } from "../../packages/server/src/api/errors.ts";
import { SCRAPE_ID, TEAM_ID } from "../../packages/server/src/api/example-values.ts";
import { openSite, type Site } from "../site.ts";
import { hostileAnswers, hostileText } from "./hostile-answers.ts";
import { accessibilityProblems, loadedBytes, overflow, settle, WIDTHS } from "./pages.ts";
import { example, FORBIDDEN, type Screens, sharedScreens, type ScreenVisit, VIEWER } from "./screens.ts";

const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

async function openTabs(page: Page): Promise<void> {
  for (const tab of await page.getByRole("tablist").first().getByRole("tab").all()) {
    await tab.click();
    await page.getByRole("tabpanel").first().waitFor();
  }
}

type Scene = readonly [path: string, act?: (page: Page) => Promise<void>];

const SCREENS: Readonly<Record<string, Scene>> = {
  overview: [""],
  playground: ["/playground"],
  requests: ["/requests"],
  jobs: ["/jobs"],
  monitors: ["/monitors"],
  sessions: ["/sessions"],
  tools: ["/tools"],
  usage: ["/usage"],
  keys: ["/keys"],
  teams: ["/teams"],
  team: [`/team?id=${TEAM_ID}`],
  profiles: ["/profiles"],
  cache: ["/cache"],
  "audit log": ["/audit"],
  backups: ["/backups"],
  settings: ["/settings"],
};

const BY_ID: Readonly<Record<string, Scene>> = {
  "a tool to try": [
    "/playground?tool=weather",
    (page) => page.getByRole("region", { name: "Options" }).waitFor(),
  ],
  "a request": [`/requests?id=${SCRAPE_ID}`, openTabs],
  "a response": [`/response?id=${SCRAPE_ID}`, openTabs],
  "a job": [`/jobs?id=${SCRAPE_ID}`],
  "a monitor": [`/monitors?id=${SCRAPE_ID}`],
  "a check": [`/monitors?id=${SCRAPE_ID}&check=${SCRAPE_ID}`],
  "a session": [`/sessions?id=${SCRAPE_ID}`],
  "a new key": ["/keys?new=1"],
};

/** What is opened on them. */
const DETAILS: Readonly<Record<string, Scene>> = {
  ...BY_ID,
  "a run of the playground": [`/playground?id=${SCRAPE_ID}`, openTabs],
  "a request to replay": [`/requests?id=${SCRAPE_ID}`, press("Replay with changes")],
  "a webhook secret": ["/jobs", press("Webhook secret")],
  "a new monitor": ["/monitors", press("New monitor")],
  "a new session": ["/sessions", press("Open a browser")],
  "a session to share": [`/sessions?id=${SCRAPE_ID}`, press("Share")],
  "terms of a tool": ["/tools", press("Read terms")],
  "usage by site": ["/usage?by=site"],
  "an edited key": ["/keys", press("Edit")],
  "a rotated key": ["/keys", press("Rotate")],
  "an edited team": ["/teams", press("Edit")],
  "a ledger": ["/teams", press("Ledger")],
  "a profile to delete": ["/profiles", press("Delete")],
  "a profile to import": ["/profiles", press("Import")],
  "a page to purge": ["/cache", press("Purge ")],
  "a backup to delete": ["/backups", press("Delete ")],
  "a new operator key": ["/settings", press("New operator key")],
  "settings to change": ["/settings", press("Change: ")],
};

const SCENES = Object.entries({ ...SCREENS, ...DETAILS });

let screens: Screens;
let trap: Site;

beforeAll(async () => {
  [screens, trap] = await Promise.all([sharedScreens(), openSite()]);
});

afterAll(() => trap.close());

async function open([path, act]: Scene, answers = {}): Promise<ScreenVisit> {
  const visit = await screens.visit(`/dashboard${path}`, answers);
  await act?.(visit.page);
  await settle(visit.page);
  return visit;
}

async function expectToFit({ page }: ScreenVisit): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
}

test.each(SCENES)(
  "%s opens without a complaint, fits every width, and is accessible in each theme",
  async (_name, scene) => {
    const visit = await open(scene);
    const { page, complaints } = visit;
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    // Wide, there is more to be seen.
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectToFit(visit);
    expect(await accessibilityProblems(page)).toEqual([]);
    // 1360 pixels at 200 %.
    await page.setViewportSize({ width: 680, height: 450 });
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

/** What names and addresses are shown without. */
const DECEIVING = /[\u202A-\u202E\u200B\u009F\uFEFF]/;

test.each(SCENES)(
  "on %s, markup and deceiving characters stay text, within the layout",
  async (_name, scene) => {
    const visit = await open(scene, hostileAnswers(hostileText(trap.url("/"))));
    const { page, complaints } = visit;
    await expectToFit(visit);
    const made =
      "#root :is(script, img:not(.thumbnail img), iframe:not(.screen), svg:not(.icon, .brand svg, .spark, .bars))";
    expect(await page.locator(made).count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);
    const named = await page.locator("h1, h2, .fills, .badge, .notice, .chip, .kv, option").allInnerTexts();
    expect(named.filter((text) => DECEIVING.test(text))).toEqual([]);
    expect(complaints).toEqual([]);
    expect(trap.connections()).toBe(0);
    await page.context().close();
  },
);

/** Presses every button that can be pressed once, those in dialogs before others, and sends forms as they are. */
const PRESS_ALL = `(async () => {
  const pressed = new Set(["Close", "Cancel", "Log out", "End the login"]);
  const nameOf = ({ ariaLabel, innerText }) => ariaLabel ?? innerText;
  for (;;) {
    const dialog = document.querySelector("dialog[open]");
    const buttons = [...(dialog ?? document).querySelectorAll("button:enabled")];
    const button = buttons.find((one) => !pressed.has(nameOf(one)));
    if (!button && !dialog) return pressed.size;
    if (button) pressed.add(nameOf(button));
    for (const form of document.forms) form.noValidate = true;
    if (button) button.click();
    else dialog.close();
    await new Promise((done) => setTimeout(done, 30));
  }
})()`;

test.each(Object.entries({ ...SCREENS, ...BY_ID }))(
  "on %s, a viewer finds no enabled button that is refused",
  async (_name, [path]) => {
    const { data } = example("GET /admin/session");
    const { name, role, teamId } = VIEWER;
    const session = { success: true, data: { ...data, operator: { name, role, teamId } } };
    const visit = await screens.visit(`/dashboard${path}`, { "GET /admin/session": session });
    expect(await visit.page.evaluate(PRESS_ALL)).toBeGreaterThan(6);
    await settle(visit.page);
    expect(FORBIDDEN.filter((line) => visit.sent(line).length > 0)).toEqual([]);
    await visit.page.context().close();
  },
);

test.each(Object.entries(SCREENS))("the screen %s weighs little", async (_name, [path]) => {
  const { page } = await screens.visit(`/dashboard${path}`);
  expect(await loadedBytes(page, ".js")).toBeLessThan(60_000);
  expect(await loadedBytes(page, ".css")).toBeLessThan(10_000);
  await page.context().close();
});

test("the login, its shell, weighs at most 32 KB of scripts and 10 KB of styles, the fonts at most 53 KB", async () => {
  const answers = {
    "GET /admin/session": () => {
      throw new UnauthorizedError("Unauthorized");
    },
  };
  const { page } = await screens.visit("/dashboard", answers, { isUnsettled: true });
  await page.getByLabel("Operator key").waitFor();
  expect(await loadedBytes(page, ".js")).toBeLessThan(32_000);
  expect(await loadedBytes(page, ".css")).toBeLessThan(10_000);
  const fonts: readonly string[] = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.woff2'))",
  );
  const sizes = [...new Set(fonts)].map((name) => {
    const file = new URL(name).pathname.split("/").pop() ?? "";
    return statSync(new URL(`../../dist/web/assets/${file}`, import.meta.url)).size;
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(53_000);
});

test("what runs in a page all the same is refused by the policy", async () => {
  const { page, complaints } = await screens.visit("/dashboard/keys");
  await page.evaluate(`{
    const image = document.createElement("img");
    image.src = "${trap.url("/planted")}";
    const holder = document.createElement("div");
    holder.innerHTML = '<img src="x" onerror="globalThis.planted = 1"><a href="javascript:globalThis.planted = 1">x</a>';
    document.body.append(image, holder);
    holder.querySelector("a").click();
  }`);
  await expect
    .poll(() => complaints.filter((line) => /Content Security Policy/.test(line)).length)
    .toBeGreaterThan(1);
  expect(await page.evaluate("globalThis.planted")).toBeUndefined();
  expect(trap.connections()).toBe(0);
});
