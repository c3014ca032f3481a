import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { listenHttp } from "@pergamon-dev/server/net/loopback.suite";
import { browserPidOf, findTestBrowser, never, openTestPool, testGuard } from "./browser.suite.ts";
import { isRoot, NOBODY } from "./launch/account.ts";
import type { BrowserPool } from "./pool.ts";
import { watchReadiness } from "./readiness/readiness.ts";
import type { BrowserTab } from "./tab/tab.ts";

const options = { skipTlsVerification: true };
/** Enough on a busy machine. */
const SHORT_LIMIT_MS = 4000;
const site = await listenHttp((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<!doctype html><title>site</title><p>Hello</p>");
});
const url = `http://127.0.0.1:${site.port}/`;

function openPool(more = {}): BrowserPool {
  return openTestPool(testGuard([`127.0.0.1:${site.port}`]), more);
}

async function titleIn(tab: BrowserTab): Promise<unknown> {
  const readiness = watchReadiness(tab);
  await tab.navigate(url, never);
  await readiness.ready(never, { budgetMs: 5000 });
  return evaluate(tab, "document.title");
}

/** What the script comes to; a promise is waited for. */
async function evaluate(tab: BrowserTab, expression: string): Promise<unknown> {
  const parameters = { expression, returnByValue: true, awaitPromise: true };
  const { result } = await tab.session.send("Runtime.evaluate", parameters);
  return result.value as unknown;
}

/** Processes that the given one has started and that are Chromium. */
function browsersOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isBrowserOf(pid, parent));
}

