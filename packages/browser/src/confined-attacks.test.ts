import { existsSync } from "node:fs";

import { beforeAll, describe, expect, test, vi } from "vitest";

import { listenHttp, type Listener } from "@pergamon-dev/server/net/loopback.suite";
import { openDoor, openTestSession, RawClient } from "./session-browser.suite.ts";
import type { SessionBrowser } from "./session-browser.ts";

const SECRET = "of-somebody-else";

let site: Listener;
let session: SessionBrowser;
let client: RawClient;
/** The client's session with the first page. */
let page: string;
/** What is in the same browser, and none of the client's. */
let foreign: { readonly contextId: string; readonly targetId: string; readonly sessionId: string };

beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<title>t</title><input type=file id=f>");
  });
  session = await openTestSession();
  foreign = await openForeignPage(session);
  client = await RawClient.connect(await openDoor(session));
  page = await client.attachToPage();
  await client.send("Page.enable", {}, page);
  await client.send("Page.navigate", { url: `http://127.0.0.1:${site.port}/` }, page);
  const isThere = async () => (await client.evaluate("document.title", page)) === "t";
  await vi.waitUntil(isThere, { timeout: 20_000 });
});

async function openForeignPage({ tab: { browser } }: SessionBrowser) {
  const { browserContextId: contextId } = await browser.send("Target.createBrowserContext");
  const { targetId } = await browser.send("Target.createTarget", {
    url: "about:blank",
    browserContextId: contextId,
  });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const cookies = [{ name: "secret", value: SECRET, domain: "a.test", path: "/" }];
  await browser.send("Storage.setCookies", { browserContextId: contextId, cookies });
  return { contextId, targetId, sessionId };
}

interface Attack {
  readonly method: string;
  readonly params?: () => object;
  /** Where it is not the method alone. */
  readonly name?: string;
}

const ON_THE_BROWSER: readonly Attack[] = [
  { method: "Target.attachToTarget", params: () => ({ targetId: foreign.targetId, flatten: true }) },
  { method: "Target.getTargetInfo", params: () => ({ targetId: foreign.targetId }) },
  { method: "Target.closeTarget", params: () => ({ targetId: foreign.targetId }) },
  { method: "Target.activateTarget", params: () => ({ targetId: foreign.targetId }) },
  { method: "Target.detachFromTarget", params: () => ({ sessionId: foreign.sessionId }) },
  { method: "Target.createBrowserContext", params: () => ({ proxyServer: "direct://" }) },
  { method: "Target.disposeBrowserContext", params: () => ({ browserContextId: foreign.contextId }) },
  { method: "Target.createTarget", params: () => ({ url: "file:///etc/passwd" }), name: "of a file" },
  {
    method: "Target.createTarget",
    params: () => ({ url: "about:blank", browserContextId: foreign.contextId }),
    name: "in another context",
  },
  { method: "Storage.getCookies", params: () => ({ browserContextId: foreign.contextId }) },
  { method: "Storage.setCookies", params: () => ({ browserContextId: foreign.contextId, cookies: [] }) },
  { method: "Storage.clearCookies", params: () => ({ browserContextId: foreign.contextId }) },
  { method: "Browser.crash" },
  { method: "Browser.crashGpuProcess" },
  { method: "Browser.getBrowserCommandLine" },
  { method: "Browser.getHistograms" },
  { method: "SystemInfo.getInfo" },
  { method: "SystemInfo.getProcessInfo" },
  { method: "Tethering.bind", params: () => ({ port: 9333 }) },
  { method: "Tracing.start" },
  { method: "Target.exposeDevToolsProtocol", params: () => ({ targetId: session.tab.mainFrameId }) },
  { method: "Target.setRemoteLocations", params: () => ({ locations: [{ host: "127.0.0.1", port: 1 }] }) },
  { method: "IO.read", params: () => ({ handle: "1" }) },
  { method: "Target.sendMessageToTarget", params: () => ({ targetId: foreign.targetId, message: "{}" }) },
  {
    method: "Target.autoAttachRelated",
    params: () => ({ targetId: foreign.targetId, waitForDebuggerOnStart: false }),
  },
];

