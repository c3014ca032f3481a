import { afterAll, beforeAll, expect, test } from "vitest";

import { openTestPool, testGuard } from "../../src/platform/browser/browser.suite.ts";
import type { BrowserPool } from "../../src/platform/browser/pool.ts";
import { watchReadiness } from "../../src/platform/browser/readiness/readiness.ts";
import { collectStyles, type StyleEvidence } from "../../src/platform/browser/tab/style-evidence.ts";
import { htmlPage, openSite, type Site } from "../site.ts";

let site: Site;
let pool: BrowserPool;

beforeAll(async () => {
  site = await openSite();
  pool = openTestPool(testGuard(["127.0.0.1"]), { maxTabs: 1 });
});

afterAll(async () => {
  await pool.close();
  await site.close();
});

async function stylesOf(page: string): Promise<StyleEvidence> {
  const url = site.page("/brand", page);
  const signal = AbortSignal.timeout(15_000);
  const look = async (tab: Parameters<Parameters<BrowserPool["withTab"]>[1]>[0]) => {
    const readiness = watchReadiness(tab);
    await tab.navigate(url, signal);
    await readiness.ready(signal, { budgetMs: 5000 });
    return collectStyles(tab, signal);
  };
  return pool.withTab({ skipTlsVerification: false }, look, signal);
}

test("tells colours, fonts, buttons and the logo as they are computed", async () => {
  const evidence = await stylesOf(
    htmlPage(
      `<header><a href="/"><img class="logo" src="/logo.svg" alt="Acme" width="120" height="40"></a><img src="/photo.jpg" width="300" height="200"></header>
       <main><h1>Buy things</h1><p>${"Words of the shop. ".repeat(30)}</p><a class="btn" href="/buy">Buy now</a></main>`,
      `<style>:root { --brand: #ff6600; color-scheme: dark } body { margin: 0; background: #101010; color: #eeeeee; font: 16px/1.5 Georgia, serif }
        h1 { font: 700 40px Verdana; color: var(--brand) } .btn { background: var(--brand); color: #000; border-radius: 8px; padding: 4px 12px; display: inline-block }</style>`,
    ),
  );
  expect(evidence.colorScheme).toBe("dark");
  expect(evidence.variables).toEqual({ "--brand": "#ff6600" });
  expect(evidence.textColors[0]?.value).toBe("rgb(238, 238, 238)");
  expect(evidence.fonts.map(({ value }) => value)).toEqual(["Georgia, serif", "Verdana"]);
  const heading = evidence.elements.find(({ role }) => role === "h1");
  expect(heading).toMatchObject({
    text: "Buy things",
    style: { color: "rgb(255, 102, 0)", "font-size": "40px", "font-weight": "700" },
  });
  const button = evidence.elements.find(({ role }) => role === "button");
  expect(button).toMatchObject({
    text: "Buy now",
    style: { "background-color": "rgb(255, 102, 0)", "border-radius": "8px" },
  });
  expect(button?.box.width).toBeGreaterThan(40);
  const body = evidence.elements.find(({ role }) => role === "body");
  expect(body?.style["background-color"]).toBe("rgb(16, 16, 16)");
  expect(evidence.logos[0]).toMatchObject({
    url: site.url("/logo.svg"),
    alt: "Acme",
    isInHeader: true,
    linksTo: site.url("/"),
  });
});

test("of an empty page and of one with 50,000 elements come soon", async () => {
  const empty = await stylesOf("");
  expect(empty.logos).toEqual([]);
  const huge = await stylesOf(htmlPage("<p class=btn>x</p>".repeat(50_000)));
  expect(huge.elements.filter(({ role }) => role === "text")).toHaveLength(12);
});
