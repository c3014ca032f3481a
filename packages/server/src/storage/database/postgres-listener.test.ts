import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { PostgresClock } from "./postgres-clock.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { parsePostgresUrl } from "./postgres-url.ts";

/** Accepts connections and closes them at once, as a server that is starting behind a balancer does. */
const refusing = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let connections = 0;

beforeAll(async () => {
  refusing.listen(0, "127.0.0.1");
  await once(refusing, "listening");
});

afterAll(() => refusing.close());

test("while the server is away there is one attempt after another, and none after the end", async () => {
  const { port } = refusing.address() as AddressInfo;
  const listener = new PostgresListener(
    parsePostgresUrl(`postgres://me:secret@127.0.0.1:${port}/data?sslmode=disable`),
    new PostgresClock(),
  );
  const before = listener.foreignWrites;
  await expect.poll(() => connections).toBeGreaterThan(3);
  // Each lasts half a second: what doubled would have made fifteen by the fourth.
  expect(connections).toBeLessThan(6);
  expect(listener.foreignWrites, "nothing is known of the others meanwhile").toBeGreaterThan(before);
  await listener.close();
  const atEnd = connections;
  await pause(700);
  expect(connections).toBe(atEnd);
});
