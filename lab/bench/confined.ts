import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium as playwright } from "playwright-core";
import { WebSocketServer } from "ws";

import { CdpConnection } from "../../src/platform/browser/cdp/cdp-connection.ts";
import {
  type ConfinedBrowser,
  openConfinedBrowser,
} from "../../src/platform/browser/confined/confined-browser.ts";
import { type MessageSocket, messageSocketOf } from "../../src/platform/browser/confined/message-socket.ts";
import { OwnTargets } from "../../src/platform/browser/confined/own-targets.ts";
import type { LaunchOptions } from "../../src/platform/browser/launch/launch.ts";
import { launchFlags } from "../../src/platform/browser/launch/launch-flags.ts";
import { processTree } from "../../test/process-tree.ts";
import type { Figure } from "./report.ts";
import { findChromium, quantile, startSessionBrowser } from "./session-browsers.ts";

const CONNECTIONS = 12;
const ROUNDS = 5;
/** What a client may send at once. */
const COMMANDS_AT_ONCE = 400;
const CLIENTS = 100;
const EVENTS = 200_000;

/** What it costs that clients of a session reach its context alone. */
export async function benchConfined(): Promise<readonly Figure[]> {
  return [await connectFigure(), await commandFigure(), await eventFigure()];
}

async function connectFigure(): Promise<Figure> {
  const chromium = await findChromium();
  const session = await startSessionBrowser(chromium);
  const door = await openDoor(session.confined);
  const direct = await startDirect(chromium);
  try {
    const pairs: (readonly [number, number])[] = [];
    for (const url of [door.url, direct.url]) await connectOften(url);
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await connectOften(door.url), await connectOften(direct.url)]);
    const ratio = quantile(pairs.map(([ours, floor]) => ours / floor));
    const [ours, floor] = [0, 1].map((side) => quantile(pairs.map((pair) => pair[side] ?? 0)));
    return {
      name: "connectOverCDP to a session, CPU of client, filter and browser, against the bare browser",
      value: `${ratio.toFixed(2)} × (${ours?.toFixed(0)} against ${floor?.toFixed(0)} ms)`,
      limit: "≤ 1.3 ×",
      isMet: ratio <= 1.3,
    };
  } finally {
    await Promise.all([session.close(), direct.stop(), door.stop()]);
  }
}

/** @returns milliseconds of processor time for each connection */
async function connectOften(url: string): Promise<number> {
  const tree = processTree(process.pid);
  const before = tree.cpuMs();
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const browser = await playwright.connectOverCDP(url);
    if (browser.contexts()[0]?.pages().length === 0) throw new Error("There is no page.");
    await browser.close();
  }
  return (tree.cpuMs() - before) / CONNECTIONS;
}

async function openDoor(confined: ConfinedBrowser) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on("connection", (socket) => confined.attach(messageSocketOf(socket, confined.unread)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  };
  return { url: `ws://127.0.0.1:${port}/`, stop };
}

