import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { listenHttp } from "@pergamon-dev/server/net/loopback.suite";
import { browserPidOf, findTestBrowser, never, openTestPool, testGuard } from "../browser.suite.ts";
import { CdpConnection } from "../cdp/cdp-connection.ts";
import { WEBRTC_FLAGS } from "./launch-flags.ts";
import type { BrowserPool, BrowserPoolOptions } from "../pool.ts";
import { watchReadiness } from "../readiness/readiness.ts";
import type { BrowserTab } from "../tab/tab.ts";
import { openWebSocketTransport } from "../cdp/websocket-transport.ts";

const options = { skipTlsVerification: true };
const WORDS = "<p>Words enough to count as a page that is what it seems.</p>".repeat(6);
/** Loads from a page and from a worker, and tells in its title when all has come. */
const LOADS = `<script>fetch("/data").then(() => {
  new Worker("/worker.js").onmessage = ({ data }) => { document.title = data; };
});</script>`;
const site = await listenHttp((request, response) => {
  if (request.url === "/worker.js") {
    response.setHeader("content-type", "text/javascript");
    return response.end('fetch("/more").then(() => postMessage("all came"))');
  }
  response.setHeader("content-type", "text/html");
  response.end(`<!doctype html><title>site</title>${WORDS}${request.url === "/loads" ? LOADS : ""}`);
});
const url = `http://127.0.0.1:${site.port}/`;

