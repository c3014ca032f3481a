import { setTimeout as pause } from "node:timers/promises";

import { WebSocket } from "ws";

/** A session that is attacked from within. */
export interface AttackedSession {
  readonly cdpUrl: string;
  readonly liveViewUrl: string;
  /** Address of a page that never answers. */
  readonly neverUrl: string;
  run(language: "node" | "bash" | "python", code: string, timeoutSeconds: number): Promise<Ran>;
}

/** What came of code. */
export interface Ran {
  readonly status: number;
  readonly killed?: boolean;
  readonly exitCode?: number;
  readonly truncated?: boolean;
  readonly stdout?: string;
}

/** What wants more than there is. It ends within its time, or is ended. */
export interface Attack {
  readonly timeoutSeconds: number;
  /** @returns what should not be, in words. */
  run(session: AttackedSession, timeoutSeconds: number): Promise<string | undefined>;
}

type Judge = (ran: Ran) => boolean;

const isKilled: Judge = ({ killed }) => killed === true;
const isStopped: Judge = ({ killed, exitCode }) => killed === true || exitCode !== 0;

function code(
  language: "node" | "bash" | "python",
  text: string,
  timeoutSeconds: number,
  isRight: Judge,
): Attack {
  return {
    timeoutSeconds,
    async run(session, seconds) {
      const ran = await session.run(language, text, seconds);
      return ran.status === 200 && isRight(ran) ? undefined : JSON.stringify(ran).slice(0, 300);
    },
  };
}

const FILL = `const all = []; for (let i = 0; i < 60; i++) all.push(Buffer.alloc(50e6, 1)); all.length`;
const CPU = `for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait`;
const FILES = `i=0; while : > /tmp/f$i; do i=$((i + 1)); done; exit 1`;
const TABS = `for (let i = 0; i < 10000; i++) await context.newPage()`;
const DIALOGS = `await page.evaluate(() => { for (;;) alert("again"); })`;
const NEVER = (url: string) => `await page.goto(${JSON.stringify(url)}, { timeout: 0 })`;

const LEFT_BEHIND = `for i in 1 2 3; do setsid python3 -c 'import time; x = b"1" * 900000000; time.sleep(600)' & done; exit 0`;
const CHANNEL = `for (let i = 0; i < 8; i++) require("fs").writeSync(3, "\\n".repeat(65536)); await new Promise(() => undefined)`;
const NAMES = `for (let i = 0; ; i++) require("fs").writeFileSync("/tmp/name" + i, "")`;
const SOCKETS = `import socket, os, time
for child in range(50):
    if os.fork() == 0:
        held = []
        try:
            while True:
                pair = socket.socketpair()
                held.append(pair)
                for end in pair:
                    end.setblocking(False)
                    try:
                        while True: end.send(b"x" * 65536)
                    except BlockingIOError: pass
        except OSError: time.sleep(600)
time.sleep(600)`;

/** By name, as they are reported. */
export const attacks: Readonly<Record<string, Attack>> = {
  "fork bomb": code("bash", ":(){ :|:& };: ; sleep 60", 5, isKilled),
  heap: code("node", "all = []; for (;;) all.push(new Array(1e6).fill(1.1))", 20, isKilled),
  buffers: code("node", FILL, 20, isStopped),
  tmpfs: code(
    "bash",
    "for i in 1 2 3 4; do head -c 50000000 /dev/zero > /tmp/$i || exit 1; done",
    20,
    isStopped,
  ),
  files: code("bash", FILES, 5, isStopped),
  processor: code("bash", CPU, 5, isKilled),
  "processes left behind": code("bash", LEFT_BEHIND, 10, ({ exitCode }) => exitCode === 0),
  "lines on the channel": code("node", CHANNEL, 10, isKilled),
  names: code("node", NAMES, 20, isStopped),
  "memory in sockets": code("python", SOCKETS, 10, isStopped),
  "a gigabyte of output": code(
    "bash",
    "head -c 1000000000 /dev/zero | tr '\\0' x",
    20,
    ({ killed, truncated, stdout }) =>
      (truncated === true || killed === true) && (stdout?.length ?? 0) <= 1024 * 1024,
  ),
  "10,000 tabs": code("node", TABS, 15, isStopped),
  "endless dialogs": code("node", DIALOGS, 3, isStopped),
  "a page that never loads": {
    timeoutSeconds: 3,
    async run(session, seconds) {
      const ran = await session.run("node", NEVER(session.neverUrl), seconds);
      return isStopped(ran) ? undefined : JSON.stringify(ran);
    },
  },
  "10,000 commands a second": { timeoutSeconds: 10, run: floodCommands },
  "a viewer that does not read": { timeoutSeconds: 10, run: stopReading },
};

const BURST = 10_000;

/** @returns a complaint when the client is still there. */
async function floodCommands({ cdpUrl }: AttackedSession): Promise<string | undefined> {
  const socket = new WebSocket(cdpUrl);
  const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("open", resolve));
  for (let id = 1; id <= BURST; id += 1) socket.send(JSON.stringify({ id, method: "Target.getTargets" }));
  const isClosed = await Promise.race([closed, pause(8000, false)]);
  socket.terminate();
  return isClosed ? undefined : "the client was not sent away";
}

const MOVING = `document.body.innerHTML = "<canvas width=1280 height=720></canvas>";
  const context = document.querySelector("canvas").getContext("2d");
  (function draw() { for (let i = 0; i < 300; i++) { context.fillStyle = "hsl(" + Math.random() * 360 + ",70%,50%)";
    context.fillRect(Math.random() * 1280, Math.random() * 720, 60, 40); } requestAnimationFrame(draw); })();`;

async function stopReading({ liveViewUrl, run }: AttackedSession): Promise<string | undefined> {
  const socket = new WebSocket(liveViewUrl.replace(/^http/, "ws"));
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("open", resolve));
  socket.pause();
  const { status } = await run("node", `await page.evaluate(${JSON.stringify(MOVING)})`, 5);
  await pause(4000);
  socket.terminate();
  return status === 200 ? undefined : `code was answered with ${status}`;
}
