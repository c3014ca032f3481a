import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { describe, expect, test } from "vitest";

import { CdpConnection } from "../cdp/cdp-connection.ts";
import { browserMethods } from "./browser-methods.ts";
import { checkedPageMethods } from "./checked-page-methods.ts";
import { openConfinedBrowser } from "./confined-browser.ts";
import type { MessageSocket } from "./message-socket.ts";
import { openPageMethods } from "./open-page-methods.ts";
import { OwnTargets } from "./own-targets.ts";

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly sessionId?: string;
}

const OWN = "0".repeat(31) + "C";
const PAGE_SESSION = "1".repeat(32);
const BROWSER_SESSION = "B".repeat(32);
const SPOKEN_BY_CODE = -32_601;

/** A client of a confined browser whose Chromium writes down what it is asked and answers everything. */
async function openClient() {
  const asked: Sent[] = [];
  const told: Answer[] = [];
  let closed: { readonly code: number | undefined } | undefined;
  let say: (text: string) => void = () => undefined;
  let leave: () => void = () => undefined;
  const connection = new CdpConnection({
    send(text) {
      const command = JSON.parse(text) as Sent;
      asked.push(command);
      const result = command.method === "Target.attachToBrowserTarget" ? { sessionId: BROWSER_SESSION } : {};
      const { id, sessionId } = command;
      queueMicrotask(() => connection.receive(JSON.stringify({ id, result, sessionId })));
    },
    close: () => undefined,
  });
  const targets = new OwnTargets(connection.browser, OWN);
  const browser = openConfinedBrowser({ connection, targets });
  const socket: MessageSocket = {
    send: (text) => void told.push(JSON.parse(text) as Answer),
    onMessage(listen) {
      say = listen;
    },
    onClose(listen) {
      leave = listen;
    },
    close(code) {
      closed ??= { code };
    },
  };
  browser.attach(socket);
  const event = (method: string, params: object, sessionId: string) =>
    connection.receive(JSON.stringify({ method, params, sessionId }));
  await settled();
  event("Target.attachedToTarget", attached(PAGE_SESSION, OWN), BROWSER_SESSION);
  asked.length = 0;
  told.length = 0;
  return {
    asked,
    told,
    browser,
    connection,
    event,
    closed: () => closed,
    say: (message: unknown) => say(typeof message === "string" ? message : JSON.stringify(message)),
    leave: () => leave(),
    /** What the client gets for one command, and what went on to the browser for it. */
    async call(method: string, params: object = {}, sessionId?: string) {
      asked.length = 0;
      told.length = 0;
      say(JSON.stringify({ id: 7, method, params, sessionId }));
      await settled();
      return {
        answer: told.find(({ id }) => id === 7),
        passed: asked.filter((sent) => sent.method === method),
      };
    },
  };
}

