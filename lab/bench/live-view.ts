import type { AddressInfo } from "node:net";

import { WebSocket } from "ws";

import { openSessionSockets } from "../../src/http/live/session-sockets.ts";
import type { SessionAccess } from "../../src/http/live/session-tokens.ts";
import { openMetrics } from "../../src/http/metrics.ts";
import { createServer } from "../../src/http/server.ts";
import { openLog } from "../../src/kit/log/log.ts";
import { CdpConnection } from "../../src/platform/browser/cdp/cdp-connection.ts";
import { openConfinedBrowser } from "../../src/platform/browser/confined/confined-browser.ts";
import { OwnTargets } from "../../src/platform/browser/confined/own-targets.ts";
import { openScreencast } from "../../src/platform/browser/screencast/screencast.ts";
import type { SessionBrowser } from "../../src/platform/browser/session-browser.ts";
import { startFixture } from "./fixture.ts";
import type { Figure } from "./report.ts";
import { findChromium, quantile, startSessionBrowser } from "./session-browsers.ts";

const CLICKS = 40;
const STILL_MS = 3000;
const MOVING_MS = 5000;
const PICTURES = 1000;
const PICTURE_BYTES = 25_000;

const PAGES = {
  "/form": `<!doctype html><title>form</title><body style="margin:0;font:20px sans-serif"><button style="position:absolute;left:0;top:0;width:100%;height:100%"
onclick="document.body.style.background = this.textContent = 'rgb(' + Math.floor(Math.random() * 255) + ',99,99)'">Go</button>`,
  "/moving": `<!doctype html><body style="margin:0"><canvas id=c width=1280 height=720></canvas><script>
const context = c.getContext('2d'); let turn = 0;
(function draw() { turn += 1; context.fillStyle = '#eef'; context.fillRect(0, 0, 1280, 720); for (let i = 0; i < 60; i += 1) { context.fillStyle = 'hsl(' + i * 6 + ',70%,50%)'; context.fillRect((turn * 3 + i * 37) % 1280, (i * 53) % 720, 60, 40); } requestAnimationFrame(draw); })();</script>`,
};

/** What it costs to look at a session, and how soon one sees what one did. */
export async function benchLiveView(): Promise<readonly Figure[]> {
  const site = await startFixture(PAGES);
  const session = await startSessionBrowser(await findChromium());
  const server = await openServer(session);
  try {
    await show(session, `${site.url}/form`);
    const viewer = await watch(`${server.url}/live/token`);
    while (await viewer.next());
    const still = await stillFigure(viewer);
    const click = await clickFigure(viewer);
    await show(session, `${site.url}/moving`);
    const speed = await speedFigure(viewer);
    viewer.socket.terminate();
    return [click, still, speed, await pictureFigure()];
  } finally {
    await session.close();
    await Promise.all([server.stop(), site.stop()]);
  }
}

async function openServer(session: SessionAccess["session"]) {
  const log = await openLog({ level: "silent", format: "json" });
  const metrics = openMetrics({ fetching: () => 0, waiting: () => 0 });
  const access = { kind: "live", interactive: true, session } as const;
  const server = createServer({ log, metrics, upgrades: [openSessionSockets(() => access)] });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, stop: () => server.close() };
}

async function show({ tab }: SessionBrowser, url: string): Promise<void> {
  const loaded = new Promise<void>((resolve) => {
    const stop = tab.session.on("Page.loadEventFired", () => {
      stop();
      resolve();
    });
  });
  await tab.navigate(url, new AbortController().signal);
  await loaded;
}

interface Watching {
  readonly socket: WebSocket;
  frames(): number;
  sizeBytes(): number;
  /** Settles with the next picture; false when none comes within a second. */
  next(): Promise<boolean>;
}

/** @param onOpen called once the viewer is there */
async function watch(url: string, onOpen: () => void = () => undefined): Promise<Watching> {
  const socket = new WebSocket(url);
  let frames = 0;
  let sizeBytes = 0;
  socket.on("message", (data: Buffer) => {
    frames += 1;
    sizeBytes += data.byteLength;
  });
  const next = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => settle(false), 1000);
      const seen = () => settle(true);
      const settle = (isSeen: boolean) => {
        clearTimeout(timer);
        socket.off("message", seen);
        resolve(isSeen);
      };
      socket.once("message", seen);
    });
  const viewer = { socket, frames: () => frames, sizeBytes: () => sizeBytes, next };
  const first = next();
  socket.once("open", () => setTimeout(onOpen, 100));
  if (!(await first)) throw new Error("No picture came.");
  return viewer;
}

