import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { linkPage } from "./crawls.ts";
import { openSite, type Site } from "./site.ts";

export interface TrapSiteOptions {
  /** Pages of its largest part, a tree. */
  readonly pages: number;
  /** How long each page takes. */
  readonly answerMs?: number;
}

/** A site with everything that leads crawls astray, and what a crawl of it has to find. */
export interface TrapSite {
  readonly url: string;
  /** Where each document ends, below the site; sorted. Each once, whatever the number of pages at once. */
  readonly expected: readonly string[];
  /** Paths that may not be asked for. */
  readonly forbidden: readonly string[];
  hits(path: string): number;
  close(): Promise<void>;
}

interface Page {
  readonly title: string;
  readonly links: readonly string[];
  readonly status?: number;
  readonly redirect?: string;
}

const LISTS_WITH_NEWS = 12;
const MAPPED = 30;

function count(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** The whole site from one address: `/tree/1` is a tree, `/cal/1` a calendar without end, and so on. */
function pageAt({ pathname: path, searchParams }: URL, pages: number): Page {
  const number = Number(/\d+/.exec(path)?.[0] ?? 1);
  if (path === "/") return { title: "Home", links: HOME_LINKS };
  if (path.startsWith("/tree/") && number <= pages) {
    const below = [3 * number - 1, 3 * number, 3 * number + 1].filter((child) => child <= pages);
    return { title: `Page ${number}`, links: [...below.map((child) => `/tree/${child}`), "/", "/tree/1"] };
  }
  if (path.startsWith("/cal/")) return { title: "Month", links: [`/cal/${number + 1}`] };
  if (path === "/list") return listAt(Number(searchParams.get("page") ?? 1));
  if (path.startsWith("/thing/")) return { title: `Thing ${number}`, links: ["/list"] };
  if (path.startsWith("/nest/")) return { title: "Nest", links: ["nest/", "leaf"] };
  if (path.startsWith("/state/")) {
    const session = Math.random().toString(36).slice(2);
    return { title: "State", links: [`/state/cart;jsessionid=${session}`, `/state/cart?sid=${session}`] };
  }
  return ODD_PAGES[path] ?? { title: path, links: [], ...(!KNOWN.test(path) && { status: 404 }) };
}

function listAt(number: number): Page {
  const things = number <= LISTS_WITH_NEWS ? count(1, 4).map((thing) => `/thing/${number * 10 + thing}`) : [];
  const title = number <= LISTS_WITH_NEWS ? "List" : "Nothing more";
  return { title, links: [...things, `/list?page=${number + 1}`] };
}

const KNOWN = /^\/(?:item|mapped\/|end|open\/|thing\/|nest\/)/;

const SPELLINGS = ["/item", "/item/", "/item#a", "/item/index.html", "/item?utm_source=x", "/www/../item?"];

const HOME_LINKS = "/tree/1 /cal/1 /list /nest/ /state/ /jump/a /jump/b /jump/c /jump/loop /private/plans"
  .concat(" /jump/hidden /gone /failed /photo.png /film.mp4 /item?page=2 /a/b/c/d/e/f/g/h/i/j/k/l/m #top")
  .split(" ")
  .concat(SPELLINGS, `/${"x".repeat(2050)}`, "mailto:a@b.test");

const ODD_PAGES: Readonly<Record<string, Page>> = {
  "/jump/a": { title: "", links: [], redirect: "/jump/b" },
  "/jump/b": { title: "", links: [], redirect: "/end" },
  "/jump/c": { title: "", links: [], redirect: "/end" },
  "/jump/loop": { title: "", links: [], redirect: "/jump/loop" },
  "/jump/hidden": { title: "", links: [], redirect: "/private/found" },
  "/gone": { title: "Gone", links: ["/open/after-gone"], status: 404 },
  "/failed": { title: "Failed", links: [], status: 500 },
};

/** What the laws of crawls (families, sections 4.4 to 4.8) make of that site. */
function expectedPaths(pages: number): readonly string[] {
  const listPages = count(2, LISTS_WITH_NEWS + 22).map((number) => `/list?page=${number}`);
  const things = count(1, LISTS_WITH_NEWS).flatMap((list) =>
    count(1, 4).map((thing) => `/thing/${list * 10 + thing}`),
  );
  return [
    ..."/ /item /item?page=2 /end /gone /open/after-gone /failed /state/".split(" "),
    ..."/nest/ /nest/leaf /nest/nest/ /nest/nest/leaf /list".split(" "),
    ...count(1, pages).map((number) => `/tree/${number}`),
    ...count(1, 22).map((number) => `/cal/${number}`),
    ...listPages,
    ...things,
    ...count(1, MAPPED).map((number) => `/mapped/${number}`),
  ];
}

export async function openTrapSite({ pages, answerMs = 0 }: TrapSiteOptions): Promise<TrapSite> {
  const site = await openSite();
  site.page("/robots.txt", (_request, response) => {
    const lines = ["User-agent: *", "Disallow: /private/", `Sitemap: ${site.url("/maps.xml.gz")}`];
    response.setHeader("content-type", "text/plain").end(lines.join("\n"));
  });
  site.page("/maps.xml.gz", (_request, response) => response.end(gzipSync(sitemap(site))));
  site.otherwise((request, response) => {
    setTimeout(() => answer(request, response, pages), answerMs);
  });
  return {
    url: site.url("/"),
    expected: expectedPaths(pages).toSorted(),
    forbidden: ["/private/plans", "/photo.png", "/film.mp4"],
    hits: (path) => site.hits(path).length,
    close: () => site.close(),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, pages: number): void {
  const {
    title,
    links,
    status = 200,
    redirect,
  } = pageAt(new URL(request.url ?? "/", "http://a.test"), pages);
  if (redirect !== undefined) response.writeHead(302, { location: redirect }).end();
  else response.writeHead(status, { "content-type": "text/html" }).end(linkPage(title, links));
}

function sitemap(site: Site): string {
  const paths = [...count(1, MAPPED).map((number) => `/mapped/${number}`), "/private/plans", "/item/"];
  const entries = paths.map((path) => `<url><loc>${site.url(path)}</loc></url>`);
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`;
}
