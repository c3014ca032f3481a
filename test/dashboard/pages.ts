import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

import { Resources } from "../../packages/kit/src/resources.ts";
import { findCarriedBrowser } from "../../packages/browser/src/browser.suite.ts";
import { build } from "../built.ts";
import { ADMIN_KEY, KEYED } from "../operator.ts";
import { openWorld, type World } from "../world.ts";

const ASSETS = new URL("../../dist/web/assets/", import.meta.url);

/** A busy machine that has to build first takes long. */
export const OPENING_MS = 180_000;

export const WIDTHS = [1360, 1024, 390] as const;
const THEMES = ["light", "dark"] as const;

/** Every width in both themes. */
export const LOOKS = WIDTHS.flatMap((width) => THEMES.map((colorScheme) => ({ width, colorScheme })));

export type Look = (typeof LOOKS)[number];

/** For whole journeys: every screen is seen in all looks by `every-screen.test.ts`. */
export const OPPOSITE_LOOKS = [
  { width: 1360, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const satisfies readonly Look[];

export async function look(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** A page of the dashboard, and everything on it that should not have happened. */
export interface Visit {
  readonly page: Page;
  /** Errors of scripts, of the console, of the content security policy; dialogs; requests to elsewhere. */
  readonly complaints: string[];
}

/** A service with its dashboard, and the browser of an operator. */
export interface Desk {
  readonly world: World;
  /** A page in a browser of its own; logged in with the operator's key unless told otherwise. */
  visit(path: string, options?: { readonly isLoggedOut?: boolean }): Promise<Visit>;
  close(): Promise<void>;
}

/** Builds the pages, and opens the service with these settings. */
export async function openDesk(settings: Readonly<Record<string, string>> = {}): Promise<Desk> {
  await build();
  const resources = new Resources();
  const world = resources.add(
    await openWorld({ ...KEYED, TRUSTED_PROXIES: "127.0.0.1", ...settings }),
    (opened) => opened.close(),
  );
  const contexts: BrowserContext[] = [];
  resources.add(contexts, async (opened) => {
    await Promise.all(opened.map((context) => context.close()));
  });
  let visits = 0;
  let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> | undefined;
  return {
    world,
    async visit(path, { isLoggedOut = false } = {}) {
      // Logins are counted by address: those of one visit do not hold up another.
      const headers = { "x-forwarded-for": `10.0.0.${(visits += 1)}` };
      const visit = await newVisit(world.baseUrl, { headers });
      const context = visit.page.context();
      contexts.push(context);
      if (!isLoggedOut) {
        cookies ??= await logIn(context, world.baseUrl);
        await context.addCookies(cookies);
      }
      await visit.page.goto(world.baseUrl + path);
      return visit;
    },
    close: () => resources.close(),
  };
}

interface NewVisit {
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly look?: Look | undefined;
  readonly timeoutMs?: number;
}

/** A blank page in a browser of its own, which may ask nobody but this service. */
export async function newVisit(
  baseUrl: string,
  { headers, look: chosen, timeoutMs = OPENING_MS }: NewVisit,
): Promise<Visit> {
  const browser = await (sharedBrowser ??= launchBrowser());
  const { width, colorScheme } = chosen ?? { width: WIDTHS[0], colorScheme: THEMES[0] };
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    extraHTTPHeaders: headers,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  // What never comes ends with the test; Playwright's own half a minute is short on a busy machine.
  context.setDefaultTimeout(timeoutMs);
  return openPage(context, baseUrl);
}

/** One for all files of a worker, whose end is its end: each visit has a context of its own. */
let sharedBrowser: Promise<Browser> | undefined;

/** The Chromium that all tests use. */
async function launchBrowser(): Promise<Browser> {
  const found = await findCarriedBrowser();
  if (!found) throw new Error("There is no Chromium. Install one, or the package @sparticuz/chromium.");
  return chromium.launch({
    executablePath: found.path,
    env: { ...found.environment },
    // Drawing on a processor that plays a graphics card takes a tenth more time.
    args: ["--no-sandbox", "--disable-gpu"],
    // It outlives its file: a signal that a later test sends to itself would end the worker.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function logIn(context: BrowserContext, baseUrl: string) {
  const answer = await context.request.post(`${baseUrl}/admin/session`, {
    data: { key: ADMIN_KEY },
    headers: { "x-pergamon": "dashboard", origin: baseUrl },
  });
  if (!answer.ok()) throw new Error(`The login failed: ${await answer.text()}`);
  return context.cookies();
}

/** Counts from the next page on: typing apart, and a choice is one. @returns how many there were. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("noteClick", () => (clicks += 1));
  await page.addInitScript(`
    addEventListener("pointerdown", ({ target, isTrusted }) => {
      if (isTrusted && !(target instanceof HTMLSelectElement)) noteClick();
    }, true);
    addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement || target.type === "file") noteClick();
    }, true);`);
  return () => clicks;
}

/** What a browser says of files that are gone, which is the answer that the page shows in words. */
const USUAL = /Failed to load resource: the server responded with a status of (?:401|404|4\d\d)/;

async function openPage(context: BrowserContext, baseUrl: string): Promise<Visit> {
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !USUAL.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${baseUrl}/`) && !/^(?:data|blob|about):/.test(url))
      complaints.push(`request: ${url}`);
  });
  return { page, complaints };
}

/** What the accessibility rules find wrong on the page as it is now. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ["violations"],
      reporter: "no-passes",
      // Style sheets would be fetched and read again, for a rule that is not among these.
      preload: { assets: ["media"] },
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
}

/** Compressed bytes of what the page has loaded from this build, by the end of the name. */
export async function loadedBytes(page: Page, ending: string): Promise<number> {
  const names: readonly string[] = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.split('/').pop())",
  );
  const wanted = [...new Set(names)].filter((name) => name.endsWith(ending));
  return wanted.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, ASSETS))).length, 0);
}

/** Pixels that the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

/** Waits until an expression is true in the page, whose policy keeps it from evaluating text by itself. */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(`Boolean(${expression})`))) await page.waitForTimeout(50);
}

/** Over when keys and clicks are listened to by all that is drawn: effects run after the frame that they belong to. */
const EFFECTS = `new Promise((done) =>
  requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(() => done(true))))))`;

/** Waits until a screen is drawn, nothing of it in grey, and listens. The login is no screen: wait for what follows it. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await page.evaluate("document.fonts.ready.then(() => true)");
  await page.evaluate(EFFECTS);
}

/** The name of the link, button or field that has the focus; what only scrolls has none. */
const FOCUSED = `(({ tagName, ariaLabel, innerText, labels }) =>
  /^(?:A|BUTTON|INPUT|SELECT|SUMMARY|TEXTAREA)$/.test(tagName)
    ? [ariaLabel, innerText, labels?.[0]?.innerText].filter(Boolean).join(" ").trim()
    : "")(document.activeElement)`;

/** How long the Tab key is pressed for what is not there, or not yet. */
const TABBING_MS = 20_000;

/** Goes on with the Tab key until the focus is on what has this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const startedAtMs = Date.now();
  while (Date.now() - startedAtMs < TABBING_MS) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(FOCUSED);
    if (name.test(String(focused))) return;
  }
  throw new Error(`The Tab key does not lead to ${String(name)}.`);
}
