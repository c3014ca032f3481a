import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { egressBehind } from "@pergamon-dev/server/net/egress/egress";
import { listenHttp, type Listener } from "@pergamon-dev/server/net/loopback.suite";
import { browserPidOf, findTestBrowser, never, pidsOf, testGuard } from "./browser.suite.ts";
import { openDoor, openTestSession, RawClient } from "./session-browser.suite.ts";
import type { BrowserFailure } from "./cdp/browser-failure.ts";
import { openLauncher } from "./launch/launch.ts";
import { openSessionBrowser, type SessionBrowser } from "./session-browser.ts";

let site: Listener;

beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<title>t</title>");
  });
});

const address = () => `http://127.0.0.1:${site.port}/`;

function lossOf(session: SessionBrowser): Promise<BrowserFailure> {
  return new Promise((resolve) => session.onLost(resolve));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the browser of a session", () => {
  test("ends with it, and leaves nothing on the disk", async () => {
    const session = await openTestSession();
    const pid = await browserPidOf(session.tab);
    const folders = (await readdir(tmpdir())).filter((name) =>
      name.startsWith(`pergamon-browser-${process.pid}-`),
    );
    const another = await openTestSession();
    expect(await browserPidOf(another.tab)).not.toBe(pid);
    await session.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
    const left = await readdir(tmpdir());
    expect(folders.filter((name) => left.includes(name)).length).toBeLessThan(folders.length);
    expect(await another.tab.session.send("Runtime.evaluate", { expression: "1" })).toBeDefined();
    await another.close();
  });

  test("that is closed is not lost", async () => {
    const session = await openTestSession();
    let isLost = false;
    session.onLost(() => {
      isLost = true;
    });
    await session.close();
    expect(isLost).toBe(false);
  });

  test("that is killed is lost, and its clients are sent away", async () => {
    const session = await openTestSession();
    const client = await RawClient.connect(await openDoor(session));
    await client.send("Browser.getVersion");
    const closed = new Promise((resolve) => client.socket.on("close", resolve));
    const lost = lossOf(session);
    process.kill(await browserPidOf(session.tab), "SIGKILL");
    expect((await lost).kind).toBe("browser-lost");
    expect(await closed).toBe(1001);
    await session.close();
  });

  test("is lost when its first page crashes", async () => {
    const session = await openTestSession();
    const lost = lossOf(session);
    session.tab.session.post("Page.crash");
    expect((await lost).kind).toBe("tab-crashed");
    await session.close();
  });

  test("is not lost when its user closes the first page", async () => {
    const session = await openTestSession();
    let isLost = false;
    session.onLost(() => {
      isLost = true;
    });
    const client = await RawClient.connect(await openDoor(session));
    await client.send("Target.createTarget", { url: "about:blank" });
    await client.send("Target.closeTarget", { targetId: session.tab.mainFrameId });
    await expect.poll(() => session.tab.failure?.kind).toBe("tab-closed");
    expect(isLost).toBe(false);
    expect(await client.send("Target.getTargets")).toMatchObject({ result: { targetInfos: [{}] } });
    await session.close();
  });

  test("gives nobody more than the guard allows, in pages that its user opens either", async () => {
    const session = await openTestSession({ openEgress: egressBehind(testGuard([])) });
    const client = await RawClient.connect(await openDoor(session));
    const before = site.connections();
    const { result } = await client.send("Target.attachToTarget", {
      targetId: session.tab.mainFrameId,
      flatten: true,
    });
    const page = String(result?.["sessionId"]);
    const tried = await client.evaluate(
      `open('${address()}'), fetch('${address()}', { mode: 'no-cors' }).then(() => 'came', () => 'refused')`,
      page,
    );
    expect(tried).toBe("refused");
    await client.send("Target.createTarget", { url: address() });
    await client.send("Page.navigate", { url: address() }, page);
    await expect.poll(() => session.tab.egress.failureOf("127.0.0.1")).toBeDefined();
    expect(site.connections()).toBe(before);
    await session.close();
  });

  test("is not started for somebody who has gone", async () => {
    const found = await findTestBrowser();
    if (!found) throw new Error("These tests need a browser.");
    const gone = new AbortController();
    const options = {
      launch: openLauncher({ ...found, opensWindows: true }),
      openEgress: egressBehind(testGuard([])),
      egressHost: "127.0.0.1",
      skipTlsVerification: false,
    };
    const starting = openSessionBrowser(options, gone.signal);
    gone.abort(new Error("Gone."));
    await expect(starting).rejects.toThrow("Gone.");
  });
});

describe("dialogs", () => {
  test("are declined at once while nobody else is there", async () => {
    const session = await openTestSession();
    await session.tab.navigate(address(), never);
    const { result } = await session.tab.session.send("Runtime.evaluate", { expression: "confirm('?')" });
    expect(result.value).toBe(false);
    await session.close();
  });

  test("are left to a client that answers them", async () => {
    const session = await openTestSession();
    const browser = await chromium.connectOverCDP(await openDoor(session));
    const page = browser.contexts()[0]?.pages()[0];
    page?.on("dialog", (dialog) => void dialog.accept());
    expect(await page?.evaluate("confirm('?')")).toBe(true);
    await browser.close();
    await session.close();
  });
});

