import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

import { lazy } from "@pergamon-dev/kit/lazy";
import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { listenHttp, type Listener } from "@pergamon-dev/server/net/loopback.suite";
import { never, openTestPool, testGuard } from "./browser.suite.ts";
import { watchReadiness } from "./readiness/readiness.ts";
import type { BrowserTab } from "./tab/tab.ts";

let origin: Listener;
let trap: Listener;
let datagrams = 0;
const asked: string[] = [];
const trapped = new Set<string>();

const ANOTHER_USER = 54_321;

/** The first line that a user of this machine is answered with at an address. */
async function statusFor(address: string, request: string, uid: number): Promise<string> {
  const command = `exec 3<>/dev/tcp/${address.replace(":", "/")}; printf '${request} HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n' >&3; head -n 1 <&3`;
  const { stdout } = await promisify(execFile)("/bin/bash", ["-c", command], { uid, cwd: "/" });
  return stdout;
}

/** What a page can do to make its browser connect somewhere. `T` stands for the trap, without a scheme. */
const CHANNELS: Readonly<Record<string, string>> = {
  image: "new Image().src = 'http://T/image'",
  script: "add('script', { src: 'http://T/script' })",
  style: "add('link', { rel: 'stylesheet', href: 'http://T/style' })",
  import:
    "document.head.append(Object.assign(document.createElement('style'), { textContent: '@import url(http://T/import)' }))",
  font: "new FontFace('f', 'url(http://T/font)').load().catch(() => {})",
  frame: "add('iframe', { src: 'http://T/frame' })",
  srcdoc: "add('iframe', { srcdoc: '<img src=http://T/srcdoc>' })",
  dataFrame: "add('iframe', { src: 'data:text/html,<img src=http://T/dataframe>' })",
  object: "add('object', { data: 'http://T/object' })",
  embed: "add('embed', { src: 'http://T/embed' })",
  video: "add('video', { src: 'http://T/video', preload: 'auto' })",
  track:
    "add('video', {}).append(Object.assign(document.createElement('track'), { default: true, src: 'http://T/track' }))",
  svg: "document.body.insertAdjacentHTML('beforeend', '<svg><image href=http://T/svg /><use href=http://T/use#x /></svg>')",
  background: "document.body.style.background = 'url(http://T/background)'",
  fetch: "fetch('http://T/fetch', { mode: 'no-cors' }).catch(() => {})",
  keepalive: "fetch('http://T/keepalive', { mode: 'no-cors', keepalive: true }).catch(() => {})",
  later: "globalThis.fetchLater?.('http://T/later', { activateAfter: 0 })",
  xhr: "(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://T/xhr'); x.send(); })()",
  beacon: "navigator.sendBeacon('http://T/beacon', 'x')",
  events: "new EventSource('http://T/events')",
  socket: "new WebSocket('ws://T/socket')",
  socketStream: "globalThis.WebSocketStream && new WebSocketStream('ws://T/stream').opened.catch(() => {})",
  transport: "globalThis.WebTransport && new WebTransport('https://T/transport').ready.catch(() => {})",
  worker:
    "new Worker(blob(\"fetch('http://T/worker', { mode: 'no-cors' }).catch(() => {}); new WebSocket('ws://T/workersocket'); importScripts('http://T/workerscript')\"))",
  sharedWorker: "new SharedWorker(blob(\"fetch('http://T/shared', { mode: 'no-cors' }).catch(() => {})\"))",
  audioWorklet:
    "new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('http://T/worklet').catch(() => {})",
  paintWorklet: "globalThis.CSS?.paintWorklet?.addModule('http://T/paint').catch(() => {})",
  module: "import('http://T/module').catch(() => {})",
  serviceWorker: "navigator.serviceWorker?.register('/worker.js').catch(() => {})",
  prefetch: "add('link', { rel: 'prefetch', href: 'http://T/prefetch' })",
  preload: "add('link', { rel: 'preload', as: 'image', href: 'http://T/preload' })",
  modulePreload: "add('link', { rel: 'modulepreload', href: 'http://T/modulepreload' })",
  preconnect: "add('link', { rel: 'preconnect', href: 'http://T' })",
  dnsPrefetch: "add('link', { rel: 'dns-prefetch', href: '//T' })",
  manifest: "add('link', { rel: 'manifest', href: 'http://T/manifest' })",
  icon: "add('link', { rel: 'icon', href: 'http://T/icon' })",
  speculation:
    "add('script', { type: 'speculationrules', textContent: JSON.stringify({ prerender: [{ urls: ['http://T/prerender'] }], prefetch: [{ urls: ['http://T/speculative'] }] }) })",
  ping: "add('a', { href: '#x', ping: 'http://T/ping' }).click()",
  form: "(() => { const frame = add('iframe', { name: 'target' }); const form = add('form', { action: 'http://T/form', target: 'target', method: 'post' }); form.submit(); })()",
  popup: "window.open('http://T/popup')",
  report: "add('iframe', { src: '/reporting' })",
  redirect: "new Image().src = '/redirect'",
  redirectFetch: "fetch('/redirect', { mode: 'no-cors' }).catch(() => {})",
  redirectFrame: "add('iframe', { src: '/redirect' })",
  octal: "new Image().src = 'http://0177.0.0.1:PORT/octal'",
  decimal: "new Image().src = 'http://2130706433:PORT/decimal'",
  zero: "new Image().src = 'http://0:PORT/zero'",
  mapped: "new Image().src = 'http://[::ffff:127.0.0.1]:PORT/mapped'",
  localhost: "new Image().src = 'http://localhost:PORT/localhost'",
  secure: "fetch('https://T/secure', { mode: 'no-cors' }).catch(() => {})",
  ftp: "add('iframe', { src: 'ftp://T/ftp' })",
  file: "add('iframe', { src: 'file:///etc/hostname' })",
  stun: "rtc({ urls: 'stun:T' })",
  turn: "rtc({ urls: 'turn:T?transport=udp', username: 'a', credential: 'b' })",
  turnTcp: "rtc({ urls: 'turn:T?transport=tcp', username: 'a', credential: 'b' })",
  payment:
    "globalThis.PaymentRequest && new PaymentRequest([{ supportedMethods: 'https://T/pay' }], { total: { label: 'x', amount: { currency: 'USD', value: '1' } } }).canMakePayment().catch(() => {})",
  credential:
    "navigator.credentials?.get({ identity: { providers: [{ configURL: 'https://T/idp.json', clientId: '1' }] } }).catch(() => {})",
};

