import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "../../packages/kit/src/test-folder.suite.ts";
import { Resources } from "../../packages/kit/src/resources.ts";
import { findTestBrowser } from "../../packages/browser/src/browser.suite.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let resources = new Resources();
let folder = "";

beforeEach(async () => {
  folder = testFolder();
});

afterEach(async () => {
  await resources.close();
  resources = new Resources();
});

/** Installs the browser of this machine under another name, which notes when it is started for pages. */
async function install(name: string): Promise<void> {
  const found = await findTestBrowser();
  const variables = Object.entries(found?.environment ?? {}).map(
    ([key, value]) => `export ${key}='${value}'`,
  );
  const note = `[ "$1" = --version ] || echo ${name} >> ${folder}/started`;
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${variables.join("\n")}\n${note}\nexec ${found?.path} "$@"\n`);
  await chmod(path, 0o755);
}

async function started(): Promise<readonly string[]> {
  return (await readFile(join(folder, "started"), "utf8").catch(() => "")).split("\n").filter(Boolean);
}

async function openInstalledWorld(): Promise<World> {
  const world = await openWorld({ PATH: folder, BROWSER_PATH: "" });
  return resources.add(world, (opened) => opened.close());
}

async function visit(world: World, proxy: string) {
  const url = world.site.page("/", htmlPage("<p>Words</p>"));
  const script = "navigator.webdriver";
  const actions = [{ type: "executeJavascript", script }];
  const { body } = await world.scrape({ url, proxy, actions, maxAge: 0 });
  expect(body.error).toBeUndefined();
  return { proxyUsed: body.data.metadata.proxyUsed, isTold: body.data.actions?.javascriptReturns[0]?.value };
}

describe("section 3.21: the enhanced tier", () => {
  test("is the full browser, where one is installed beside a headless shell", async () => {
    await install("chromium-headless-shell");
    await install("chromium");
    const world = await openInstalledWorld();
    expect(await visit(world, "basic")).toEqual({ proxyUsed: "basic", isTold: false });
    expect(await started()).toEqual(["chromium-headless-shell"]);
    expect(await visit(world, "enhanced")).toEqual({ proxyUsed: "stealth", isTold: false });
    expect(await started()).toEqual(["chromium-headless-shell", "chromium"]);
  });

  test("begins in a browser, and says when that is no whole one", async () => {
    await install("chromium-headless-shell");
    const world = await openInstalledWorld();
    const url = world.site.page("/plain", htmlPage(`<main>${"<p>Some words.</p>".repeat(50)}</main>`));
    const scrape = (proxy: string) => world.scrape({ url, proxy, maxAge: 0 });
    const { data } = (await scrape("enhanced")).body;
    expect(data.warning).toMatch(/no whole browser.*pergamon doctor/);
    expect(world.site.hits("/plain")[0]?.headers["sec-ch-ua"]).toContain("Chrome");
    expect((await scrape("auto")).body.data.warning).toBeUndefined();
  });

  test("is the usual browser, where that is the only one", async () => {
    await install("chromium");
    const world = await openInstalledWorld();
    expect((await visit(world, "enhanced")).proxyUsed).toBe("stealth");
    await visit(world, "basic");
    expect(await started()).toEqual(["chromium"]);
  });
});
