import { expect, test } from "vitest";

import { parseEgressRules } from "./guard/egress-rules.ts";
import { openGuard } from "./guard/guard.ts";
import { fixedResolver, listenHttp, listenRaw, never } from "./loopback.suite.ts";
import { post } from "./post.ts";

const guard = openGuard({ rules: parseEgressRules(["127.0.0.1"]), resolver: fixedResolver("127.0.0.1") });
const BODY = JSON.stringify({ text: "x".repeat(100_000) });

function send(port: number, signal = never) {
  return post({ url: new URL(`http://receiver.test:${port}/hook`), headers: {}, body: BODY }, guard, signal);
}

test("a redirect is the answer, and not followed", async () => {
  const target = await listenHttp((_request, response) => response.end());
  const location = `http://127.0.0.1:${target.port}/`;
  const { port } = await listenHttp((_request, response) => response.writeHead(307, { location }).end());
  expect(await send(port)).toMatchObject({ status: 307 });
  expect(target.connections()).toBe(0);
});

test.each([
  ["that never ends", () => "x".repeat(1_000_000)],
  ["of 1 GB that comes byte by byte", () => "x"],
])("an answer %s is not waited for", async (_case, part) => {
  const server = await listenRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
    const timer = setInterval(() => socket.write(part()), 5);
    socket.on("close", () => clearInterval(timer));
  });
  expect(await send(server.port)).toEqual({ status: 200, text: "" });
  await server.until(0);
});

test.each([
  ["text/plain; charset=utf-8", "short", "short"],
  ["application/problem+json", '{"a":1}', '{"a":1}'],
  ["text/plain", `${"x".repeat(2047)}é and more`, "x".repeat(2047)],
  ["text/plain", "a\0b", "ab"],
  ["image/png", "short", ""],
])("of an answer of %s what is text is read, up to 2 KB", async (type, body, text) => {
  const { port } = await listenHttp((_request, response) => {
    response.writeHead(500, { "content-type": type }).end(body);
  });
  expect(await send(port)).toEqual({ status: 500, text });
});

test("headers that come byte by byte end with the time of the attempt", async () => {
  const server = await listenRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Drip: ");
    const timer = setInterval(() => socket.write("x"), 5);
    socket.on("close", () => clearInterval(timer));
  });
  await expect(send(server.port, AbortSignal.timeout(200))).rejects.toThrow("timeout");
  await server.until(0);
});

test("headers without end are a failure", async () => {
  const server = await listenRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write(`X-More: ${"x".repeat(10_000)}\r\n`), 1);
    socket.on("close", () => clearInterval(timer));
  });
  await expect(send(server.port)).rejects.toThrow("Headers Overflow");
  await server.until(0);
});
