import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";

import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { openSessionSockets } from "../packages/server/src/interact/live/session-sockets.ts";
import type { SessionAccess } from "../packages/server/src/interact/live/session-tokens.ts";
import { openMetrics } from "../packages/server/src/operator/health/metrics.ts";
import { addLiveRoutes } from "../packages/server/src/interact/live/routes.ts";
import { createServer } from "../packages/server/src/http/server.ts";
import { openLog } from "../packages/kit/src/log/log.ts";
import { openDoor, openTestSession, RawClient } from "../packages/browser/src/session-browser.suite.ts";
import type { SessionBrowser } from "../packages/browser/src/session-browser.ts";
import { openSite, type Site } from "./site.ts";

const FORM = `<!doctype html><title>form</title><style>body { margin: 0 } #go, #n { position: absolute; left: 600px; width: 200px; height: 60px }
#go { top: 300px } #n { top: 500px }</style><button id=go onclick="document.title = 'clicked'; document.body.style.background = '#fed'">Go</button><input id=n>
<div style="height: 4000px"></div>`;
const ANIMATED = `<!doctype html><body style="margin:0"><canvas id=c width=1280 height=720></canvas><script>
const context = c.getContext('2d'); let turn = 0;
(function draw() { turn += 1; context.fillStyle = 'hsl(' + turn % 360 + ',70%,50%)'; context.fillRect(0, 0, 1280, 720); requestAnimationFrame(draw); })();</script>`;

const tokens = new Map<string, SessionAccess>();
const logged: string[] = [];

let site: Site;
let session: SessionBrowser;
let host: string;
let server: Awaited<ReturnType<typeof openServer>>;
/** Somebody's own browser, for whom the page is made. */
let visitor: Browser;

async function openServer() {
  const find = (token: string) => tokens.get(token);
  const silent = await openLog({ level: "silent", format: "json" });
  const log = Object.create(silent, {
    info: { value: (...line: unknown[]) => void logged.push(JSON.stringify(line)) },
    warn: { value: (...line: unknown[]) => void logged.push(JSON.stringify(line)) },
  }) as typeof silent;
  const opened = createServer({
    log,
    metrics: openMetrics({ fetching: () => 0, waiting: () => 0 }),
    trustedPages: { publicUrl: "http://own.test", corsOrigins: [] },
    upgrades: [openSessionSockets(find)],
  });
  opened.post("/v2/echo", async ({ body }) => ({ body }));
  addLiveRoutes(opened, find);
  await opened.listen({ host: "127.0.0.1", port: 0 });
  return ofTestFile.add(opened, (app) => app.close());
}

beforeAll(async () => {
  site = await openSite();
  session = await openTestSession();
  tokens.set("looks", { kind: "live", interactive: false, session });
  tokens.set("touches", { kind: "live", interactive: true, session });
  tokens.set("speaks", { kind: "cdp", interactive: true, session });
  server = await openServer();
  host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const another = await openTestSession();
  visitor = await chromium.connectOverCDP(await openDoor(another));
  ofTestFile.add(visitor, (browser) => browser.close());
});

/** What a viewer gets. */
class Viewer {
  readonly frames: Buffer[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(readonly socket: WebSocket) {
    socket.on("message", (data: Buffer) => this.frames.push(data));
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  static async open(token: string): Promise<Viewer> {
    const socket = new WebSocket(`ws://${host}/live/${token}`);
    const viewer = new Viewer(ofTestFile.add(socket, (opened) => opened.terminate()));
    // A test that fails leaves nobody watching.
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", reject);
    });
    return viewer;
  }

  say(input: unknown): void {
    this.socket.send(typeof input === "string" ? input : JSON.stringify(input));
  }

  async leave(): Promise<void> {
    const closed = new Promise((resolve) => this.socket.on("close", resolve));
    this.socket.close();
    await closed;
  }
}

async function open(path: string, html: string): Promise<void> {
  const { session: page } = session.tab;
  const loaded = new Promise<void>((resolve) => {
    const stop = page.on("Page.loadEventFired", () => {
      stop();
      resolve();
    });
  });
  await session.tab.navigate(site.page(path, html), new AbortController().signal);
  await loaded;
}

