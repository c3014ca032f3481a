import { setTimeout as pause } from "node:timers/promises";

import { openSite } from "../site.ts";
import { type Entrance, upload } from "./entrances.ts";
import type { PausesStage } from "./stage.ts";

const MAX_PLACE = "a".repeat(1900);
const manyLinks = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `<a href="${path(index)}">${index}</a>`).join("");
const longLinks = () => manyLinks(10_000, (index) => `/${MAX_PLACE}${index}`);
const shortLinks = () => manyLinks(100_000, (index) => `/alpha/beta-${index}`);
const titles = () => {
  const entry = `<item><link>http://site.test/</link><title>${"t".repeat(4000)}</title></item>`;
  return `<rss><channel>${entry.repeat(6000)}</channel></rss>`;
};

/** What a site says, by path, and what is asked of it. */
interface HostileSite {
  readonly files: Readonly<Record<string, () => string>>;
  /** Of the operation: one that starts a job is followed to its end. */
  readonly path: string;
  readonly body: (url: string) => object;
}

/** A site of its own, as robots.txt is kept, which answers with the worst input of a parser or matcher. */
function hostile({ files, path, body }: HostileSite): Entrance {
  return {
    level: "auto",
    async prepare({ ask }) {
      const site = await openSite();
      for (const [name, make] of Object.entries(files)) site.page(name, make());
      return {
        async send() {
          const request = body(site.url("/"));
          const { id } = await ask("POST", path, request);
          if (id === undefined) throw new Error(`${path} was not taken.`);
          if (path !== "/v2/map") await ended(ask, `${path}/${id}`);
        },
        close: () => site.close(),
      };
    },
  };
}

async function ended(ask: PausesStage["ask"], path: string): Promise<void> {
  for (let now = "queued"; /^(?:queued|running|scraping|processing)$/.test(now); await pause(200)) {
    const { data, status } = await ask("GET", `${path}?limit=1`);
    now = data?.status ?? status ?? "unknown";
  }
}

const crawl = (files: HostileSite["files"], more: object = {}) =>
  hostile({ files, path: "/v2/crawl", body: (url) => ({ url, limit: 3, crawlEntireDomain: true, ...more }) });
const map = (files: HostileSite["files"], more: object = {}) =>
  hostile({ files, path: "/v2/map", body: (url) => ({ url, ...more }) });

const nested = "[".repeat(4_000_000);
const nestedPage = () => `<h1>Page</h1><script type="application/ld+json">${nested}</script>`;

/** Finds a page, and makes it as well. */
function search(page: () => string): Entrance {
  return {
    level: "auto",
    async prepare({ post, site: engine }) {
      const site = await openSite();
      const url = site.page("/", page());
      engine.page("/engine/search", (_request, response) =>
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ results: [{ url, title: "Page", content: "Words" }] })),
      );
      const request = { query: "words", scrapeOptions: { formats: ["markdown", "product", "links"] } };
      return {
        async send() {
          const status = await post("/v2/search", request);
          if (status !== 200) throw new Error(`The search was answered ${status}.`);
        },
        close: () => site.close(),
      };
    },
  };
}

/** A monitor whose second check finds another version of a page. */
function monitor(target: object, before: () => string, after: () => string): Entrance {
  return {
    level: "auto",
    async prepare({ ask }) {
      const site = await openSite();
      const targets = [{ url: site.url("/"), ...target }];
      const made = await ask("POST", "/v2/monitor", { name: "Page", schedule: { text: "daily" }, targets });
      const path = `/v2/monitor/${made.data?.id}`;
      const check = async (version: string) => {
        site.page("/", version);
        const { id } = await ask("POST", `${path}/run`, {});
        await ended(ask, `${path}/checks/${id}`);
      };
      await check(before());
      return { send: () => check(after()), close: () => site.close() };
    },
  };
}

/** The smallest chunks of a page, and those of its batch as files. */
function chunks(page: () => string): Entrance {
  return {
    level: "auto",
    async prepare({ ask, post }) {
      const site = await openSite();
      const url = site.page("/", page());
      const { id } = await ask("POST", "/v2/batch/scrape", { urls: [url], formats: ["markdown"] });
      const batch = `/v2/batch/scrape/${id}`;
      await ended(ask, batch);
      const formats = [{ type: "chunks", maxTokens: 32 }];
      return {
        async send() {
          const status = await post("/v2/scrape", { url, formats, timeout: 120_000 });
          if (status !== 200) throw new Error(`The page was answered ${status}.`);
          for (const part of ["chunks?", "export?of=chunks&", "export?of=chunks&as=parquet&"])
            await ask("GET", `${batch}/${part}maxTokens=32`).catch(ignoreFiles);
        },
        close: () => site.close(),
      };
    },
  };
}

/** Files are read, and are no JSON. */
function ignoreFiles(failure: unknown): void {
  if (!(failure instanceof SyntaxError)) throw failure;
}

const FEW_PAGES = { type: "crawl", crawlOptions: { limit: 3 } };
const lines = (word: string) => () =>
  Array.from({ length: 100_000 }, (_, line) => `<p>${word} of line ${line}</p>`).join("");

/** By name, as they are reported. */
export const hostileSites: Readonly<Record<string, Entrance>> = {
  "crawl, robots.txt of many robots and delays": crawl({
    "/robots.txt": () => "user-agent: a\n".repeat(18_000) + "crawl-delay: 1\n".repeat(17_000),
    "/": () => "<h1>Home</h1>",
  }),
  "crawl, rules of robots.txt and long links": crawl({
    "/robots.txt": () => `user-agent: *\n${"disallow: *ab\n".repeat(36_000)}`,
    "/": longLinks,
  }),
  "crawl, 100,000 links": crawl({ "/": shortLinks }),
  "crawl, a small pattern and long links": crawl(
    { "/": longLinks },
    { includePaths: ["a[ab]{470}[yz]", "^/$"] },
  ),
  "crawl, a sitemap of long titles": crawl({ "/": () => "<h1>Home</h1>", "/sitemap.xml": titles }),
  "map, 100,000 links and a search": map({ "/": shortLinks }, { search: "alpha beta", limit: 100_000 }),
  "map, a sitemap of long titles and a search": map(
    { "/": shortLinks, "/sitemap.xml": titles },
    { search: "t" },
  ),
  "map, a small pattern and long links": map({ "/": longLinks }, { includePaths: ["a[ab]{470}[yz]"] }),
  "search, a page of 100,000 links": search(shortLinks),
  "search, a page with lists within each other": search(nestedPage),
  "parse, a page with lists within each other": upload("page.html", nestedPage),
  "parse, one long row and many short ones": upload(
    "table.csv",
    () => `${"a,".repeat(20_000)}\n${"a\n".repeat(20_000)}`,
  ),
  "chunks, a page of 200,000 lines": chunks(
    () => `<h1>Page</h1><pre>${"A line with as many words as a chunk may have at least.\n".repeat(200_000)}`,
  ),
  "batch, a page of 100,000 links": hostile({
    files: { "/": shortLinks },
    path: "/v2/batch/scrape",
    body: (url) => ({ urls: [url], formats: ["links"], maxAge: 0 }),
  }),
  "monitor, a page of 100,000 lines that all change": monitor(
    { type: "scrape" },
    lines("Day"),
    lines("Night"),
  ),
  "monitor, a crawl of a page of 100,000 links": monitor(FEW_PAGES, shortLinks, longLinks),
  "extract, a page of 100,000 links": hostile({
    files: { "/": shortLinks },
    path: "/v2/extract",
    body: (url) => ({ urls: [`${url}*`], prompt: "alpha" }),
  }),
};
