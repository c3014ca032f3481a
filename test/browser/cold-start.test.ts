import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";

import { testFolder } from "../../packages/kit/src/test-folder.suite.ts";
import { Resources } from "../../packages/kit/src/resources.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let resources = new Resources();

afterEach(async () => {
  await resources.close();
  resources = new Resources();
});

async function openColdWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  return resources.add(await openWorld(settings), (world) => world.close());
}

/** A program that tells its version like a browser, and never comes to the point when it is started. */
async function slowBrowser(): Promise<string> {
  const folder = testFolder();
  const path = join(folder, "chromium");
  await writeFile(path, '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 150.0.1.2 || exec sleep 30\n');
  await chmod(path, 0o755);
  return path;
}

describe("section 3.23: a browser that has not started yet", () => {
  test("is named as what took the time", async () => {
    const world = await openColdWorld({ BROWSER_PATH: await slowBrowser() });
    const url = world.site.page("/", htmlPage("<p>Words</p>"));
    const { status, body, headers } = await world.scrape({ url, waitFor: 1, timeout: 1500 });
    expect(status).toBe(408);
    expect(body.code).toBe("SCRAPE_TIMEOUT");
    expect(body.error).toContain("while the browser was starting");
    expect(headers.get("retry-after")).toBe("1");
  });

  test("is not blamed for a slow page", async () => {
    const world = await openColdWorld();
    const url = world.site.page("/", () => undefined);
    const { body } = await world.scrape({ url, waitFor: 1, timeout: 5000 });
    expect(body.error).toContain("timed out before completing");
  });
});