function attached(sessionId: string, browserContextId: string, targetId = "OWN-PAGE") {
  return { sessionId, targetInfo: { targetId, type: "page", browserContextId }, waitingForDebugger: true };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Parameter {
  readonly name: string;
  readonly $ref?: string;
  readonly items?: { readonly $ref?: string };
  readonly properties?: readonly Parameter[];
}

interface Domain {
  readonly domain: string;
  readonly commands: readonly { readonly name: string; readonly parameters?: readonly Parameter[] }[];
  readonly types?: readonly (Omit<Parameter, "name"> & { readonly id: string })[];
}

const domains = ["browser_protocol", "js_protocol"].flatMap((name) => {
  const path = createRequire(import.meta.url).resolve(`devtools-protocol/json/${name}.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly domains: readonly Domain[] }).domains;
});
const allMethods: readonly string[] = domains.flatMap(({ domain, commands }) =>
  commands.map(({ name }) => `${domain}.${name}`),
);

const pageMethods = new Set<string>([...openPageMethods, ...Object.keys(checkedPageMethods)]);
const ofBrowser = new Set<string>(Object.keys(browserMethods));

describe("every method of the protocol", () => {
  test("is known in the lists", () => {
    expect(allMethods.length).toBeGreaterThan(600);
    expect([...pageMethods, ...ofBrowser].filter((method) => !allMethods.includes(method))).toEqual([]);
  });

  test("goes on to a page as listed, and no further", async () => {
    const wrong: string[] = [];
    for (const method of allMethods) {
      const client = await openClient();
      const { answer, passed } = await client.call(method, {}, PAGE_SESSION);
      const isRefused = answer?.error?.code === SPOKEN_BY_CODE && passed.length === 0;
      if (isRefused === pageMethods.has(method)) wrong.push(method);
      if (passed.some(({ sessionId }) => sessionId !== PAGE_SESSION)) wrong.push(`${method}: other session`);
    }
    expect(wrong).toEqual([]);
  });

  test("goes on to the browser as listed, and no further", async () => {
    const wrong: string[] = [];
    for (const method of allMethods) {
      const client = await openClient();
      const { answer, passed } = await client.call(method);
      const isRefused = answer?.error?.code === SPOKEN_BY_CODE && passed.length === 0;
      if (isRefused === ofBrowser.has(method)) wrong.push(method);
    }
    expect(wrong).toEqual([]);
  });

  test("that is unknown today is refused", async () => {
    const client = await openClient();
    for (const method of ["Page.grantEverything", "toString", "__proto__", "constructor", ""]) {
      for (const session of [undefined, PAGE_SESSION]) {
        const { answer, passed } = await client.call(method, {}, session);
        expect(answer?.error?.code).toBe(SPOKEN_BY_CODE);
        expect(passed).toEqual([]);
      }
    }
  });

  test("that may be called takes no option that names a file or an address, but those that are looked at", () => {
    const known = new Map<string, Omit<Parameter, "name">>(
      domains.flatMap(({ domain, types = [] }) =>
        types.map((type) => [`${domain}.${type.id}`, type] as const),
      ),
    );
    const found = new Set<string>();
    const walk = (domain: string, parameter: Parameter, path: string, seen: readonly string[]) => {
      const name = `${path}.${parameter.name}`;
      if (/path|file|url|director/i.test(parameter.name)) found.add(name);
      const reference = parameter.$ref ?? parameter.items?.$ref;
      if (reference === undefined) return;
      const type = reference.includes(".") ? reference : `${domain}.${reference}`;
      if (seen.includes(type)) return;
      const [owner = domain] = type.split(".");
      for (const inner of known.get(type)?.properties ?? []) walk(owner, inner, name, [...seen, type]);
    };
    for (const { domain, commands } of domains) {
      for (const { name, parameters = [] } of commands) {
        const method = `${domain}.${name}`;
        if (!pageMethods.has(method) && !ofBrowser.has(method)) continue;
        for (const parameter of parameters) walk(domain, parameter, method, []);
      }
    }
    expect([...found].sort()).toEqual([
      // Left out on the way.
      "Browser.setDownloadBehavior.downloadPath",
      // Names of what the page has loaded or stored.
      "CacheStorage.requestCachedResponse.requestURL",
      "CacheStorage.requestEntries.pathFilter",
      "DOM.pushNodeByPathToFrontend.path",
      "DOMDebugger.removeXHRBreakpoint.url",
      "DOMDebugger.setXHRBreakpoint.url",
      "Debugger.setBreakpointByUrl.url",
      "Debugger.setBreakpointByUrl.urlRegex",
      // Looked at.
      "Fetch.continueRequest.url",
      "Fetch.enable.patterns.urlPattern",
      // Looked at.
      "Input.dispatchDragEvent.data.files",
      "Input.dispatchDragEvent.data.items.baseURL",
      "Network.deleteCookies.path",
      "Network.deleteCookies.url",
      "Network.emulateNetworkConditionsByRule.matchedNetworkConditions.urlPattern",
      "Network.getCookies.urls",
      "Network.setBlockedURLs.urlPatterns",
      "Network.setBlockedURLs.urlPatterns.urlPattern",
      "Network.setBlockedURLs.urls",
      "Network.setCookie.path",
      "Network.setCookie.url",
      "Network.setCookies.cookies.path",
      "Network.setCookies.cookies.url",
      "Page.enable.enableFileChooserOpenedEvent",
      "Page.getResourceContent.url",
      // Looked at.
      "Page.navigate.url",
      "Page.searchInResource.url",
      "Runtime.compileScript.sourceURL",
      "Storage.setCookies.cookies.path",
      "Storage.setCookies.cookies.url",
      // Looked at.
      "Target.createTarget.url",
    ]);
  });
});

const FOREIGN_ADDRESSES = [
  "file:///etc/passwd",
  " FILE:///etc/passwd",
  "fi\nle:///etc/passwd",
  "\u0000file:///etc/passwd",
  "view-source:file:///etc/passwd",
  "view-source:http://a.test/",
  "chrome://version",
  "about:version",
  "about:srcdoc",
  "devtools://devtools/bundled/inspector.html",
  "javascript:1",
  "blob:http://a.test/1",
  "filesystem:http://a.test/temporary/a",
  "ftp://a.test/",
  "http://[",
  "relative",
  "//a.test/",
];

const ROADS: readonly (readonly [string, (url: unknown) => object, string | undefined])[] = [
  ["Page.navigate", (url) => ({ url }), PAGE_SESSION],
  ["Fetch.continueRequest", (url) => ({ requestId: "1", url }), PAGE_SESSION],
  ["Target.createTarget", (url) => ({ url }), undefined],
];

describe.each(ROADS)("%s", (method, paramsOf, session) => {
  test.each(FOREIGN_ADDRESSES)("does not lead to %j", async (url) => {
    const client = await openClient();
    const { answer, passed } = await client.call(method, paramsOf(url), session);
    expect(answer?.error?.message).toContain("Only web addresses");
    expect(passed).toEqual([]);
  });

  test.each([["file:///etc/passwd"], { href: "http://a.test" }, 7, null, true])(
    "takes no address like %j",
    async (url) => {
      const client = await openClient();
      const { answer, passed } = await client.call(method, paramsOf([url]), session);
      expect(answer?.error).toBeDefined();
      expect(passed).toEqual([]);
    },
  );

  test.each(["http://a.test/", "https://a.test/b?c#d", "about:blank", "data:text/html,hi"])(
    "leads to %s",
    async (url) => {
      const client = await openClient();
      const { passed } = await client.call(method, paramsOf(url), session);
      expect(passed.map(({ params }) => params["url"])).toEqual([url]);
    },
  );
});

describe("an answer that a client gives instead of a server", () => {
  test.each(["Fetch.fulfillRequest", "Fetch.continueResponse"])(
    "%s does not redirect to files",
    async (method) => {
      const client = await openClient();
      const headers = (name: string, value: unknown) => ({
        requestId: "1",
        responseHeaders: [{ name, value }],
      });
      for (const params of [
        headers("Location", "file:///etc/passwd"),
        headers(" LOCATION ", "\tview-source:http://a.test"),
        headers("a", "b\r\nLocation: file:///etc/passwd"),
        headers("a\0location", "file:///etc/passwd"),
        headers("a", 7),
        { requestId: "1", responseHeaders: "location: file:///etc/passwd" },
        { requestId: "1", binaryResponseHeaders: "bG9jYXRpb246IGZpbGU6Ly8v" },
      ]) {
        const { answer, passed } = await client.call(method, params, PAGE_SESSION);
        expect(answer?.error).toBeDefined();
        expect(passed).toEqual([]);
      }
      const { passed } = await client.call(method, headers("Location", "/there"), PAGE_SESSION);
      expect(passed).toHaveLength(1);
    },
  );
});

test("no file of this machine is dropped on a page", async () => {
  const client = await openClient();
  const drop = (data: unknown) =>
    client.call("Input.dispatchDragEvent", { type: "drop", x: 1, y: 1, data }, PAGE_SESSION);
  const uris = (data: string) => ({ items: [{ mimeType: "Text/URI-list", data }], dragOperationsMask: 1 });
  for (const data of [
    { items: [], files: ["/etc/passwd"], dragOperationsMask: 1 },
    { items: [], files: "/etc/passwd", dragOperationsMask: 1 },
    { items: [], files: { 0: "/etc/passwd", length: 1 } },
    uris("# list\r\nhttp://a.test\r\nfile:///etc/passwd"),
    "x",
  ]) {
    expect((await drop(data)).passed).toEqual([]);
  }
  expect((await drop(uris("http://a.test/"))).passed).toHaveLength(1);
});

test("sessions are always flat", async () => {
  const client = await openClient();
  for (const session of [undefined, PAGE_SESSION]) {
    for (const flatten of [undefined, false, "true"]) {
      const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten };
      expect((await client.call("Target.setAutoAttach", params, session)).passed).toEqual([]);
    }
  }
});

test("the context is forced, and that of others refused", async () => {
  const client = await openClient();
  for (const method of ["Storage.getCookies", "Storage.setCookies", "Browser.grantPermissions"]) {
    expect((await client.call(method, { browserContextId: "OTHER" })).passed).toEqual([]);
    const { passed } = await client.call(method);
    expect(passed[0]?.params).toMatchObject({ browserContextId: OWN });
  }
  const { passed } = await client.call("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: "/tmp",
  });
  expect(passed[0]?.params).toEqual({ behavior: "deny", browserContextId: OWN, eventsEnabled: false });
});

test("what is written to the browser is what was read, even where names are repeated", async () => {
  const client = await openClient();
  const twice = `{"id":7,"sessionId":"${PAGE_SESSION}","method":"Page.navigate","params":{"url":"file:///etc/passwd","url":"http://a.test/"}}`;
  client.say(twice);
  await settled();
  expect(client.asked[0]?.params).toEqual({ url: "http://a.test/" });
  client.say(twice.replace('"method"', '"method":"Browser.crash","method"'));
  await settled();
  expect(client.asked.map(({ method }) => method)).toEqual(["Page.navigate", "Page.navigate"]);
});

test.each([
  "",
  "{",
  "[]",
  "7",
  "null",
  '"text"',
  "{}",
  '{"id":"7","method":"Runtime.enable"}',
  '{"id":1.5,"method":"Runtime.enable"}',
  '{"id":9007199254740993,"method":"Runtime.enable"}',
  '{"id":7}',
  '{"id":7,"method":["Runtime.enable"]}',
  '{"id":7,"method":"Runtime.enable","params":[]}',
  '{"id":7,"method":"Runtime.enable","params":"x"}',
  '{"id":7,"method":"Runtime.enable","sessionId":{}}',
])("the message %s is answered with an error", async (text) => {
  const client = await openClient();
  client.say(text);
  await settled();
  expect(client.told).toHaveLength(1);
  expect(client.told[0]?.error?.code).toBeLessThan(-32_000);
  expect(client.asked).toEqual([]);
});

test("parameters that are nested too deeply are refused, and the client goes on", async () => {
  const client = await openClient();
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  client.say(`{"id":7,"sessionId":"${PAGE_SESSION}","method":"Runtime.evaluate","params":${deep}}`);
  await settled();
  expect(client.told[0]?.error?.message).toContain("nested");
  const { answer } = await client.call("Runtime.evaluate", { expression: "1" }, PAGE_SESSION);
  expect(answer?.result).toEqual({});
});

describe("sessions of others", () => {
  const FOREIGN = "F".repeat(32);

  test("cannot be spoken in", async () => {
    const client = await openClient();
    for (const session of [FOREIGN, BROWSER_SESSION, "", "x"]) {
      const { answer, passed } = await client.call("Runtime.evaluate", { expression: "1" }, session);
      expect(answer?.error?.message).toBe("Session with given id not found.");
      expect(passed).toEqual([]);
    }
  });

  test("are let go when the browser attaches them, untold", async () => {
    const client = await openClient();
    client.event("Target.attachedToTarget", attached(FOREIGN, "OTHER", "FOREIGN"), BROWSER_SESSION);
    client.event("Runtime.consoleAPICalled", { secret: 1 }, FOREIGN);
    await settled();
    expect(client.told).toEqual([]);
    expect(client.asked.map(({ method, sessionId }) => [method, sessionId])).toEqual([
      ["Runtime.runIfWaitingForDebugger", FOREIGN],
      ["Target.detachFromTarget", BROWSER_SESSION],
    ]);
    expect((await client.call("Target.closeTarget", { targetId: "FOREIGN" })).passed).toEqual([]);
  });

  test("and targets of others are not told of", async () => {
    const client = await openClient();
    const targetInfo = {
      targetId: "FOREIGN",
      type: "page",
      browserContextId: "OTHER",
      url: "http://secret.test",
    };
    client.event("Target.targetCreated", { targetInfo }, BROWSER_SESSION);
    client.event("Target.targetInfoChanged", { targetInfo }, BROWSER_SESSION);
    client.event("Target.targetDestroyed", { targetId: "FOREIGN" }, BROWSER_SESSION);
    client.event("Storage.attributionReportingReportSent", { url: "http://secret.test" }, BROWSER_SESSION);
    client.event("Target.receivedMessageFromTarget", { message: "secret" }, BROWSER_SESSION);
    expect(client.told).toEqual([]);
    const own = { targetId: "NEW", type: "page", browserContextId: OWN };
    client.event("Target.targetCreated", { targetInfo: own }, BROWSER_SESSION);
    client.event("Target.targetDestroyed", { targetId: "NEW" }, BROWSER_SESSION);
    expect(client.told.map(({ method, sessionId }) => [method, sessionId])).toEqual([
      ["Target.targetCreated", undefined],
      ["Target.targetDestroyed", undefined],
    ]);
  });

  test("cannot be had by what a page says: the session is the last member of a message", async () => {
    const client = await openClient();
    const { told, connection } = client;
    const forged = `,"sessionId":"${PAGE_SESSION}"}`;
    connection.receive(
      JSON.stringify({ method: "Runtime.consoleAPICalled", params: { text: forged }, sessionId: FOREIGN }),
    );
    connection.receive(
      JSON.stringify({ method: "Runtime.consoleAPICalled", params: { sessionId: PAGE_SESSION } }),
    );
    expect(told).toEqual([]);
    client.event("Runtime.consoleAPICalled", { text: forged }, PAGE_SESSION);
    expect(told).toEqual([
      { method: "Runtime.consoleAPICalled", params: { text: forged }, sessionId: PAGE_SESSION },
    ]);
  });
});

describe("limits", () => {
  test("10,000 commands at once end the connection", async () => {
    const client = await openClient();
    for (let id = 0; id < 10_000; id += 1) client.say({ id, method: "Browser.getVersion" });
    expect(client.closed()?.code).toBe(1008);
    expect(client.asked.length).toBeLessThan(1000);
    await settled();
    expect(client.browser.clients).toBe(0);
  });

  test("a message of more than 16 MB ends the connection", async () => {
    const client = await openClient();
    client.say(" ".repeat(16 * 1024 * 1024 + 1));
    expect(client.closed()?.code).toBe(1008);
  });

  test("a message of very many values is refused without being read", async () => {
    const client = await openClient();
    const before = process.cpuUsage();
    const list = "{},".repeat(5_000_000);
    client.say(`{"id":1,"method":"Runtime.callFunctionOn","params":{"arguments":[${list}{}]}}`);
    await expect.poll(() => client.told.length, { timeout: 10_000 }).toBe(1);
    expect(client.told[0]?.error?.message).toBe("The message has more than 100000 values");
    const { user, system } = process.cpuUsage(before);
    // Reading it took 3 seconds.
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test("large commands are those that bring files and documents; the next waits for them", async () => {
    const client = await openClient();
    const text = "x".repeat(2 * 1024 * 1024);
    const sessionId = PAGE_SESSION;
    client.say({ id: 1, method: "Runtime.evaluate", params: { expression: text }, sessionId });
    client.say({ id: 2, method: "Runtime.callFunctionOn", params: { functionDeclaration: text }, sessionId });
    client.say({ id: 3, method: "Runtime.evaluate", params: { expression: "1" }, sessionId });
    await expect.poll(() => client.told.map(({ id }) => id), { timeout: 10_000 }).toEqual([1, 2, 3]);
    expect(client.told[0]?.error?.message).toBe("'Runtime.evaluate' may have 1048576 bytes and 50000 values");
    expect(client.asked.map(({ params }) => params)).toEqual([
      { functionDeclaration: text },
      { expression: "1" },
    ]);
  });

  test("the ninth client is sent away", async () => {
    const { browser } = await openClient();
    const codes: (number | undefined)[] = [];
    const socket: MessageSocket = {
      send: () => undefined,
      onMessage: () => undefined,
      onClose: () => undefined,
      close: (code) => void codes.push(code),
    };
    for (let client = 2; client <= 9; client += 1) browser.attach(socket);
    expect(codes).toEqual([1013]);
    expect(browser.clients).toBe(8);
  });

  test("there are only so many pages", async () => {
    const client = await openClient();
    for (let page = 0; page < 100; page += 1) {
      const targetInfo = { targetId: `PAGE-${page}`, type: "page", browserContextId: OWN };
      client.event("Target.targetCreated", { targetInfo }, BROWSER_SESSION);
    }
    const closed = client.asked.filter(({ method }) => method === "Target.closeTarget");
    expect(closed).toHaveLength(69);
    const { answer, passed } = await client.call("Target.createTarget", { url: "about:blank" });
    expect(answer?.error?.message).toContain("close some");
    expect(passed).toEqual([]);
  });
});

test("a client that leaves takes its sessions with it, and is told nothing more", async () => {
  const client = await openClient();
  client.leave();
  await settled();
  expect(client.asked.map(({ method, params }) => [method, params])).toEqual([
    ["Target.detachFromTarget", { sessionId: BROWSER_SESSION }],
  ]);
  client.event("Runtime.consoleAPICalled", {}, PAGE_SESSION);
  expect(client.told).toEqual([]);
  expect(client.browser.clients).toBe(0);
});

test("clients are sent away when the browser is lost", async () => {
  const client = await openClient();
  client.connection.close();
  expect(client.closed()?.code).toBe(1001);
});
