import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

import { afterEach, beforeEach, expect, test } from "vitest";

import { addOperations } from "../../../../test/serve-operations.ts";
import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { EventStream } from "./event-stream.ts";
import { events } from "./events.ts";

let server: TestServer;
let stream: EventStream;
let tell: (event: string, data: object) => void;
let tellLater: (event: string, data: () => object) => void;
let watching: number;
let isBig: boolean;
const sockets: Socket[] = [];

beforeEach(async () => {
  [watching, isBig] = [0, false];
  stream = new EventStream({
    status: () => (isBig ? { text: "x".repeat(400_000) } : { fetching: 1 }),
    statusIntervalMs: 5,
    gatherMs: 1,
    watch(listener) {
      tellLater = listener;
      tell = (event, data) => listener(event, () => data);
      watching += 1;
      return () => void (watching -= 1);
    },
  });
  server = await openTestServer((app) => {
    app.addHook("onRequest", async (request) => {
      const id = request.headers["x-session"];
      if (typeof id === "string") request.operatorSession = { id } as typeof request.operatorSession;
    });
    app.addHook("preClose", async () => stream.close());
    addOperations(app, [events], { stream });
  });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** A stream, and what has come of it. */
async function open(headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}/admin/api/events`, { headers });
  let text = "";
  const reading = (async () => {
    for await (const part of response.body ?? []) text += Buffer.from(part as Uint8Array).toString();
  })().catch(() => undefined);
  return { status: response.status, text: () => text, ended: reading };
}

test("the state comes again and again, and what happens in between", async () => {
  const viewer = await open();
  await expect.poll(() => viewer.text().split("event: status").length).toBeGreaterThan(3);
  tell("request", { id: "one", url: "https://a.test/\nevent: evil" });
  await expect
    .poll(viewer.text)
    .toContain('event: request\ndata: {"id":"one","url":"https://a.test/\\nevent: evil"}\n\n');
  expect(viewer.text()).toMatch(/^id: \w+-1$/m);
});

test("who comes back is told what it has missed, and who was away too long, to load all anew", async () => {
  const [first, second] = [await open(), await open()];
  tell("request", { id: "one" });
  tell("request", { id: "two" });
  await expect.poll(first.text).toContain('"two"');
  await expect.poll(second.text).toContain('"two"');
  const id = /^id: (\w+-1)$/m.exec(first.text())?.[1] ?? "";
  const back = await open({ "last-event-id": id });
  await expect.poll(back.text).toContain('"two"');
  expect(back.text()).not.toContain('"one"');
  for (const unknown of ["other-1", `${id.split("-")[0]}-99`, "x", "-".repeat(1000)]) {
    const stranger = await open({ "last-event-id": unknown });
    await expect.poll(stranger.text).toContain("event: reset");
    expect(stranger.text()).not.toContain('"two"');
  }
});

test("of a flood of events no more are told than anybody can read", async () => {
  const viewer = await open();
  for (let count = 0; count < 10_000; count += 1) tell("request", { count });
  await expect.poll(viewer.text).toContain('"count":0}');
  expect(viewer.text().split("event: request").length).toBeLessThan(100);
});

test("events at the same time reach each viewer in one piece, and no viewer twice", async () => {
  const pieces: string[] = [];
  const slow = new EventStream({
    status: () => ({ fetching: 1 }),
    statusIntervalMs: 60_000,
    gatherMs: 20,
    watch(listener) {
      tell = (event, data) => listener(event, () => data);
      return () => undefined;
    },
  });
  const viewer = (written: string[]) => {
    const response = new EventEmitter() as unknown as ServerResponse;
    const write = (data: string | Buffer) => Boolean(written.push(String(data)));
    return Object.assign(response, {
      writableLength: 0,
      writeHead: () => response,
      write,
      end: () => response,
    });
  };
  const late: string[] = [];
  slow.add(viewer(pieces), undefined, undefined);
  for (const id of ["one", "two", "three"]) tell("request", { id });
  expect(pieces).toHaveLength(1);
  await expect.poll(() => pieces.length).toBe(2);
  expect(pieces[1]?.match(/"id":"\w+"/g)).toEqual(['"id":"one"', '"id":"two"', '"id":"three"']);
  tell("request", { id: "four" });
  slow.add(viewer(late), undefined, /^id: (\w+-3)$/m.exec(pieces[1] ?? "")?.[1]);
  tell("request", { id: "five" });
  await expect.poll(() => pieces.length).toBe(4);
  for (const seen of [pieces, late])
    expect(seen.join("").match(/"id":"(?:four|five)"/g)).toEqual(['"id":"four"', '"id":"five"']);
  slow.close();
});

test("what is told to nobody is not even made", async () => {
  await open();
  let made = 0;
  for (let count = 0; count < 1000; count += 1) tellLater("request", () => ({ made: (made += 1) }));
  expect(made).toBe(20);
});

test("clients that never read are sent away, and keep no memory", async () => {
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.pause();
    socket.write("GET /admin/api/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  }
  await expect.poll(() => stream.viewers).toBe(5);
  isBig = true;
  await expect.poll(() => stream.viewers, { timeout: 20_000 }).toBe(0);
}, 30_000);

test("so many may look, and one more is told to close some", async () => {
  const viewers = await Promise.all(Array.from({ length: 50 }, () => open()));
  expect(viewers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect((await open()).status).toBe(503);
});

test("a login that ends ends its streams, and no other", async () => {
  const [mine, other] = [await open({ "x-session": "mine" }), await open({ "x-session": "other" })];
  stream.endSession("mine");
  await mine.ended;
  const before = other.text().length;
  await expect.poll(() => other.text().length).toBeGreaterThan(before);
});

test("without viewers nothing is watched, and a server that closes waits for none", async () => {
  expect(watching).toBe(0);
  const viewer = await open();
  expect(watching).toBe(1);
  await server.close();
  await viewer.ended;
  await expect.poll(() => watching).toBe(0);
});
