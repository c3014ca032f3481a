import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A web server on loopback whose pages are given; `/slow/…` answers after five seconds. No answer has the bytes of an earlier one:
 * those of an unchanged page are not read again.
 */
export async function startFixture(pages: Readonly<Record<string, string>>) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const path = request.url?.split("?", 1)[0] ?? "/";
    const body = Object.hasOwn(pages, path) ? pages[path] : "<p>A slow page.</p>";
    const send = () => response.setHeader("content-type", "text/html; charset=utf-8").end(`${body}<!-- ${requests} -->`);
    if (path.startsWith("/slow/")) void sleep(SLOW_MS).then(send);
    else send();
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** So far. */
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SLOW_MS = 5000;
