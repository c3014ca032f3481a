import { afterAll, beforeAll, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { JsonParts } from "../api/outgoing.ts";
import { sendJsonParts } from "./send-json.ts";

let server: TestServer;
let parts: readonly Buffer[];

beforeAll(async () => {
  server = await openTestServer((app) => {
    app.get("/v2/parts", (_request, reply) => {
      reply.header("x-own", "kept").header("server-timing", "fetch;dur=1.00");
      sendJsonParts(reply, new JsonParts(parts));
    });
  });
});

afterAll(() => server.close());

const END = "Host: x\r\nConnection: close\r\n\r\n";

test.each([
  ["one part", ['{"a":1}']],
  ["several parts", ['{"success":true,"data":', '{"markdown":"', "# é漢", '"}', "}"]],
  ["a character cut in two", ['"', Buffer.from("漢").subarray(0, 1), Buffer.from("漢").subarray(1), '"']],
  ["empty parts among others", ["", "{", "", "}", ""]],
  ["nothing", []],
  ["large parts", [`["${"x".repeat(1_000_000)}"`, `,"${"y".repeat(1_000_000)}"]`]],
])("%s arrive as they are, with the length of all", async (_case, given) => {
  parts = given.map((part) => Buffer.from(part));
  const whole = Buffer.concat(parts);
  const response = await fetch(`${server.url}/v2/parts`);
  expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
  expect(Number(response.headers.get("content-length"))).toBe(whole.byteLength);
  expect(response.headers.get("transfer-encoding")).toBeNull();
});

test("the head is that of every other answer, and what the route added", async () => {
  parts = [Buffer.from("{}")];
  const { status, headers } = await server.ask("GET /v2/parts");
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
    "x-response-time": expect.stringMatching(/^\d+ms$/),
    "x-own": "kept",
    "server-timing": "fetch;dur=1.00",
  });
});

test("HEAD gets the head alone, with the length that GET would have", async () => {
  parts = [Buffer.from('{"a":'), Buffer.from("1}")];
  const answer = await server.talk(`HEAD /v2/parts HTTP/1.1\r\n${END}`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\ncontent-length: 7\r\n/i);
  expect(answer.endsWith("\r\n\r\n")).toBe(true);
});

test("two answers on one connection follow each other whole", async () => {
  parts = [Buffer.from("[1,"), Buffer.from("2]")];
  const ask = "GET /v2/parts HTTP/1.1\r\nHost: x\r\n";
  const answers = await server.talk(`${ask}\r\n${ask}Connection: close\r\n\r\n`);
  expect(answers.match(/\r\n\r\n\[1,2\]/g)).toHaveLength(2);
});

test("the last answers before the end say that no further request will be taken", async () => {
  parts = [Buffer.from("{}")];
  const closing = await openTestServer((app) => {
    app.get("/v2/last", (_request, reply) => {
      app.server.close();
      sendJsonParts(reply, new JsonParts(parts));
    });
  });
  const { headers } = await closing.ask("GET /v2/last");
  expect(headers.get("connection")).toBe("close");
  expect((await server.ask("GET /v2/parts")).headers.get("connection")).not.toBe("close");
  await closing.close();
});