async function stillFigure(viewer: Watching): Promise<Figure> {
  const before = viewer.sizeBytes();
  await wait(STILL_MS);
  const perSecond = (viewer.sizeBytes() - before) / (STILL_MS / 1000);
  return {
    name: "live view of a page that stands still",
    value: `${perSecond.toFixed(0)} bytes/s`,
    limit: "0 bytes/s",
    isMet: perSecond === 0,
  };
}

async function clickFigure(viewer: Watching): Promise<Figure> {
  const took: number[] = [];
  for (let click = 0; click < CLICKS; click += 1) {
    const startedAtMs = performance.now();
    const changed = viewer.next();
    for (const event of ["mousePressed", "mouseReleased"]) {
      const input = { type: "mouse", event, x: 0.5, y: 0.5, button: "left", clickCount: 1 };
      viewer.socket.send(JSON.stringify(input));
    }
    if (await changed) took.push(performance.now() - startedAtMs);
    // Let it come to rest: the next picture has to be of the next click.
    while (await viewer.next());
  }
  if (took.length < CLICKS * 0.9) throw new Error("Too many clicks changed nothing.");
  const median = quantile(took);
  return {
    name: "click in a live view until its picture changes",
    value: `${median.toFixed(0)} ms (p90 ${quantile(took, 0.9).toFixed(0)} ms)`,
    limit: "p50 ≤ 150 ms",
    isMet: median <= 150,
  };
}

/**
 * Pictures of a typical size through the whole way, from the browser's message to a viewer.
 * NOTE: the viewer is in the same process, so the service alone takes less.
 */
async function pictureFigure(): Promise<Figure> {
  const browser = openPainter();
  const server = await openServer(browser.session);
  const viewer = await watch(`${server.url}/live/token`, () => browser.paint());
  const before = process.cpuUsage();
  for (let picture = 0; picture < PICTURES; picture += 1) {
    const seen = viewer.next();
    browser.paint();
    await seen;
  }
  const { user, system } = process.cpuUsage(before);
  viewer.socket.terminate();
  await server.stop();
  const share = ((user + system) / 1_000_000 / PICTURES) * 10;
  return {
    name: "Node for a viewer at 10 pictures a second",
    value: `${(share * 100).toFixed(1)} % of a core`,
    limit: "≤ 2 %",
    isMet: share <= 0.02,
  };
}

/** A browser that shows pictures on command, and costs nothing. */
function openPainter() {
  const page = "1".repeat(32);
  const connection = new CdpConnection({
    send(text) {
      const { id, method, sessionId } = JSON.parse(text) as Sent;
      const result = method === "Target.attachToTarget" ? { sessionId: page } : {};
      queueMicrotask(() => connection.receive(JSON.stringify({ id, result, sessionId })));
    },
    close: () => undefined,
  });
  const targets = new OwnTargets(connection.browser, "OWN");
  targets.note({ targetId: "PAGE", type: "page", browserContextId: "OWN" });
  const data = Buffer.alloc(PICTURE_BYTES, "picture").toString("base64");
  const metadata = { deviceWidth: 1280, deviceHeight: 720 };
  const params = { data, metadata, sessionId: 1 };
  const message = JSON.stringify({ method: "Page.screencastFrame", params, sessionId: page });
  const session = {
    confined: openConfinedBrowser({ connection, targets }),
    screencast: openScreencast(connection, targets),
  };
  return { session, paint: () => connection.receive(message) };
}

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
}

async function speedFigure(viewer: Watching): Promise<Figure> {
  await viewer.next();
  const [frames, sizeBytes] = [viewer.frames(), viewer.sizeBytes()];
  await wait(MOVING_MS);
  const count = Math.max(1, viewer.frames() - frames);
  const kilobytes = (viewer.sizeBytes() - sizeBytes) / count / 1000;
  return {
    name: "live view of a page that moves all the time",
    value: `${(count / (MOVING_MS / 1000)).toFixed(1)} pictures/s of ${kilobytes.toFixed(0)} KB`,
    limit: "≤ 10 pictures/s",
    isMet: count / (MOVING_MS / 1000) <= 11,
  };
}

function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
