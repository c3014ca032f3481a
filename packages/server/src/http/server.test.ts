import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { openLog } from "@pergamon-dev/kit/log/log";
import { openMetrics } from "../operator/health/metrics.ts";
import { openTestServer } from "../../../../test/server.ts";
import { createServer } from "./server.ts";

async function emptyServer() {
  const log = await openLog({ level: "silent", format: "json" });
  return createServer({ log, metrics: openMetrics({ fetching: () => 0, waiting: () => 0 }) });
}

test("a connection that carried no request does not hold up the end", async () => {
  const server = await emptyServer();
  await server.listen({ host: "127.0.0.1", port: 0 });
  const accepted = once(server.server, "connection");
  const unused = connect((server.server.address() as AddressInfo).port, "127.0.0.1").resume();
  await accepted;
  const ended = once(unused, "close");
  await server.close();
  await expect(ended).resolves.toEqual([false]);
});

test("a request under way is answered before the end", async () => {
  const server = await emptyServer();
  let finish = () => {};
  const started = new Promise<void>((resolve) => {
    server.get("/v2/slow", async () => {
      resolve();
      await new Promise<void>((finished) => (finish = finished));
      return { success: true };
    });
  });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const answer = fetch(`${url}/v2/slow`);
  await started;
  const closed = server.close();
  finish();
  expect(await (await answer).json()).toEqual({ success: true });
  await closed;
});

test("a connection whose answer ends after the server began to close does not hold up the end", async () => {
  const server = await emptyServer();
  const body = new PassThrough();
  server.get("/v2/file", (_request, reply) => reply.send(body));
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  body.write("first");
  const answer = await fetch(`${url}/v2/file`);
  const closed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  body.end(" last");
  expect(await answer.text()).toBe("first last");
  await closed;
});

test("the log has no line at its usual level for each time that a client looks whether its job has ended", async () => {
  const server = await openTestServer((app) => {
    const config = { rate: "crawlStatus" } as const;
    app.get("/v2/crawl/a", { config }, async () => ({ success: true }));
    app.get("/v2/crawl/b", { config }, (_request, reply) => reply.code(404).send({ success: false }));
    app.get("/v2/other", async () => ({ success: true }));
  });
  for (const path of ["/v2/crawl/a", "/v2/crawl/b", "/v2/other"]) await server.ask(`GET ${path}`);
  const lines = server.logged.filter(({ msg }) => msg === "request");
  expect(lines.map(({ route, level }) => [route, level])).toEqual([
    ["/v2/crawl/a", 20],
    ["/v2/crawl/b", 30],
    ["/v2/other", 30],
  ]);
  await server.close();
});
