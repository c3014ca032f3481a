import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";

/** What a page is answered with: HTML of a 200 answer, or what a handler writes. */
type SiteAnswer = string | RequestListener;

/** One request that reached the site. */
interface Hit {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A web site on loopback whose pages a test sets. Unknown paths answer 404. */
export interface Site {
  readonly port: number;
  /** Puts a page on a path of its own and returns its URL. The same path again replaces the page. */
  page(path: string, answer: SiteAnswer): string;
  url(path: string): string;
  /** Answers paths that have no page. */
  otherwise(answer: RequestListener): void;
  /** Requests that reached the path, oldest first. */
  hits(path: string): readonly Hit[];
  /** Connections so far, also those that asked nothing. */
  connections(): number;
  openSockets(): number;
  /** Forgets all pages and ends connections, but keeps the port, so that no other site has the same addresses. */
  retire(): void;
  close(): Promise<void>;
}

/**
 * Opens a site, which is closed after the test file unless it was retired.
 * @param host the address that it listens on; `0.0.0.0` answers as several hosts of loopback.
 */
export async function openSite(host = "127.0.0.1"): Promise<Site> {
  const pages = new Map<string, SiteAnswer>();
  const hits: Hit[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let answerOthers: RequestListener | undefined;
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    hits.push({ path, headers: request.headers });
    const answer = pages.get(path) ?? pages.get(path.replace(/\?.*/, "")) ?? answerOthers;
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(answer ?? "<h1>Nothing here</h1>");
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  let isRetired = false;
  const site: Site = {
    port,
    url,
    otherwise(answer) {
      answerOthers = answer;
    },
    page(path, answer) {
      pages.set(path, answer);
      return url(path);
    },
    hits: (path) => hits.filter((hit) => hit.path === path),
    connections: () => connections,
    openSockets: () => sockets.size,
    retire() {
      isRetired = true;
      pages.clear();
      answerOthers = undefined;
      server.unref();
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return ofTestFile.add(site, () => (isRetired ? undefined : site.close()));
}

/** A document with a body and, if requested, a head. */
export function htmlPage(body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;
}