async function inPage(expression: string): Promise<unknown> {
  const { result } = await session.tab.session.send("Runtime.evaluate", { expression });
  return result.value;
}

async function watching(count: number): Promise<void> {
  await expect.poll(() => session.screencast.viewers).toBe(count);
}

describe("the WebSocket of a live view", () => {
  test("shows the page, and then nothing until it changes", async () => {
    await open("/form", FORM);
    const viewer = await Viewer.open("looks");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    expect(viewer.frames[0]?.subarray(0, 3).toString("hex")).toBe("ffd8ff");
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === viewer.frames.length;
          before = viewer.frames.length;
          return isStill;
        },
        { interval: 400, timeout: 10_000 },
      )
      .toBe(true);
    await inPage("document.body.style.background = '#def'");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(before);
    await viewer.leave();
    await watching(0);
  });

  test("shows the present picture to whoever comes later", async () => {
    await open("/form", FORM);
    const first = await Viewer.open("looks");
    await expect.poll(() => first.frames.length).toBeGreaterThan(0);
    const second = await Viewer.open("looks");
    await expect.poll(() => second.frames.length).toBeGreaterThan(0);
    await Promise.all([first.leave(), second.leave()]);
    await watching(0);
  });

  test("clicks where the viewer clicks, however large the picture is", async () => {
    await open("/form", FORM);
    const viewer = await Viewer.open("touches");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    const size = (await inPage("innerWidth + 'x' + innerHeight")) as string;
    const [width = 1, height = 1] = size.split("x").map(Number);
    const place = { x: 700 / width, y: 330 / height };
    for (const event of ["mousePressed", "mouseReleased"])
      viewer.say({ type: "mouse", event, ...place, button: "left", clickCount: 1 });
    await expect.poll(() => inPage("document.title")).toBe("clicked");
    await viewer.leave();
    await watching(0);
  });

  test("types, pastes and scrolls", async () => {
    await open("/form", FORM);
    const viewer = await Viewer.open("touches");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    await inPage("document.querySelector('#n').focus()");
    const key = (event: string, text?: string) => ({
      type: "key",
      event,
      key: "a",
      code: "KeyA",
      keyCode: 65,
      text,
    });
    viewer.say(key("keyDown", "a"));
    viewer.say(key("keyUp"));
    viewer.say({ type: "text", text: "pasted" });
    await expect.poll(() => inPage("document.querySelector('#n').value")).toBe("apasted");
    viewer.say({ type: "wheel", x: 0.1, y: 0.1, deltaX: 0, deltaY: 300 });
    await expect.poll(() => inPage("scrollY > 0")).toBe(true);
    await viewer.leave();
    await watching(0);
  });

  test("follows to the page that was opened last, and back", async () => {
    await open("/form", FORM);
    const viewer = await Viewer.open("touches");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    const client = await RawClient.connect(`ws://${host}/cdp/speaks`);
    const { result } = await client.send("Target.createTarget", { url: site.page("/other", ANIMATED) });
    const seen = viewer.frames.length;
    await expect.poll(() => viewer.frames.length, { timeout: 10_000 }).toBeGreaterThan(seen + 3);
    await client.send("Target.closeTarget", { targetId: result?.["targetId"] });
    await inPage("document.querySelector('#n').focus()");
    await expect
      .poll(async () => {
        viewer.say({ type: "text", text: "x" });
        return inPage("document.querySelector('#n').value.length > 0");
      })
      .toBe(true);
    client.socket.close();
    await viewer.leave();
    await watching(0);
  });

  test("shows at most about ten pictures a second of what never stands still", async () => {
    await open("/animated", ANIMATED);
    const viewer = await Viewer.open("looks");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    const startedAtMs = performance.now();
    const before = viewer.frames.length;
    await expect.poll(() => viewer.frames.length, { timeout: 30_000 }).toBeGreaterThan(before + 30);
    const tookMs = performance.now() - startedAtMs;
    // A busy machine gets late ones together; without a limit there are sixty a second.
    expect((viewer.frames.length - before) / (tookMs / 1000)).toBeLessThan(16);
    await viewer.leave();
    await watching(0);
  });

  test("goes on for others when one does not read", async () => {
    await open("/animated", ANIMATED);
    const slow = await Viewer.open("looks");
    slow.socket.pause();
    const other = await Viewer.open("looks");
    await expect.poll(() => other.frames.length, { timeout: 20_000 }).toBeGreaterThan(10);
    slow.socket.terminate();
    await other.leave();
    await watching(0);
  });

  test("of a view to look at takes no input", async () => {
    const viewer = await Viewer.open("looks");
    viewer.say({ type: "text", text: "x" });
    await expect.poll(() => viewer.closed?.code).toBe(1008);
    await watching(0);
  });

  test.each([
    "",
    "{",
    "null",
    '{"type":"mouse"}',
    '{"type":"text","text":""}',
    '{"type":"text","text":"x","more":1}',
    '{"type":"mouse","event":"mousePressed","x":2,"y":0}',
    '{"type":"mouse","event":"mousePressed","x":"0","y":0}',
    '{"type":"key","event":"keyDown","key":"a","code":"KeyA","keyCode":1e9}',
    '{"type":"navigate","url":"file:///etc/passwd"}',
  ])("ends at %j", async (text) => {
    const viewer = await Viewer.open("touches");
    viewer.say(text);
    await expect.poll(() => viewer.closed?.code).toBe(1008);
  });

  test("leaves out what is more than a person does", async () => {
    await open("/form", FORM);
    const viewer = await Viewer.open("touches");
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    await inPage("globalThis.moves = 0; onmousemove = () => { moves += 1 }");
    for (let move = 0; move < 2000; move += 1)
      viewer.say({ type: "mouse", event: "mouseMoved", x: (move % 100) / 100, y: 0.5 });
    viewer.say({ type: "mouse", event: "mousePressed", x: 0.5, y: 0.5, button: "left", clickCount: 1 });
    await inPage("1");
    expect(await inPage("moves")).toBeLessThan(200);
    expect(viewer.closed).toBeUndefined();
    await viewer.leave();
    await watching(0);
  });

  test("has eight viewers at most", async () => {
    const viewers: Viewer[] = [];
    for (let count = 0; count < 9; count += 1) viewers.push(await Viewer.open("looks"));
    await expect.poll(() => viewers.filter(({ closed }) => closed?.code === 1013).length).toBe(1);
    for (const viewer of viewers) viewer.socket.close();
    await watching(0);
  });
});