const ON_A_PAGE: readonly Attack[] = [
  { method: "Page.navigate", params: () => ({ url: "file:///etc/passwd" }), name: "to a file" },
  { method: "Page.navigate", params: () => ({ url: " FILE:///etc/passwd" }), name: "to a file in disguise" },
  { method: "Page.navigate", params: () => ({ url: "view-source:file:///etc/passwd" }), name: "to a source" },
  { method: "Page.navigate", params: () => ({ url: "chrome://version" }), name: "to the browser" },
  { method: "Page.navigate", params: () => ({ url: "about:version" }), name: "to the browser in disguise" },
  { method: "Page.navigate", params: () => ({ url: "javascript:1" }), name: "to a script" },
  { method: "DOM.setFileInputFiles", params: () => ({ files: ["/etc/passwd"], nodeId: 1 }) },
  { method: "DOM.getFileInfo", params: () => ({ objectId: "1" }) },
  { method: "Page.setDownloadBehavior", params: () => ({ behavior: "allow", downloadPath: "/tmp" }) },
  { method: "Browser.setDownloadBehavior", params: () => ({ behavior: "allow", downloadPath: "/tmp" }) },
  { method: "Target.attachToTarget", params: () => ({ targetId: foreign.targetId, flatten: true }) },
  { method: "Target.attachToBrowserTarget" },
  { method: "Target.getTargets" },
  { method: "Target.getTargetInfo", params: () => ({ targetId: foreign.targetId }) },
  { method: "Target.createTarget", params: () => ({ url: "file:///etc/passwd" }) },
  { method: "Target.createBrowserContext" },
  { method: "Target.setRemoteLocations", params: () => ({ locations: [] }) },
  {
    method: "Network.loadNetworkResource",
    params: () => ({
      url: "file:///etc/passwd",
      options: { disableCache: true, includeCredentials: false },
    }),
  },
  { method: "Storage.getCookies", params: () => ({ browserContextId: foreign.contextId }) },
  { method: "Tracing.start" },
  { method: "HeapProfiler.enable" },
  { method: "FileSystem.getDirectory" },
  { method: "Page.setInterceptFileChooserDialog", params: () => ({ enabled: true }) },
  { method: "Extensions.loadUnpacked", params: () => ({ path: "/tmp" }) },
  { method: "PWA.install" },
  { method: "IO.read", params: () => ({ handle: "1" }) },
  { method: "Page.crash" },
  {
    method: "Input.dispatchDragEvent",
    params: () => ({
      type: "drop",
      x: 1,
      y: 1,
      data: { items: [], files: ["/etc/passwd"], dragOperationsMask: 1 },
    }),
  },
];

const named = (attacks: readonly Attack[]) =>
  attacks.map((attack) => [`${attack.method} ${attack.name ?? ""}`.trim(), attack] as const);

describe("asked of the browser", () => {
  test.each(named(ON_THE_BROWSER))("%s is refused", async (_name, { method, params }) => {
    expect(await client.send(method, params?.())).toHaveProperty("error");
  });

  test.each(named(ON_THE_BROWSER))(
    "%s is refused in a second session, too",
    async (_name, { method, params }) => {
      const { result } = await client.send("Target.attachToBrowserTarget");
      const sessionId = String(result?.["sessionId"]);
      expect(await client.send(method, params?.(), sessionId)).toHaveProperty("error");
      expect(await client.send("Target.detachFromTarget", { sessionId })).toHaveProperty("result");
      expect(await client.send("Browser.getVersion", {}, sessionId)).toHaveProperty("error");
    },
  );

  test("targets are those of the session", async () => {
    const { result } = await client.send("Target.getTargets");
    const infos = result?.["targetInfos"] as readonly { readonly targetId: string }[];
    expect(infos.map(({ targetId }) => targetId)).toEqual([session.tab.mainFrameId]);
  });

  test("events tell of the session alone", async () => {
    const before = client.events.length;
    await client.send("Target.setDiscoverTargets", { discover: true });
    await session.tab.browser.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: foreign.contextId,
    });
    await client.send("Target.getTargetInfo");
    const told = client.events.slice(before).filter(({ method }) => method.startsWith("Target."));
    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain(foreign.contextId);
  });

  test("downloads go nowhere", async () => {
    const params = { behavior: "allow", downloadPath: "/tmp", eventsEnabled: true };
    expect(await client.send("Browser.setDownloadBehavior", params)).toHaveProperty("result");
    await client.evaluate(
      "Object.assign(document.createElement('a'), { href: 'data:application/x-a,b', download: 'pergamon-download' }).click()",
      page,
    );
    const progress = () =>
      client.events
        .filter(({ method }) => method === "Browser.downloadProgress")
        .map(({ params: told }) => told["state"]);
    await expect.poll(progress).toEqual(["inProgress", "canceled"]);
    expect(existsSync("/tmp/pergamon-download")).toBe(false);
  });
});

