import { statSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import {
  accessibilityProblems,
  type Desk,
  loadedBytes,
  OPENING_MS,
  openDesk,
  overflow,
  settle,
  THEMES,
  type Visit,
  WIDTHS,
} from "./pages.ts";

/** Screens → what must not be there any more once they have been opened. */
const SCREENS = [
  "",
  "/playground",
  "/requests",
  "/jobs",
  "/monitors",
  "/sessions",
  "/tools",
  "/usage",
  "/keys",
  "/teams",
  "/profiles",
  "/cache",
  "/audit",
  "/backups",
  "/settings",
] as const;

let desk: Desk;
let visit: Visit;

beforeAll(async () => {
  desk = await openDesk();
  const { world } = desk;
  const team = await makeTeam(world, { name: "Research" });
  const good = world.site.page("/good", htmlPage("<h1>Good page</h1>"));
  await team.scrape({ url: good, formats: ["markdown", "links"] });
  await team.scrape({ url: world.site.url("/missing") });
  await team.scrape({ url: "http://127.0.0.1:9/", timeout: 5000 });
  visit = await desk.visit("/dashboard");
}, OPENING_MS);

afterAll(() => desk.close());

describe.each(SCREENS)("the screen %s", (path) => {
  test("opens without a complaint, fits every width and theme, is accessible, and weighs little", async () => {
    const { page, complaints } = visit;
    await page.setViewportSize({ width: WIDTHS[0], height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${desk.world.baseUrl}/dashboard${path}`);
    await settle(page);
    expect(await loadedBytes(page, ".js")).toBeLessThan(60_000);
    expect(await loadedBytes(page, ".css")).toBeLessThan(10_000);
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft([colorScheme, width, await overflow(page)]).toEqual([colorScheme, width, 0]);
      }
    }
    // The last look is dark and narrow; wide, there is more to be seen.
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: WIDTHS[0], height: 900 });
    expect(await accessibilityProblems(page)).toEqual([]);
    // 1360 pixels at 200 %.
    await page.setViewportSize({ width: 680, height: 450 });
    expect(await overflow(page)).toBe(0);
    expect(complaints.splice(0)).toEqual([]);
  });
});

test.each(["en-US@posix", "C", ""])(
  "a chart is drawn in a browser whose language is %j",
  async (language) => {
    const { page, complaints } = await desk.visit("/dashboard/keys");
    await page.addInitScript(
      `Object.defineProperty(Navigator.prototype, "language", { get: () => ${JSON.stringify(language)} })`,
    );
    await page.goto(`${desk.world.baseUrl}/dashboard/usage`);
    await page.locator(".chart .u-over").first().or(page.getByText("cannot draw")).waitFor();
    expect(await page.getByText("cannot draw").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

test("the shell weighs at most 30 KB of scripts and 10 KB of styles, the fonts at most 53 KB", async () => {
  const { page } = await desk.visit("/dashboard", { isLoggedOut: true });
  await page.getByLabel("Operator key").waitFor();
  expect(await loadedBytes(page, ".js")).toBeLessThan(30_000);
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