describe("who may connect", () => {
  const upgrade = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<number>((resolve, reject) => {
      const key = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
      const asked = request(`http://${host}${path}`, {
        headers: { connection: "Upgrade", upgrade: "websocket", ...key, ...headers },
      });
      asked.on("response", (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      asked.on("error", reject);
      asked.end();
    });

  test.each([
    ["/live/looks", 101],
    ["/cdp/speaks", 101],
    ["//v2//cdp/speaks", 404],
    ["/cdp/looks", 404],
    ["/live/speaks", 404],
    ["/live/unknown", 404],
    ["/live/", 404],
    ["/live/looks/more", 404],
    ["/v2/scrape", 404],
  ])("%s is answered %i", async (path, status) => {
    expect(await upgrade(path)).toBe(status);
  });

  test("nobody who calls the service by a name that is not its own", async () => {
    expect(await upgrade("/cdp/speaks", { host: "rebound.test" })).toBe(403);
    expect(await upgrade("/cdp/speaks", { host: "own.test" })).toBe(101);
  });

  test("no handshake that is none", async () => {
    expect(await upgrade("/cdp/speaks", { "sec-websocket-key": "short" })).toBe(400);
  });

  test("other requests for upgrades are answered as if there were none", async () => {
    const response = await fetch(`http://${host}/v2/echo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"a":1}',
    });
    const plain = await response.text();
    const text = '{"a":1}';
    const answer = await new Promise<string>((resolve) => {
      const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
      let all = "";
      socket.on("data", (data: Buffer) => {
        all += data.toString("utf8");
      });
      socket.on("close", () => resolve(all));
      socket.write(
        `POST /v2/echo HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
    });
    expect(answer).toContain("200 OK");
    expect(answer.endsWith(plain)).toBe(true);
  });

  test("tokens are not in the log", async () => {
    await fetch(`http://${host}/live/looks`);
    await fetch(`http://${host}/live/unknown-token`);
    await fetch(`http://${host}/cdp/speaks`);
    await expect.poll(() => logged.filter((line) => line.includes("/live/:token")).length).toBeGreaterThan(1);
    expect(logged.join("\n")).not.toMatch(/looks|touches|speaks|unknown-token/);
  });
});

describe("the page of a live view", () => {
  const page = async (): Promise<Page> => {
    const found = visitor.contexts()[0]?.pages()[0];
    if (!found) throw new Error("The visitor has no page.");
    return found;
  };
  const drawn = `(() => {
    const view = document.getElementById('view');
    return view.getContext('2d').getImageData(0, 0, view.width, view.height).data.some((value) => value !== 0);
  })()`;

  test("draws the session, and says nothing else", async () => {
    await open("/form", FORM);
    const view = await page();
    const asked: string[] = [];
    view.on("request", (made) => asked.push(made.url()));
    await view.goto(`http://${host}/live/looks`);
    await expect.poll(() => view.evaluate(drawn)).toBe(true);
    expect(await view.locator("#state").isHidden()).toBe(true);
    expect(asked).toEqual([`http://${host}/live/looks`]);
    expect(await view.evaluate("origin")).toBe("null");
    await view.goto("about:blank");
    await watching(0);
  });

  test("hands on clicks, keys and what is pasted", async () => {
    await open("/form", FORM);
    const view = await page();
    await view.goto(`http://${host}/live/touches`);
    await expect.poll(() => view.evaluate(drawn)).toBe(true);
    const size = (await inPage("innerWidth + 'x' + innerHeight")) as string;
    const [width = 1, height = 1] = size.split("x").map(Number);
    const box = await view.locator("#view").boundingBox();
    if (!box) throw new Error("The picture is not shown.");
    const at = (x: number, y: number) =>
      [box.x + (x / width) * box.width, box.y + (y / height) * box.height] as const;
    await view.mouse.click(...at(700, 330));
    await expect.poll(() => inPage("document.title")).toBe("clicked");
    await view.mouse.click(...at(700, 530));
    await expect.poll(() => inPage("document.activeElement.id")).toBe("n");
    await view.keyboard.type("Ada");
    await expect.poll(() => inPage("document.querySelector('#n').value")).toBe("Ada");
    await view.keyboard.press("Backspace");
    await expect.poll(() => inPage("document.querySelector('#n').value")).toBe("Ad");
    await view.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ' Lovelace');
      dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    })()`);
    await expect.poll(() => inPage("document.querySelector('#n').value")).toBe("Ad Lovelace");
    await view.goto("about:blank");
    await watching(0);
  });

  test("may be shown in a frame of any site", async () => {
    await open("/form", FORM);
    const view = await page();
    await view.goto(
      site.page("/frame", `<title>frame</title><iframe src="http://${host}/live/looks"></iframe>`),
    );
    const frame = view.frames().at(-1);
    await expect.poll(() => frame?.evaluate(drawn)).toBe(true);
    await view.goto("about:blank");
    await watching(0);
  });

  test("is not there for tokens that are none, or of something else", async () => {
    for (const path of ["/live/unknown", "/live/speaks", "/cdp/looks", "/cdp/unknown"]) {
      expect((await fetch(`http://${host}${path}`)).status).toBe(404);
    }
    expect((await fetch(`http://${host}/cdp/speaks`)).status).toBe(426);
  });

  test("tells when the session has ended", async () => {
    const ending = await openTestSession();
    tokens.set("ends", { kind: "live", interactive: false, session: ending });
    const view = await page();
    // The last picture is decoded only after the end.
    await view.addInitScript(`
      const decode = createImageBitmap;
      window.createImageBitmap = async (picture) => {
        window.came = true;
        await new Promise((resolve) => { window.goOn = resolve; });
        return decode(picture);
      };
    `);
    await view.goto(`http://${host}/live/ends`);
    await expect.poll(() => view.evaluate("window.came")).toBe(true);
    await ending.close();
    const said = () => view.locator("#state").textContent();
    await expect.poll(said).toBe("The session has ended.");
    await view.evaluate("window.goOn()");
    await expect.poll(() => view.evaluate(drawn)).toBe(true);
    expect(await said()).toBe("The session has ended.");
  });
});