describe("asked of a page", () => {
  test.each(named(ON_A_PAGE))("%s is refused", async (_name, { method, params }) => {
    expect(await client.send(method, params?.(), page)).toHaveProperty("error");
  });

  test.each(["DEADBEEF", "", "__proto__"])("the session %j is not there", async (sessionId) => {
    const answer = await client.send("Runtime.evaluate", { expression: "1" }, sessionId);
    expect(answer).toHaveProperty("error");
  });

  test("another's session cannot be spoken in", async () => {
    const answer = await client.send("Runtime.evaluate", { expression: "1" }, foreign.sessionId);
    expect(answer).toHaveProperty("error");
  });

  test.each(["Storage.getCookies", "Network.getAllCookies"])("%s brings one's own alone", async (method) => {
    const answer = await client.send(method, {}, page);
    expect(answer.result?.["cookies"]).toEqual([]);
  });

  test("a copy of the page holds nothing else", async () => {
    const { result } = await client.send("Page.captureSnapshot", {}, page);
    expect(result?.["data"]).toContain("<title>t</title>");
    expect(result?.["data"]).not.toContain(SECRET);
  });
});

/** Ways of a script that may do everything that scripts can. */
const SCRIPTS: Readonly<Record<string, string>> = {
  fetch: "fetch('file:///etc/passwd').then((answer) => answer.text(), () => 'refused')",
  request: `new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onload = () => resolve(request.responseText);
    request.onerror = () => resolve('refused');
    request.open('GET', 'file:///etc/passwd');
    request.send();
  })`,
  frame: `new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = () => resolve(frame.contentDocument?.body?.innerText || 'refused');
    frame.src = 'file:///etc/passwd';
    document.body.append(frame);
    setTimeout(() => resolve('refused'), 300);
  })`,
  window: "String(open('file:///etc/passwd')?.document?.body?.innerText || 'refused')",
  worker:
    "new Promise((resolve) => { try { new Worker('file:///etc/passwd').onerror = () => resolve('refused'); } catch { resolve('refused'); } })",
  import: "import('file:///etc/passwd').then(() => 'loaded', () => 'refused')",
  navigation: "(location = 'file:///etc/passwd', 'refused')",
  browser: "(location = 'chrome://version', 'refused')",
};

describe("in a world with access to everything", () => {
  test.each(Object.entries(SCRIPTS))("%s does not reach files", async (_name, expression) => {
    const { result } = await client.send("Page.getFrameTree", {}, page);
    const tree = result?.["frameTree"] as { readonly frame: { readonly id: string } } | undefined;
    const world = await client.send(
      "Page.createIsolatedWorld",
      { frameId: tree?.frame.id, grantUniveralAccess: true },
      page,
    );
    const contextId = world.result?.["executionContextId"];
    const params = { contextId, expression, awaitPromise: true, returnByValue: true };
    const answer = await client.send("Runtime.evaluate", params, page);
    expect(JSON.stringify(answer)).toContain("refused");
    expect(JSON.stringify(answer)).not.toContain("root:");
    expect(await client.evaluate("location.protocol", page)).toBe("http:");
  });
});

describe("a request that the client holds", () => {
  const held = async (path: string) => {
    await client.send("Fetch.enable", { patterns: [{ urlPattern: "*/held*" }] }, page);
    const outcome = client.evaluate(
      `fetch('${path}').then((answer) => answer.text(), () => 'refused')`,
      page,
    );
    const paused = () =>
      client.events.findLast(
        ({ method, params }) =>
          method === "Fetch.requestPaused" && JSON.stringify(params).includes(`${site.port}${path}`),
      );
    await expect.poll(paused).toBeDefined();
    return { requestId: paused()?.params["requestId"], outcome };
  };

  test("is not sent on to a file", async () => {
    const { requestId, outcome } = await held("/held-1");
    const answer = await client.send("Fetch.continueRequest", { requestId, url: "file:///etc/passwd" }, page);
    expect(answer).toHaveProperty("error");
    await client.send("Fetch.failRequest", { requestId, errorReason: "Failed" }, page);
    expect(await outcome).toBe("refused");
  });

  test("is not redirected to a file", async () => {
    const { requestId, outcome } = await held("/held-2");
    const params = {
      requestId,
      responseCode: 302,
      responseHeaders: [{ name: "Location", value: "file:///etc/passwd" }],
    };
    expect(await client.send("Fetch.fulfillRequest", params, page)).toHaveProperty("error");
    await client.send("Fetch.failRequest", { requestId, errorReason: "Failed" }, page);
    expect(await outcome).toBe("refused");
  });
});

test("a page that was refused everything is still the same", async () => {
  expect(await client.evaluate("document.title", page)).toBe("t");
  const { targetInfos } = await session.tab.browser.send("Target.getTargets");
  expect(targetInfos.map(({ targetId }) => targetId)).toContain(foreign.targetId);
});
