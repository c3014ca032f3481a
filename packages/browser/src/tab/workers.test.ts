import { describe, expect, test } from "vitest";

import { listenHttp } from "@pergamon-dev/server/net/loopback.suite";
import { never, openTestPool, testGuard } from "../browser.suite.ts";
import { CdpConnection } from "../cdp/cdp-connection.ts";
import { waitUntilVisible } from "../input/elements.ts";
import { MAX_WORKERS, PageWorkers } from "./workers.ts";

/** A browser that says yes to everything, and announces workers. */
function recordBrowser() {
  const sent: { readonly method: string; readonly sessionId?: string }[] = [];
  const connection = new CdpConnection({
    send(text) {
      const command = JSON.parse(text) as { id: number; method: string };
      sent.push(command);
      queueMicrotask(() => connection.receive(JSON.stringify({ id: command.id, result: {} })));
    },
    close: () => undefined,
  });
  const start = (sessionId: string) =>
    connection.receive(
      JSON.stringify({ method: "Target.attachedToTarget", params: { sessionId }, sessionId: "page" }),
    );
  return { page: connection.session("page"), sent, start };
}

describe("workers of a page", () => {
  test("a worker for each of a thousand scripts: the first hundred show the visitor, and all start", async () => {
    const { page, sent, start } = recordBrowser();
    const workers = new PageWorkers();
    workers.show({ userAgent: "Mine" });
    await workers.watch(page);
    for (let number = 1; number <= 1000; number += 1) start(`worker-${number}`);
    const of = (method: string) => sent.filter((command) => command.method === method);
    expect(of("Runtime.runIfWaitingForDebugger")).toHaveLength(1000);
    expect(of("Emulation.setUserAgentOverride")).toHaveLength(MAX_WORKERS);
    expect(of("Target.setAutoAttach").at(-1)).toMatchObject({
      sessionId: "page",
      params: { autoAttach: false, waitForDebuggerOnStart: false },
    });
  });

  test("beyond those that show the visitor still do their work", async () => {
    const count = MAX_WORKERS + 10;
    const { port } = await listenHttp((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<p>Words</p><script>
        const code = URL.createObjectURL(new Blob(["postMessage(1)"]));
        let done = 0;
        function next() {
          if (done === ${count}) return document.body.append(Object.assign(document.createElement("b"), { id: "all", textContent: done }));
          const worker = new Worker(code);
          worker.onmessage = () => { done += 1; worker.terminate(); next(); };
        }
        next();
      </script>`);
    });
    const pool = openTestPool(testGuard(["127.0.0.1"]));
    const isDone = await pool.withTab(
      { skipTlsVerification: true },
      async (tab) => {
        await tab.navigate(`http://127.0.0.1:${port}/`, never);
        return waitUntilVisible(tab, "#all", 90_000, never);
      },
      never,
    );
    expect(isDone).toBe(true);
  });
});