function pageOf(): string {
  const target = `127.0.0.1:${trap.port}`;
  const calls = Object.entries(CHANNELS).map(([name, code]) => {
    const script = code
      .replaceAll("http://T", `http://${target}`)
      .replaceAll(/\bT(?=[/'?#])|\/\/T\b/g, (found) => (found === "T" ? target : `//${target}`));
    return `try { ${script.replaceAll("PORT", String(trap.port))}; done.push(${JSON.stringify(name)}); } catch (error) { failed.push(${JSON.stringify(name)} + ": " + error); }`;
  });
  return `<!doctype html><title>channels</title><body><script>
    const done = [], failed = [];
    const add = (name, properties) => { const element = Object.assign(document.createElement(name), properties); document.body.append(element); return element; };
    const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const rtc = (server) => { const peer = new RTCPeerConnection({ iceServers: [server] }); peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); };
    ${calls.join("\n")}
    </script></body>`;
}

beforeAll(async () => {
  trap = await listenHttp((request, response) => {
    trapped.add((request.url ?? "").slice(1));
    response.end("secret");
  });
  origin = await listenHttp((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const to = `http://127.0.0.1:${trap.port}`;
    if (path === "/redirect") return response.writeHead(302, { location: `${to}/redirected` }).end();
    if (path === "/worker.js") {
      response.setHeader("content-type", "text/javascript");
      return response.end(`fetch("${to}/serviceworker", { mode: "no-cors" }).catch(() => {})`);
    }
    if (path === "/reporting") {
      response.setHeader("content-security-policy", `default-src 'none'; report-uri ${to}/report`);
      response.setHeader("link", `<${to}/hint>; rel=preload; as=image, <${to}>; rel=preconnect`);
    }
    response.setHeader("content-type", "text/html");
    response.end(path === "/" ? pageOf() : "<img src=/x>");
  }, "127.0.0.2");
  const socket = createSocket("udp4");
  socket.on("message", () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => socket.bind(trap.port, "127.0.0.1", resolve));
  ofTestFile.add(socket, () => void socket.close());
});

const guarded = lazy(() => openTestPool(testGuard([`127.0.0.2:${origin.port}`])));
const open = lazy(() => openTestPool(testGuard([`127.0.0.2:${origin.port}`, `127.0.0.1:${trap.port}`])));

async function inTab<T>(use: (tab: BrowserTab) => Promise<T>, pool = guarded()): Promise<T> {
  return pool.withTab({ skipTlsVerification: true }, use, never);
}

/** Opens the page with the channels and lets it try them all. */
async function tryChannels(tab: BrowserTab): Promise<{ done: string[]; failed: string[] }> {
  const readiness = watchReadiness(tab);
  const { errorCode } = await tab.navigate(`http://127.0.0.2:${origin.port}/`, never);
  expect(errorCode).toBeUndefined();
  await readiness.ready(never, { budgetMs: 3000 });
  // Hints, reports and STUN come late.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return (await evaluate(tab, "({ done, failed })")) as { done: string[]; failed: string[] };
}

async function evaluate(tab: BrowserTab, expression: string): Promise<unknown> {
  const { result } = await tab.session.send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value as unknown;
}

describe("a page that tries every way out", () => {
  test("reaches its own origin, and never the trap", async () => {
    const { done, failed } = await inTab(tryChannels);
    // An API that this engine does not know cannot leak; but the page must have run to its end.
    expect(done.length + failed.length).toBe(Object.keys(CHANNELS).length);
    expect(done.length).toBeGreaterThan(45);
    expect(asked).toEqual(expect.arrayContaining(["/", "/redirect", "/reporting"]));
    expect(trap.connections()).toBe(0);
    expect(datagrams).toBe(0);
  });

  test("would reach it if it were open", async () => {
    await inTab(tryChannels, open());
    // What does not go through a proxy has no way out.
    expect(datagrams).toBe(0);
  });

  test.each([
    "file:///etc/hostname",
    "chrome://version",
    "view-source:http://127.0.0.2/",
    "data:text/html,x",
  ])("cannot be sent to %s", async (url) => {
    await expect(inTab((tab) => tab.navigate(url, never))).rejects.toThrow("web only");
  });

  test.each([
    "file:///etc/hostname",
    "chrome://version",
    "view-source:http://127.0.0.2/",
    "devtools://devtools/x",
  ])("cannot go to %s by itself", async (url) => {
    const where = await inTab(async (tab) => {
      await tab.navigate(`http://127.0.0.2:${origin.port}/other`, never);
      await evaluate(tab, `location.href = ${JSON.stringify(url)}`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return evaluate(tab, "location.href");
    });
    expect(where).toBe(`http://127.0.0.2:${origin.port}/other`);
  });

  // Only root can be another user, and only Linux tells users apart.
  test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
    "W2 shares its way out with no other user of the machine",
    async () => {
      await inTab(async (tab) => {
        const url = `http://127.0.0.2:${origin.port}/other`;
        expect(await statusFor(tab.egress.address, `GET ${url}`, ANOTHER_USER)).toContain(" 407 ");
        const tunnel = `CONNECT 127.0.0.2:${origin.port}`;
        expect(await statusFor(tab.egress.address, tunnel, ANOTHER_USER)).toContain(" 407 ");
        expect(await statusFor(tab.egress.address, `GET ${url}`, 0)).toContain(" 200 ");
        expect((await tab.navigate(url, never)).errorCode).toBeUndefined();
      });
    },
  );

  test("finds no DevTools port", async () => {
    const { commandLine } = await inTab((tab) => tab.browser.send("SystemInfo.getInfo"));
    expect(commandLine).toContain("--remote-debugging-pipe");
    expect(commandLine).not.toContain("--remote-debugging-port");
  });
});
