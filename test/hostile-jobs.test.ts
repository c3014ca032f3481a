import { once } from "node:events";
import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";
import { WebSocket } from "ws";

import { crawl, openCrawlSite } from "./crawls.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld();

test("a page with very many links is a page, and of its links as many are visited as wanted", async () => {
  const links = Array.from({ length: 60_000 }, (_, index) => `<a href="/item/${index}">x</a>`).join("");
  const site = await openCrawlSite({ "/": htmlPage(links) });
  site.otherwise((_request, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Item</h1>"),
  );
  const { status } = await crawl(world, { url: site.url("/"), sitemap: "skip", limit: 5 });
  expect(status).toMatchObject({ status: "completed", completed: 5, total: 5, creditsUsed: 5 });
}, 60_000);

test("a page of links without end is read up to its limit, and is an error", async () => {
  const links = "<a href=1>".repeat(100_000);
  const site = await openCrawlSite({
    "/": ["/endless", "/a"],
    "/a": [],
    "/endless": (_request, response) => {
      response.setHeader("content-type", "text/html");
      const write = () => void (response.writableEnded || response.write(links, write));
      write();
      response.on("close", () => response.end());
    },
  });
  const { paths, errors } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, errors]).toEqual([["/", "/a"], ["SCRAPE_UNSUPPORTED_FILE_ERROR /endless"]]);
}, 60_000);

test("a robots.txt that hangs, then fails, is asked for again, and nothing is visited meanwhile", async () => {
  const asked: string[] = [];
  const note = (_request: unknown, response: ServerResponse) => {
    asked.push("page");
    response.setHeader("content-type", "text/html").end("<h1>Page</h1>");
  };
  const site = await openCrawlSite({
    "/": note,
    "/robots.txt": (_request, response) => {
      asked.push("robots.txt");
      if (asked.length > 1) response.writeHead(asked.length === 2 ? 503 : 404).end();
    },
  });
  const { paths } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths).toEqual(["/"]);
  expect(asked).toEqual(["robots.txt", "robots.txt", "robots.txt", "page"]);
}, 60_000);

test("a robots.txt of 10 MB holds as far as it is read", async () => {
  const robots = `User-agent: *\nDisallow: /private\n${"Disallow: /nowhere/else\n".repeat(420_000)}`;
  const site = await openCrawlSite({
    "/": ["/a", "/private"],
    "/a": [],
    "/robots.txt": (_request, response) => response.setHeader("content-type", "text/plain").end(robots),
  });
  const { paths, blocked } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, blocked]).toEqual([["/", "/a"], ["/private"]]);
}, 60_000);

test("a robots.txt that changes in the middle of a crawl holds as it was when it was read", async () => {
  let asked = 0;
  const site = await openCrawlSite({
    "/": ["/a"],
    "/a": ["/b"],
    "/b": ["/c"],
    "/c": [],
    "/robots.txt": (_request, response) => {
      asked += 1;
      const rule = asked === 1 ? "Disallow: /c" : "Disallow: /";
      response.setHeader("content-type", "text/plain").end(`User-agent: *\n${rule}`);
    },
  });
  const { paths, blocked } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, blocked, asked]).toEqual([["/", "/a", "/b"], ["/c"], 1]);
}, 60_000);

test("a host that answers 429 for ever is asked four times for a page, which is then a document that says so", async () => {
  const site = await openCrawlSite({});
  site.otherwise((_request, response) => response.writeHead(429, { "retry-after": "1" }).end("Later"));
  const { status, paths } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([status.status, paths, site.hits("/").length]).toEqual(["completed", ["/"], 4]);
}, 60_000);

test("a web of redirects leads to each page once", async () => {
  const hops = Array.from({ length: 30 }, (_, index) => `/hop/${index}`);
  const site = await openCrawlSite({ "/": hops, "/end": [] });
  for (const [index, path] of hops.entries()) {
    const location = index % 3 === 0 ? "/end" : `/hop/${Math.floor(index / 3) * 3}`;
    site.page(path, (_request, response) => response.writeHead(302, { location }).end());
  }
  const { paths, status } = await crawl(world, { url: site.url("/"), sitemap: "skip", maxConcurrency: 30 });
  expect(paths).toEqual(["/", "/end"]);
  expect(status).toMatchObject({ completed: 2, creditsUsed: 2, total: 2 });
});

test("base addresses elsewhere lead nowhere else", async () => {
  const site = await openCrawlSite({
    "/": htmlPage('<a href="a">a</a><a href="//evil.test/b">b</a>', '<base href="https://evil.test/deep/">'),
    "/a": [],
  });
  const { paths, errors } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, errors]).toEqual([["/"], []]);
});

test("patterns that would explode elsewhere take no time", async () => {
  const long = `/${"a".repeat(1500)}`;
  const site = await openCrawlSite({ "/": [`${long}b`], [`${long}b`]: [] });
  const body = { url: site.url("/"), sitemap: "skip", excludePaths: ["^/(a+)+$", "^/(a|a)*c$"] };
  const { paths } = await crawl(world, body);
  expect(paths).toHaveLength(2);
});

test("of 100,000 URLs of which one is right that one is scraped, and the others are told", async () => {
  const site = await openCrawlSite({ "/right": [] });
  const wrong = Array.from({ length: 99_999 }, (_, index) => `ftp://wrong.test/${index}`);
  const urls = [...wrong.slice(0, 50_000), site.url("/right"), ...wrong.slice(50_000)];
  const runs = new RunClient(world);
  const { status, body } = await runs.ask("POST /v2/batch/scrape", { urls });
  expect([status, body.invalidURLs]).toEqual([200, wrong]);
  expect(await runs.endedBatch(body.id)).toMatchObject({ status: "completed", total: 1, completed: 1 });
  const strict = await runs.ask("POST /v2/batch/scrape", { urls, ignoreInvalidURLs: false });
  expect([strict.status, strict.body.details[0]?.path]).toEqual([400, ["urls", 0]]);
}, 60_000);

const WATCHERS = 99;

test("as many watchers of one job as a team may have hear all of it, also beside one that never reads", async () => {
  let goOn = () => undefined as void;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const site = await openCrawlSite({});
  site.otherwise((request, response) => {
    const answer = () => response.setHeader("content-type", "text/html").end(`<h1>${request.url}</h1>`);
    void gate.then(answer);
  });
  const paths = ["/1", "/2", "/3"];
  const id = await new RunClient(world).batch({ urls: paths.map((path) => site.url(path)) });
  const url = `${world.baseUrl.replace(/^http/, "ws")}/v2/batch/scrape/${id}`;
  const deaf = new WebSocket(url);
  await once(deaf, "open");
  deaf.pause();
  const watchers = Array.from({ length: WATCHERS }, () => watch(url));
  await Promise.all(watchers.map(({ begun }) => begun));
  goOn();
  const heard = await Promise.all(watchers.map(({ ended }) => ended));
  deaf.terminate();
  expect(heard).toEqual(Array.from({ length: WATCHERS }, () => ["document", "document", "document", "done"]));
}, 120_000);

/** What a watcher hears after its first message. */
function watch(url: string) {
  const socket = new WebSocket(url);
  const types: string[] = [];
  socket.on("message", (data: Buffer) => {
    types.push((JSON.parse(data.toString()) as { readonly type: string }).type);
  });
  const ended = once(socket, "close").then(() => types.slice(1));
  return { begun: once(socket, "message"), ended };
}
