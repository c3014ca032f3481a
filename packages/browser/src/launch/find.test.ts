import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { findBrowser } from "./find.ts";
import type { BrowserSearch } from "./find.ts";

let folder = "";

beforeEach(async () => {
  folder = testFolder();
});

/** Writes a program that does what the script says; returns its path. */
async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

function saying(version: string): string {
  return `[ "$1" = --version ] && echo "Chromium ${version} built on test"`;
}

/** A search that sees only this test's folder. */
function search(more: Partial<BrowserSearch> = {}): BrowserSearch {
  const playwrightFolder = join(folder, "ms-playwright");
  return { pathVariable: join(folder, "bin"), systemPaths: [], playwrightFolder, ...more };
}

describe("findBrowser", () => {
  test("takes the configured browser before all others", async () => {
    await program("bin/chromium", saying("2.0"));
    const path = await program("mine/browser", saying("156.0.7204.49"));
    const { browser } = await findBrowser(search({ path }));
    expect(browser).toMatchObject({ path, version: "156.0.7204.49", source: "configured", notes: [] });
  });

  test("falls back with a note when the configured browser does not start", async () => {
    const path = await program("bin/chromium", saying("2.0"));
    const missing = join(folder, "nothing");
    const { browser } = await findBrowser(search({ path: missing }));
    expect(browser).toMatchObject({ path, source: "system" });
    expect(browser?.notes).toEqual([`The configured browser ${missing} was not used: not there.`]);
  });

  test("prefers the headless shell on PATH", async () => {
    await program("bin/chromium", saying("2.0"));
    await program("bin/google-chrome", saying("3.0"));
    const shell = await program("bin/chromium-headless-shell", saying("1.0"));
    expect((await findBrowser(search())).browser).toMatchObject({
      path: shell,
      version: "1.0",
      source: "system",
    });
  });

  test("passes over programs that fail, hang or print no version, and tells why", async () => {
    const stub = await program("bin/chromium", "echo 'install the snap first' >&2; exit 1");
    const hanging = await program("bin/chromium-browser", "exec sleep 30");
    const silent = await program("bin/google-chrome", "echo hello");
    const good = await program("bin/microsoft-edge", saying("9.9"));
    const result = await findBrowser(search({ timeLimitMs: 300 }));
    expect(result.browser?.path).toBe(good);
    expect(result.tried).toEqual([
      { path: stub, source: "system", reason: "install the snap first" },
      { path: hanging, source: "system", reason: "no answer within 0.3 s" },
      { path: silent, source: "system", reason: "printed no version" },
    ]);
  });

  test("ignores files that are not executable", async () => {
    const path = await program("bin/chromium", saying("2.0"));
    await chmod(path, 0o644);
    expect((await findBrowser(search())).browser).toBeUndefined();
  });

  test("looks at fixed places outside PATH", async () => {
    const path = await program("Applications/Chromium", saying("5.0"));
    const { browser } = await findBrowser(search({ systemPaths: [path] }));
    expect(browser).toMatchObject({ path, source: "system" });
  });

  test("takes the newest headless shell of Playwright's cache, then full browsers", async () => {
    const cached = "ms-playwright";
    await program(`${cached}/chromium-9000/chrome-linux64/chrome`, saying("90.0"));
    await program(`${cached}/chromium_headless_shell-999/chrome-linux/headless_shell`, saying("9.0"));
    const newest = await program(
      `${cached}/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell`,
      saying("12.0"),
    );
    expect((await findBrowser(search())).browser).toMatchObject({ path: newest, source: "playwright-cache" });
    await rm(join(folder, cached, "chromium_headless_shell-1200"), { recursive: true });
    await rm(join(folder, cached, "chromium_headless_shell-999"), { recursive: true });
    expect((await findBrowser(search())).browser).toMatchObject({ version: "90.0" });
  });

  test.runIf(process.platform === "linux" && process.arch === "x64")(
    "falls back on the one that npm brought, unpacked and with fonts of its own",
    async () => {
      // Shared with the service, so that it is unpacked once.
      const cacheFolder = join(homedir(), ".cache", "pergamon");
      const { browser } = await findBrowser(search({ cacheFolder, timeLimitMs: 20_000 }));
      expect(browser).toMatchObject({ source: "bundled", version: expect.stringMatching(/^153\./) });
      const settings = await readFile(browser?.environment["FONTCONFIG_FILE"] ?? "", "utf8");
      const fonts = /<dir>([^<]*chromium[^<]*)<\/dir>/.exec(settings)?.[1] ?? "";
      expect((await readdir(fonts, { recursive: true })).join()).toContain(".ttf");
      // No other user may change the program.
      const unpacked = dirname(browser?.path ?? "");
      for (const name of await readdir(unpacked, { recursive: true })) {
        const { uid, mode } = await stat(join(unpacked, name));
        expect([name, uid, mode & 0o022]).toEqual([name, process.getuid?.(), 0]);
      }
    },
  );

  test("passes over headless shells when a full browser is wanted", async () => {
    await program("bin/chromium-headless-shell", saying("1.0"));
    expect((await findBrowser(search({ isWhole: true }))).browser).toBeUndefined();
    const path = await program("bin/chromium", saying("2.0"));
    expect((await findBrowser(search({ isWhole: true }))).browser).toMatchObject({ path });
  });

  test("tells what was tried when there is no browser", async () => {
    const result = await findBrowser(search());
    expect(result.browser).toBeUndefined();
    expect(result.tried).toEqual([]);
  });

  test("stops when the signal is aborted", async () => {
    await program("bin/chromium", "exec sleep 30");
    const signal = AbortSignal.timeout(200);
    await expect(findBrowser(search({ signal }))).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
