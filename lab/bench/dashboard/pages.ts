import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

import { findTestBrowser } from "../../../packages/browser/src/browser.suite.ts";
import { build } from "../../../test/built.ts";
import { loadedBytes, until } from "../../../test/dashboard/pages.ts";
import { ADMIN_KEY, KEYED } from "../../../test/operator.ts";
import { htmlPage } from "../../../test/site.ts";
import { openWorld, type World } from "../../../test/world.ts";
import type { Figure } from "../report.ts";
import { quantile } from "../session-browsers.ts";
import { recordRequests } from "./recorded-requests.ts";

const ROWS = 10_000;
const OPENINGS = 5;
const KEYS = 40;
const SCROLLS = 60;
const MAX_KILOBYTES = 60;

/** Tells in the page when it could be used, which interactions took how long, and what blocked it. */
const WATCH = `
  globalThis.usableAt = 0; globalThis.interactions = []; globalThis.longTasks = [];
  const look = () => {
    if (document.querySelector("main h1") && !document.querySelector(".skeleton")) usableAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration, interactionId }) => {
    if (interactionId) interactions.push(duration);
  })).observe({ type: "event", durationThreshold: 16 });
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration)))
    .observe({ type: "longtask" });`;

/** How much the playground loads, how soon pages can be used, and how they feel. */
export async function benchPages(): Promise<readonly Figure[]> {
  await build();
  const world = await openWorld(KEYED);
  const found = await findTestBrowser();
  if (!found) throw new Error("There is no Chromium.");
  const browser = await chromium.launch({
    executablePath: found.path,
    env: { ...found.environment },
    args: ["--no-sandbox"],
  });
  try {
    await recordRequests(world);
    const context = await logIn(browser, world);
    const blank = world.site.page("/blank", htmlPage("<main><h1>Blank</h1><input aria-label=URL></main>"));
    return [
      await firstScreenFigure(context, world),
      await sizeFigure(context, world),
      ...(await openingFigures(context, world, blank)),
      await interactionFigure(context, world, blank),
      await scrollFigure(context, world),
    ];
  } finally {
    await browser.close();
    await world.close();
  }
}

async function logIn(browser: Browser, { baseUrl }: World): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  await context.addInitScript(WATCH);
  await context.request.post(`${baseUrl}/admin/session`, {
    data: { key: ADMIN_KEY },
    headers: { "x-pergamon": "dashboard", origin: baseUrl },
  });
  return context;
}

/** Scripts and styles, as browsers get them. */
async function firstScreenFigure(context: BrowserContext, { baseUrl }: World): Promise<Figure> {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/dashboard`);
  await until(page, "globalThis.usableAt > 0");
  await page.waitForLoadState("load");
  const bytes = await page.evaluate<number>(
    `performance.getEntriesByType("resource").filter(({ name }) => /\\.(?:js|css)$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  await page.close();
  return {
    name: "scripts and styles of the first screen",
    value: `${(bytes / 1000).toFixed(1)} KB brotli`,
    limit: `${MAX_KILOBYTES} KB`,
    isMet: bytes <= 1000 * MAX_KILOBYTES,
  };
}

/** With all that is fetched once a scrape has been shown on every tab. */
async function sizeFigure(context: BrowserContext, { baseUrl, site }: World): Promise<Figure> {
  const page = await context.newPage();
  const url = site.page("/page", htmlPage("<h1>Page</h1>"));
  await page.goto(`${baseUrl}/dashboard/playground?url=${encodeURIComponent(url)}`);
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".paper-text h1").waitFor();
  for (const tab of await page.getByRole("tab").all()) await tab.click();
  await page.waitForLoadState("networkidle");
  const kilobytes = (await loadedBytes(page, ".js")) / 1000;
  await page.close();
  const isMet = kilobytes <= MAX_KILOBYTES;
  return {
    name: "scripts of the playground, with every tab",
    value: `${kilobytes.toFixed(1)} KB gzip`,
    limit: `${MAX_KILOBYTES} KB`,
    isMet,
  };
}

