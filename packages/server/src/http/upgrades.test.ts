import { expect, test } from "vitest";

import { openTestServer } from "../../../../test/server.ts";
import { refuseUpgrade, type Upgrades } from "./upgrades.ts";

/** Takes what begins with its path, and answers with a status of its own. */
function takerOf(path: string, status: number, closed: string[]): Upgrades {
  return {
    wants: ({ url = "" }) => url.startsWith(path),
    take: (_request, socket) => refuseUpgrade(socket, status),
    close: () => void closed.push(path),
  };
}

const HEADERS = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

test("of several takers of WebSockets the first that wants a path gets it; the others' paths are answered as ever", async () => {
  const closed: string[] = [];
  const upgrades = [
    takerOf("/v2/crawl/", 410, closed),
    takerOf("/v2/", 409, closed),
    takerOf("/live/", 403, closed),
  ];
  const server = await openTestServer((app) => app.get("/healthz", async () => ({ status: "ok" })), {
    upgrades,
  });
  const statusOf = async (path: string) => {
    const answer = await server.talk(`GET ${path} HTTP/1.1\r\n${HEADERS}`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };
  expect(await statusOf("/v2/crawl/1")).toBe(410);
  expect(await statusOf("/v2/batch/1")).toBe(409);
  expect(await statusOf("/live/token")).toBe(403);
  const plain = await server.talk(
    `GET /healthz HTTP/1.1\r\n${HEADERS.replace("Connection: Upgrade", "Connection: close, Upgrade")}`,
  );
  expect(plain).toContain("200 OK");
  await server.close();
  expect(closed).toEqual(["/v2/crawl/", "/v2/", "/live/"]);
});