describe("a unix socket", () => {
  test("takes Playwright as it takes any browser", async () => {
    const session = await openTestSession();
    const folder = testFolder();
    const socketPath = join(folder, "cdp.sock");
    const door = await session.confined.listen(socketPath);
    const browser = await chromium.connectOverCDP(`ws+unix:${socketPath}:/`);
    const page = browser.contexts()[0]?.pages()[0];
    await page?.goto(address());
    expect(await page?.title()).toBe("t");
    const gone = new Promise((resolve) => browser.on("disconnected", resolve));
    await door.close();
    await gone;
    expect(await readdir(folder)).toEqual([]);
    expect(session.confined.clients).toBe(0);
    await session.close();
  });
});

test("popups are held until the client has them", async () => {
  const session = await openTestSession();
  const client = await RawClient.connect(await openDoor(session));
  const page = await client.attachToPage();
  await client.send("Page.navigate", { url: address() }, page);
  // The page waits, too, until its popup continues.
  const opening = client.evaluate("void open('about:blank')", page);
  const popup = () =>
    client.events.findLast(
      ({ method, params }) => method === "Target.attachedToTarget" && params["waitingForDebugger"] === true,
    )?.params;
  await expect.poll(popup).toBeDefined();
  const sessionId = String(popup()?.["sessionId"]);
  await client.send(
    "Page.addScriptToEvaluateOnNewDocument",
    { source: "globalThis.wasFirst = true" },
    sessionId,
  );
  await client.send("Page.enable", {}, sessionId);
  await client.send("Runtime.runIfWaitingForDebugger", {}, sessionId);
  await opening;
  await client.send("Page.navigate", { url: address() }, sessionId);
  await expect.poll(() => client.evaluate("globalThis.wasFirst", sessionId)).toBe(true);
  await session.close();
});

test("pages that open pages without end are stopped, and the session goes on", async () => {
  const session = await openTestSession();
  const client = await RawClient.connect(await openDoor(session));
  await session.tab.session.send("Runtime.evaluate", {
    expression: "for (let count = 0; count < 100; count += 1) open('about:blank')",
  });
  const pages = async () => {
    const { result } = await client.send("Target.getTargets");
    const infos = result?.["targetInfos"] as readonly unknown[] | undefined;
    return infos?.length;
  };
  await expect.poll(pages).toBeLessThanOrEqual(32);
  await session.close();
});

test("an interrupt frees pages that are busy without end, or closes them", async () => {
  const session = await openTestSession();
  const browser = await chromium.connectOverCDP(await openDoor(session));
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const [first, second, third] = [context.pages()[0], await context.newPage(), await context.newPage()];
  await Promise.all([first, second].map(keepBusy));
  await third.goto(address());
  await session.interrupt();
  const answers = () => Promise.all(context.pages().map((page) => page.evaluate("1")));
  await expect.poll(async () => new Set(await answers()), { timeout: 10_000 }).toEqual(new Set([1]));
  expect(context.pages()).toEqual(expect.arrayContaining([first, third]));
  expect(await third.evaluate("document.title")).toBe("t");
  await browser.close();
});

describe("an interrupt ends dialogs without end, while clients that do not answer them stay", () => {
  let session: SessionBrowser;

  beforeAll(async () => {
    session = await openTestSession();
    await (await RawClient.connect(await openDoor(session))).send("Browser.getVersion");
  });

  afterAll(() => session.close());

  /** Resolves when dialogs open again and again. @returns whether their script was ended. */
  async function openDialogs(): Promise<{ readonly ended: Promise<boolean> }> {
    const { session: page } = session.tab;
    const isOpen = new Promise((resolve) => page.on("Page.javascriptDialogOpening", resolve));
    const ended = page.send("Runtime.evaluate", { expression: "for (;;) alert('again')" }).then(
      ({ exceptionDetails }) => exceptionDetails !== undefined,
      () => true,
    );
    await isOpen;
    return { ended };
  }

  async function answer(): Promise<unknown> {
    const { result } = await session.tab.session.send("Runtime.evaluate", { expression: "6 * 7" });
    return result.value;
  }

  test.each([1, 2, 3])("in turn %d", async () => {
    const { ended } = await openDialogs();
    await session.interrupt();
    expect(await Promise.all([answer(), ended])).toEqual([42, true]);
  });

  test("also of a page that lets go when nobody waits for it any more", async () => {
    const { ended } = await openDialogs();
    const renderers = await pidsOf(session.tab, "renderer");
    for (const pid of renderers) process.kill(pid, "SIGSTOP");
    await session.interrupt();
    for (const pid of renderers) process.kill(pid, "SIGCONT");
    expect(await Promise.all([answer(), ended])).toEqual([42, true]);
  });

  test("also of a browser that gets no processor for longer than it takes otherwise", async () => {
    const { ended } = await openDialogs();
    const pid = await browserPidOf(session.tab);
    process.kill(pid, "SIGSTOP");
    const interrupted = session.interrupt();
    await pause(3000);
    process.kill(pid, "SIGCONT");
    await interrupted;
    expect(await Promise.all([answer(), ended])).toEqual([42, true]);
  });
});

/** Returns when the script has begun that never ends. */
async function keepBusy(page: Page | undefined): Promise<void> {
  const begun = page?.waitForEvent("console");
  page
    ?.evaluate(() => {
      console.info("busy");
      for (;;);
    })
    .catch(() => undefined);
  await begun;
}