/** Compared with an empty page, which shows how busy the machine is. */
async function openingFigures(
  context: BrowserContext,
  world: World,
  blank: string,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, rate, limitMs] of [
    ["usable after a navigation", 1, 300],
    ["usable with the CPU slowed 4 ×", 4, 1000],
  ] as const) {
    for (const screen of ["", "/playground", "/requests"]) {
      const openings: Opening[] = [];
      const floors: number[] = [];
      for (let opening = 0; opening < OPENINGS; opening += 1) {
        floors.push((await openOnce(context, blank, rate)).tookMs);
        openings.push(await openOnce(context, `${world.baseUrl}/dashboard${screen}`, rate));
      }
      const best = Math.min(...openings.map(({ tookMs }) => tookMs));
      const work = Math.min(...openings.map(({ workMs }) => workMs));
      const floor = Math.min(...floors);
      figures.push({
        name: `/dashboard${screen} ${name}`,
        value: `${best.toFixed(0)} ms, ${work.toFixed(0)} ms of CPU; a blank page ${floor.toFixed(0)} ms`,
        limit: `${limitMs} ms`,
        isMet: best <= limitMs,
      });
    }
  }
  return figures;
}

interface Opening {
  readonly tookMs: number;
  /** CPU time of the page's main thread, which a busy machine does not lengthen as it does the other. */
  readonly workMs: number;
}

async function openOnce(context: BrowserContext, url: string, slowedBy: number): Promise<Opening> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowedBy });
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(url);
  await until(page, "globalThis.usableAt > 0");
  const tookMs = Number(await page.evaluate("usableAt"));
  const { metrics } = await session.send("Performance.getMetrics");
  const work = metrics.find((metric) => metric.name === "TaskDuration")?.value ?? 0;
  await page.close();
  return { tookMs, workMs: 1000 * work };
}

/** Typing and switching options in the playground, compared with typing into an empty page. */
async function interactionFigure(
  context: BrowserContext,
  { baseUrl }: World,
  blank: string,
): Promise<Figure> {
  const formats = ["html", "links", "rawHtml", "images", "html", "links"];
  const floor = await interact(context, blank, []);
  const p95 = await interact(context, `${baseUrl}/dashboard/playground`, formats);
  return {
    name: "interaction, p95",
    value: `${p95.toFixed(0)} ms; on a blank page ${floor.toFixed(0)} ms`,
    limit: "50 ms",
    isMet: p95 <= 50,
  };
}

/** Durations below 16 ms are not reported, and count as 16 ms. */
async function interact(context: BrowserContext, url: string, buttons: readonly string[]): Promise<number> {
  const page = await context.newPage();
  await page.goto(url);
  await until(page, "globalThis.usableAt > 0");
  await page.getByLabel("URL", { exact: true }).click();
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.type("a");
  for (const name of buttons) await page.getByRole("button", { name, exact: true }).click();
  const told = (await page.evaluate("interactions")) as readonly number[];
  await page.close();
  const rest = Math.max(0, 1 + KEYS + buttons.length - told.length);
  return quantile([...told, ...Array.from({ length: rest }, () => 16)], 0.95);
}

async function scrollFigure(context: BrowserContext, { baseUrl }: World): Promise<Figure> {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/dashboard/requests`);
  await until(page, "globalThis.usableAt > 0");
  await loadAll(page);
  await page.evaluate("longTasks.length = 0");
  await page.mouse.move(600, 500);
  for (let turn = 0; turn < SCROLLS; turn += 1) {
    await page.mouse.wheel(0, 9000);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve()))");
  }
  const tasks = (await page.evaluate("longTasks")) as readonly number[];
  const rows = Number(await page.evaluate("document.querySelector('.log').scrollHeight / 32"));
  await page.close();
  const longest = Math.max(0, ...tasks);
  return {
    name: `scrolling a log of ${rows.toFixed(0)} rows`,
    value: `${tasks.length} tasks > 50 ms${longest > 0 ? `, the longest ${longest.toFixed(0)} ms` : ""}`,
    limit: "0 tasks",
    isMet: tasks.length === 0 && rows >= ROWS - 1,
  };
}

/** The log fetches more when its end comes near. */
async function loadAll(page: Page): Promise<void> {
  const height = "document.querySelector('.log').scrollHeight / 32";
  for (let turn = 0; turn < 400 && Number(await page.evaluate(height)) < ROWS; turn += 1) {
    await page.evaluate("document.querySelector('.log').scrollTo(0, 1e9)");
    await page.waitForTimeout(50);
  }
}