function isBrowserOf(pid: number, parent: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return status.includes(`\nPPid:\t${parent}\n`) && command.includes("--remote-debugging-pipe");
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe("tabs", () => {
  test("share a browser and nothing else", async () => {
    const pool = openPool();
    const pids = new Set<number>();
    const first = await pool.withTab(
      options,
      async (tab) => {
        pids.add(await browserPidOf(tab));
        await tab.navigate(url, never);
        await evaluate(
          tab,
          "document.cookie = 'a=1'; localStorage.a = 1; window.name = 'n'; history.pushState({}, '', '/x')",
        );
        return evaluate(tab, "document.cookie + localStorage.a + window.name");
      },
      never,
    );
    const second = await pool.withTab(
      options,
      async (tab) => {
        pids.add(await browserPidOf(tab));
        await tab.navigate(url, never);
        return evaluate(tab, "[document.cookie, localStorage.length, window.name, history.length]");
      },
      never,
    );
    expect(first).toBe("a=11n");
    // The empty page that tabs begin with, and this one.
    expect(second).toEqual(["", 0, "", 2]);
    expect(pids.size).toBe(1);
  });

  test("wait for room, in order, and leave the queue when they are cancelled", async () => {
    const pool = openPool({ maxTabs: 1 });
    const order: number[] = [];
    let finish = () => {};
    const blocked = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = pool.withTab(options, () => blocked, never);
    const impatient = new AbortController();
    const second = pool.withTab(options, async () => order.push(2), impatient.signal);
    const third = pool.withTab(options, async () => order.push(3), never);
    impatient.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    finish();
    await Promise.all([first, third]);
    expect(order).toEqual([3]);
  });

  test("that crash fail at once, and nobody else", async () => {
    const pool = openPool();
    const neighbour = pool.withTab(
      options,
      async (tab) => {
        await titleIn(tab);
        await expect(pool.withTab(options, crash, never)).rejects.toMatchObject({ kind: "tab-crashed" });
        return evaluate(tab, "document.title");
      },
      never,
    );
    expect(await neighbour).toBe("site");
  });

  test("that take too much memory are ended", async () => {
    const pool = openPool();
    const bomb = pool.withTab(
      options,
      async (tab) => {
        await tab.navigate(url, never);
        await evaluate(tab, "const hoard = []; for (;;) hoard.push(new Uint8Array(64 << 20).fill(1))");
      },
      never,
    );
    await expect(bomb).rejects.toMatchObject({ kind: "out-of-memory" });
    expect(await pool.withTab(options, titleIn, never)).toBe("site");
  });
});

/** A call that never answers, in a tab whose process ends. */
async function crash(tab: BrowserTab): Promise<unknown> {
  await tab.navigate(url, never);
  tab.session.post("Page.crash");
  return evaluate(tab, "new Promise(() => {})");
}

describe("nothing is left running of", () => {
  test.each([
    ["a page that computes", "setTimeout(() => { for (;;); }, 0)"],
    ["workers", "for (let n = 0; n < 20; n += 1) new Worker(blob('for (;;);'))"],
    ["shared workers", "for (let n = 0; n < 20; n += 1) new SharedWorker(blob('for (;;);'))"],
    ["windows", "for (let n = 0; n < 20; n += 1) open('/', 'window' + n)"],
    ["frames", "for (let n = 0; n < 20; n += 1) document.body.append(document.createElement('iframe'))"],
  ])("%s, once the tab is closed", async (_what, script) => {
    const pool = openPool();
    await pool.withTab(options, titleIn, never);
    const before = await pool.withTab(options, renderersIn, never);
    for (let round = 0; round < 3; round += 1) {
      const misbehave = async (tab: BrowserTab) => {
        await titleIn(tab);
        const blob = "const blob = (text) => URL.createObjectURL(new Blob([text]));";
        await evaluate(tab, `${blob} ${script}`);
        await sleep(100);
      };
      await pool.withTab(options, misbehave, never);
    }
    const after = () => pool.withTab(options, renderersIn, never);
    await expect.poll(after, { timeout: 15_000 }).toBeLessThanOrEqual(before + 1);
  });
});

/** How many processes of pages the browser has. */
async function renderersIn(tab: BrowserTab): Promise<number> {
  const { processInfo } = await tab.browser.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").length;
}

describe("a browser", () => {
  test("that is killed fails its tabs at once, and another takes its place", async () => {
    const pool = openPool();
    const victim = pool.withTab(
      options,
      async (tab) => {
        await tab.navigate(url, never);
        process.kill(await browserPidOf(tab), "SIGKILL");
        return evaluate(tab, "new Promise(() => {})");
      },
      never,
    );
    await expect(victim).rejects.toMatchObject({ kind: "browser-lost" });
    expect(await pool.withTab(options, titleIn, never)).toBe("site");
  });

  test("that does not answer any more is ended, and another takes its place", async () => {
    const pool = openPool({ answerLimitMs: SHORT_LIMIT_MS });
    const pid = await pool.withTab(options, browserPidOf, never);
    process.kill(pid, "SIGSTOP");
    await expect(pool.withTab(options, titleIn, never)).rejects.toMatchObject({ kind: "browser-lost" });
    expect(await pool.withTab(options, titleIn, never)).toBe("site");
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });

  test("that cannot be started is a failure of its own kind", async () => {
    const pool = openPool({
      find: async () => ({ path: "/bin/false", version: "1.0", environment: {}, sandbox: "auto" }),
    });
    await expect(pool.withTab(options, titleIn, never)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await openPool({ find: async () => undefined }).isAvailable(never)).toBe(false);
  });

  test.runIf(isRoot())(
    "R4 runs as nobody when root starts it, in its sandbox if the system allows",
    async () => {
      const warnings: string[] = [];
      const pool = openPool({ find: async () => findAndTell(warnings) });
      const { pids, hasSandbox } = await pool.withTab(
        options,
        async (tab) => {
          const { commandLine } = await tab.browser.send("SystemInfo.getInfo");
          const { processInfo } = await tab.browser.send("SystemInfo.getProcessInfo");
          return { pids: processInfo.map(({ id }) => id), hasSandbox: !commandLine.includes("--no-sandbox") };
        },
        never,
      );
      // Helpers of Chromium come and go.
      const users = pids.flatMap(uidsWhileAlive);
      expect(users.length).toBeGreaterThan(0);
      for (const user of users) expect(user).toEqual(Array.from({ length: 4 }, () => String(NOBODY.uid)));
      expect(warnings).toHaveLength(hasSandbox ? 0 : 1);
    },
  );

  test.runIf(isRoot())("R4 warns at each start when only root can read it", async () => {
    const closed = testFolder();
    const warnings: string[] = [];
    const found = await findAndTell(warnings);
    if (!found) throw new Error("There is no browser.");
    const path = join(closed, "browser");
    await writeFile(path, `#!/bin/sh\nexec '${found.path}' "$@"\n`, { mode: 0o755 });
    for (const starts of [1, 2]) {
      const pool = openPool({ find: async () => ({ ...found, path }) });
      const pid = await pool.withTab(options, browserPidOf, never);
      expect(uidsOf(pid)[0]).toBe("0");
      await pool.close();
      expect(warnings).toHaveLength(starts);
    }
    expect(warnings[0]).toMatch(
      /^Chromium runs as root and without its sandbox: .*\/browser is not readable for them\)\.$/,
    );
  });

  test("leaves no process and no file when the pool closes", async () => {
    const pool = openPool();
    const pid = await pool.withTab(options, browserPidOf, never);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    const folder = /--user-data-dir=([^\0]+)/.exec(command)?.[1] ?? "";
    expect(existsSync(folder)).toBe(true);
    await pool.close();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test("leaves nothing open that would keep its owner from ending", async () => {
    const listening = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap").length;
    const before = listening();
    const pool = openPool();
    await pool.withTab(options, titleIn, never);
    // A tab waits for the next visit.
    await expect.poll(listening).toBeGreaterThan(before);
    await pool.close();
    await expect.poll(listening).toBe(before);
  });

  test("ends when its owner is killed, and its files go with the next start", async () => {
    const owner = spawn(
      process.execPath,
      [
        "--conditions=pergamon-source",
        "--import",
        "tsx",
        fileURLToPath(new URL("owner.suite.ts", import.meta.url)),
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(owner.stdout, "data");
    const browsers = browsersOf(owner.pid ?? 0);
    expect(browsers).toHaveLength(1);
    owner.kill("SIGKILL");
    await until(() => browsers.every((pid) => !isAlive(pid)));
    await openPool().withTab(options, titleIn, never);
    expect(
      (await readdir(tmpdir())).filter((name) => name.startsWith(`pergamon-browser-${owner.pid}-`)),
    ).toEqual([]);
  });
});

/** Real, effective, saved and of files. */
function uidsOf(pid: number): readonly string[] {
  const line = /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
  return line.split("\t");
}

/** None of a process that has just ended. */
function uidsWhileAlive(pid: number): readonly (readonly string[])[] {
  try {
    return [uidsOf(pid)];
  } catch {
    return [];
  }
}

async function findAndTell(warnings: string[]) {
  const found = await findTestBrowser();
  return found && { ...found, warn: (sentence: string) => void warnings.push(sentence) };
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/status`, "utf8").includes("\nState:\tZ");
  } catch {
    return false;
  }
}