/** The same browser with a port of its own. */
async function startDirect({ path, environment }: LaunchOptions) {
  const folder = await mkdtemp(join(tmpdir(), "bench-direct-"));
  const flags = launchFlags({ isolatesSites: false, opensWindows: true }).filter(
    (flag) => flag !== "--remote-debugging-pipe",
  );
  const own = ["--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"];
  const program = spawn(path, [...flags, ...own], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...environment, HOME: folder },
    detached: true,
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    program.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const [found] = /ws:\/\/\S+/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    program.once("exit", () => reject(new Error(`The browser ended: ${text}`)));
  });
  const stop = async () => {
    const ended = new Promise((resolve) => program.once("exit", resolve));
    process.kill(-(program.pid ?? 0), "SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  return { url, stop };
}

const OWN = "CONTEXT";
const PAGE = "1".repeat(32);

/** A confined browser whose Chromium answers on command, and costs nothing. */
function openAlone() {
  let sessions = 0;
  let asked: string[] = [];
  const connection = new CdpConnection({
    send: (text) => void asked.push(text),
    close: () => undefined,
  });
  const answerAll = () => {
    const texts = asked;
    asked = [];
    for (const text of texts) {
      const id = text.slice(6, text.indexOf(","));
      const opens = text.includes("Target.attachToBrowserTarget");
      sessions += opens ? 1 : 0;
      const session = String(sessions).padStart(32, "B");
      const result = opens ? `{"sessionId":"${session}"}` : '{"result":{"type":"number","value":2}}';
      const tail = text.endsWith(`"sessionId":"${PAGE}"}`) ? `,"sessionId":"${PAGE}"}` : "}";
      connection.receive(`{"id":${id},"result":${result}${tail}`);
    }
  };
  const browser = openConfinedBrowser({ connection, targets: new OwnTargets(connection.browser, OWN) });
  const attach = async (send: (text: string) => void) => {
    let say: (text: string) => void = () => undefined;
    let leave: () => void = () => undefined;
    const socket: MessageSocket = {
      send,
      onMessage(listen) {
        say = listen;
      },
      onClose(listen) {
        leave = listen;
      },
      close: () => undefined,
    };
    browser.attach(socket);
    answerAll();
    await new Promise((resolve) => setImmediate(resolve));
    const targetInfo = { targetId: "PAGE", type: "page", browserContextId: OWN };
    const params = { sessionId: PAGE, targetInfo, waitingForDebugger: false };
    const sessionId = String(sessions).padStart(32, "B");
    connection.receive(JSON.stringify({ method: "Target.attachedToTarget", params, sessionId }));
    return { say, leave };
  };
  return { connection, attach, answerAll };
}

/** Parsing, checking and writing of a command, and its answer. */
async function commandFigure(): Promise<Figure> {
  const { attach, answerAll } = openAlone();
  const params = { expression: "1 + 1", returnByValue: true, awaitPromise: true, userGesture: true };
  const microseconds: number[] = [];
  for (let client = 0; client < CLIENTS; client += 1) {
    let answers = 0;
    const { say, leave } = await attach((text) => {
      if (text.startsWith('{"id":')) answers += 1;
    });
    const messages = Array.from({ length: COMMANDS_AT_ONCE }, (_, id) =>
      JSON.stringify({ id, method: "Runtime.evaluate", params, sessionId: PAGE }),
    );
    const before = process.cpuUsage();
    for (const message of messages) say(message);
    answerAll();
    const { user, system } = process.cpuUsage(before);
    if (answers !== COMMANDS_AT_ONCE) throw new Error("Not every command was answered.");
    microseconds.push((user + system) / COMMANDS_AT_ONCE);
    leave();
  }
  // What else runs on the machine only adds.
  return figure("a command and its answer through the filter, CPU", quantile(microseconds, 0.1), 6);
}

/** What a page tells, such as requests of its own, on its way to a client. */
async function eventFigure(): Promise<Figure> {
  const { connection, attach } = openAlone();
  let seen = 0;
  await attach(() => {
    seen += 1;
  });
  seen = 0;
  const params = { requestId: "1", request: { url: "http://a.test/".padEnd(400, "x"), headers: {} } };
  const text = JSON.stringify({ method: "Network.requestWillBeSent", params, sessionId: PAGE });
  const before = process.cpuUsage();
  for (let event = 0; event < EVENTS; event += 1) connection.receive(text);
  const { user, system } = process.cpuUsage(before);
  if (seen !== EVENTS) throw new Error("Not every event came through.");
  return figure("an event through the filter, CPU", (user + system) / EVENTS, 1.5);
}

function figure(name: string, microseconds: number, limit: number): Figure {
  return {
    name,
    value: `${microseconds.toFixed(2)} µs`,
    limit: `≤ ${limit} µs`,
    isMet: microseconds <= limit,
  };
}