/** Starts a browser as operators do, and returns the WebSocket address that it tells. */
async function startElsewhere(flags: readonly string[] = WEBRTC_FLAGS): Promise<string> {
  const found = await findTestBrowser();
  const folder = testFolder();
  const own = ["--headless", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${folder}`];
  const program = spawn(found?.path ?? "", [...own, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...found?.environment, HOME: folder },
    detached: true,
  });
  ofTestFile.add(folder, (path) => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  ofTestFile.add(program, ({ pid = 0 }) => void process.kill(-pid, "SIGKILL"));
  return debuggingAddress(program.stderr);
}

/** What it says later is read, too: a browser whose error stream is closed may stop. */
function debuggingAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    stderr.on("data", (chunk) => {
      text += String(chunk);
      const address = /listening on (ws:\S+)/.exec(text)?.[1];
      if (address) resolve(address);
    });
    stderr.once("end", () => reject(new Error(text)));
  });
}

function openPool(remoteUrls: readonly string[], more: Partial<BrowserPoolOptions> = {}): BrowserPool {
  const find = async () => undefined;
  return openTestPool(testGuard([`127.0.0.1:${site.port}`]), { remoteUrls, find, ...more });
}

async function titleIn(tab: BrowserTab): Promise<unknown> {
  const readiness = watchReadiness(tab);
  await tab.navigate(url, never);
  await readiness.ready(never, { budgetMs: 5000 });
  return evaluate(tab, "document.title");
}

/** @throws the time limit of the test, when something does not come. */
async function loadAll(tab: BrowserTab): Promise<void> {
  await tab.navigate(`${url}loads`, never);
  while ((await evaluate(tab, "document.title")) !== "all came") await sleep(20);
}

async function evaluate(tab: BrowserTab, expression: string): Promise<unknown> {
  const { result } = await tab.session.send("Runtime.evaluate", {
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  return result.value as unknown;
}

describe("a browser elsewhere", () => {
  test("is used by its address, or that of its debugging port; all that a page loads comes through", async () => {
    const address = await startElsewhere();
    const pool = openPool([`http://127.0.0.1:${new URL(address).port}`]);
    expect(await pool.isAvailable(never)).toBe(true);
    await pool.withTab(options, loadAll, never);
    await openPool([address]).withTab(options, loadAll, never);
  });

  test("has a password for its way out, so that nobody else can use that", async () => {
    const pool = openPool([await startElsewhere()]);
    await pool.withTab(
      options,
      async (tab) => {
        await titleIn(tab);
        const [, port] = tab.egress.address.split(":");
        expect(await askProxy(Number(port), `http://127.0.0.1:${site.port}/`)).toBe(407);
        expect(await askProxy(Number(port), url, "Basic cGVyZ2Ftb246Z3Vlc3NlZA==")).toBe(407);
        expect(await askForTunnel(Number(port), `127.0.0.1:${site.port}`)).toContain("407");
      },
      never,
    );
  });

  test("lets a page reach nothing private, neither the way out nor the debugging port", async () => {
    const trap = await listenHttp((_request, response) => response.end("secret"));
    const address = await startElsewhere();
    const pool = openPool([address]);
    const reached = await pool.withTab(
      options,
      async (tab) => {
        await titleIn(tab);
        const ports = [trap.port, Number(new URL(address).port), Number(tab.egress.address.split(":")[1])];
        const tries = ports.map((port) => `fetch("http://127.0.0.1:${port}/", { mode: "no-cors" })`);
        return evaluate(
          tab,
          `Promise.allSettled([${tries.join()}]).then((all) => all.map(({ status }) => status).join())`,
        );
      },
      never,
    );
    expect(reached).toBe("rejected,rejected,rejected");
    expect(trap.connections()).toBe(0);
  });

  test("that lets WebRTC past the guard is refused, with what it has to be started with", async () => {
    const told: unknown[] = [];
    const onStartFailure = (failure: unknown) => told.push(failure);
    const pool = openPool([await startElsewhere([])], { onStartFailure });
    await expect(pool.withTab(options, titleIn, never)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(WEBRTC_FLAGS.join(" ")),
    });
    expect(told).toHaveLength(1);
  });

  test("keeps the windows that others open in it", async () => {
    const address = await startElsewhere();
    const pool = openPool([address]);
    await pool.withTab(options, titleIn, never);
    const transport = await openWebSocketTransport(
      address,
      { onMessage: (text) => connection.receive(text), onClose: () => undefined },
      never,
    );
    const connection = new CdpConnection(transport);
    const { browser } = connection;
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    await connection.session(sessionId).send("Runtime.evaluate", {
      expression: "open('about:blank#theirs')",
      userGesture: true,
    });
    await pool.withTab(options, titleIn, never);
    const { targetInfos } = await browser.send("Target.getTargets");
    expect(targetInfos.map((info) => info.url)).toContain("about:blank#theirs");
    connection.close();
  });

  test("that does not answer any more does not keep the service from ending", async () => {
    const pool = openPool([await startElsewhere()]);
    const pid = await pool.withTab(options, browserPidOf, never);
    process.kill(pid, "SIGSTOP");
    await expect(pool.close()).resolves.toBeUndefined();
  });

  test("that takes a connection and says nothing is left for the next one", async () => {
    const silent = ofTestFile.add(new WebSocketServer({ host: "127.0.0.1", port: 0 }), (server) => {
      for (const client of server.clients) client.terminate();
      server.close();
    });
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const pool = openPool([`ws://127.0.0.1:${port}/`, await startElsewhere()], { answerLimitMs: 4000 });
    const failure = await pool.withTab(options, titleIn, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "unavailable", message: "A browser elsewhere does not answer." });
    expect(await pool.withTab(options, titleIn, never)).toBe("site");
  });

  test("that does not answer is a failure of its own kind", async () => {
    const pool = openPool(["ws://127.0.0.1:9/devtools/browser/x?token=secret"]);
    const failure = await pool.withTab(options, titleIn, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "unavailable" });
    expect(String(failure)).not.toContain("secret");
  });
});

/** Uses a proxy as any program could that finds its port. @returns the status of its answer. */
async function askProxy(port: number, target: string, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port, path: target, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
  });
}

async function askForTunnel(port: number, target: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  for await (const chunk of socket) return String(chunk);
  return "";
}
