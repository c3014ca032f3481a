import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { articlePage } from "./page.ts";
import { appPages } from "./app-pages.ts";

/** A web site for browsers, in a process of its own: an article with what pages load, and applications of many kinds. */
const assets: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "/style.css": ["text/css", "body { font: 16px sans-serif; max-width: 800px; margin: auto }"],
  "/library.js": ["text/javascript", `window.library = 1;\n${"// padding\n".repeat(2000)}`],
};
const IMAGE = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const HEAD = '<link rel="stylesheet" href="/style.css"><script src="/library.js" defer></script>';
const IMAGES = [1, 2, 3].map((number) => `<img src="/image-${number}.gif" alt="">`).join("");
const article = articlePage(20_000)
  .replace("</head>", `${HEAD}</head>`)
  .replace("</body>", `${IMAGES}</body>`);

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://site");
  const app = appPages[url.pathname];
  const asset = assets[url.pathname];
  const send = (type: string, body: string | Buffer) => response.setHeader("content-type", type).end(body);
  if (url.pathname === "/article") return send("text/html; charset=utf-8", article);
  if (asset) return send(...asset);
  if (url.pathname.endsWith(".gif")) return send("image/gif", IMAGE);
  if (url.pathname === "/hang") return undefined;
  if (url.pathname === "/events") {
    response.setHeader("content-type", "text/event-stream");
    const timer = setInterval(() => response.write("data: tick\n\n"), 500);
    response.on("close", () => clearInterval(timer));
    return undefined;
  }
  const delayMs = Number(url.searchParams.get("after") ?? 0);
  return setTimeout(
    () => send("text/html; charset=utf-8", app ?? "<p>A part of the text that came late.</p>".repeat(12)),
    delayMs,
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
