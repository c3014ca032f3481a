import { once } from "node:events";
import { connect } from "node:net";

import { expect, test } from "vitest";

import { openTestServer } from "../../../../test/server.ts";

const WORK_MS = 1;
/** Eight that waited, the one before them, and some whose bodies came late. */
const MAX_TURN_REQUESTS = 20;
const REQUEST = "POST /v2/work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";

test("requests that come at once on one connection are answered in order, and begun a few a turn", async () => {
  let begun = 0;
  let most = 0;
  const server = await openTestServer((app) => {
    app.post("/v2/work", async () => {
      const endMs = performance.now() + WORK_MS;
      while (performance.now() < endMs);
      begun += 1;
      return { place: begun };
    });
  });
  let before = 0;
  const turn = setInterval(() => undefined, 1);
  const look = () => {
    most = Math.max(most, begun - before);
    before = begun;
    if (turn.hasRef()) setImmediate(look);
  };
  look();
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  socket.write(REQUEST.repeat(299) + REQUEST.replace("localhost", "localhost\r\nConnection: close"));
  await once(socket, "close");
  turn.unref();
  clearInterval(turn);
  const places = Array.from(received.matchAll(/\{"place":(\d+)\}/g), ([, place]) => Number(place));
  expect(places).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  expect(most).toBeLessThanOrEqual(MAX_TURN_REQUESTS);
});
