import { beforeAll, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { openAdminKey } from "./admin-key.ts";
import { OperatorLogin } from "./operator-login.ts";

const KEY = "operator-key-of-the-tests";
const DELAY_MS = 300;

let server: TestServer;
let nowMs = 1_900_000_000_000;

beforeAll(async () => {
  const adminKey = await openAdminKey(KEY, "/dev/null/unused");
  const login = new OperatorLogin({ adminKey, delayMs: DELAY_MS, clock: () => nowMs });
  server = await openTestServer((app) => {
    app.get("/admin/api/x", { onRequest: (request) => login.require(request) }, async () => ({}));
  });
});

async function logIn(authorization?: string) {
  const startMs = performance.now();
  const headers = authorization === undefined ? {} : { authorization };
  const { status } = await server.ask("GET /admin/api/x", { headers });
  return { status, isLate: performance.now() - startMs >= DELAY_MS - 5 };
}

const warned = () => server.logged.filter(({ msg }) => String(msg).includes("login failed"));

test("a wrong key is told in the log, with the address and without the key; none at all is not", async () => {
  expect(await logIn()).toMatchObject({ status: 401 });
  expect(warned()).toEqual([]);
  expect(await logIn("Bearer wrong-key-0")).toMatchObject({ status: 401 });
  expect(await logIn(`Basic ${KEY}`)).toMatchObject({ status: 401 });
  expect(warned()).toMatchObject([{ level: 40, address: "127.0.0.1", failures: 1 }, { failures: 2 }]);
  expect(JSON.stringify(server.logged)).not.toMatch(/wrong-key-0|operator-key/);
});

test("after ten wrong keys each further one is answered late, and the right one at once", async () => {
  for (let count = 3; count <= 10; count += 1) expect((await logIn("Bearer wrong")).isLate).toBe(false);
  expect(await logIn("Bearer wrong")).toEqual({ status: 401, isLate: true });
  expect(await logIn(`Bearer ${KEY}`)).toEqual({ status: 200, isLate: false });
  expect(await logIn("Bearer wrong")).toEqual({ status: 401, isLate: true });
});

test("ten minutes later all is forgotten", async () => {
  nowMs += 10 * 60 * 1000 + 1;
  expect(await logIn("Bearer wrong")).toEqual({ status: 401, isLate: false });
});
