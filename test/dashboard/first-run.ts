import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { startSoakService } from "../service-process.ts";
import { Resources } from "../../packages/kit/src/resources.ts";
import { findCarriedBrowser } from "../../packages/browser/src/browser.suite.ts";
import { build, builtProgram } from "../built.ts";
import { htmlPage, openSite } from "../site.ts";
import { until } from "./pages.ts";

export interface FirstRun {
  /** From the link to the screenshot. */
  readonly tookMs: number;
  /** Of the screenshot as the page shows it, in its own pixels. */
  readonly width: number;
}

/** What somebody does who has just started the service: opens the link that it printed, and scrapes a first page. */
export async function firstRun(): Promise<FirstRun> {
  await build();
  const found = await findCarriedBrowser();
  if (!found) throw new Error("There is no Chromium.");
  const resources = new Resources();
  try {
    const dataDir = resources.add(await mkdtemp(join(tmpdir(), "first-run-")), (folder) =>
      rm(folder, { recursive: true, force: true }),
    );
    const site = resources.add(await openSite(), (opened) => opened.close());
    const settings = { AUTH: "open" };
    const service = resources.add(
      await startSoakService({ command: builtProgram, dataDir, settings }),
      (started) => started.kill(),
    );
    const browser = resources.add(
      await chromium.launch({
        executablePath: found.path,
        env: { ...found.environment },
        args: ["--no-sandbox"],
      }),
      (launched) => launched.close(),
    );
    const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    const link = await printedLink(service.output);
    const startedAtMs = performance.now();
    await page.goto(link);
    await page.getByRole("link", { name: "Playground" }).first().click();
    await page.getByLabel("URL", { exact: true }).fill(site.page("/first", htmlPage("<h1>First page</h1>")));
    await page.getByRole("button", { name: "screenshot", exact: true }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("tab", { name: "Screenshot" }).click();
    const picture = '(document.querySelector("img[alt=\\"Screenshot of the page\\"]")?.naturalWidth ?? 0)';
    await until(page, `${picture} > 0`);
    const tookMs = performance.now() - startedAtMs;
    return { tookMs, width: Number(await page.evaluate(picture)) };
  } finally {
    await resources.close();
  }
}

async function printedLink(output: () => string): Promise<string> {
  for (;;) {
    const link = /http\S+#login=\S+/.exec(output())?.[0];
    if (link !== undefined) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
