import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { openSite } from "../../../test/site.ts";

const ANSWER_MS = 100;
const CRAWLED_PAGES = 30;

/** A site of as many pages as are asked for: each answers after a while, so that nodes die while they are read. */
export interface LoadSite {
  /** The address of a page that was never requested. */
  newPage(): string;
  /** A page with links to others, which link back. */
  newCrawl(): { readonly url: string; readonly pages: readonly string[] };
  /** Pages so far. */
  answered(): number;
  close(): Promise<void>;
}

export async function openLoadSite(): Promise<LoadSite> {
  const site = await openSite();
  let pages = 0;
  let crawls = 0;
  let answered = 0;
  site.otherwise((request, response) => {
    const path = request.url ?? "/";
    if (path === "/robots.txt" || path.startsWith("/sitemap")) {
      response.writeHead(404).end();
      return;
    }
    void answer(path, response);
    answered += 1;
  });
  return {
    newPage: () => site.url(`/page/${(pages += 1)}`),
    newCrawl() {
      const folder = `/crawl/${(crawls += 1)}`;
      const paths = [folder, ...Array.from({ length: CRAWLED_PAGES }, (_, index) => `${folder}/${index}`)];
      return { url: site.url(folder), pages: paths.map((path) => site.url(path)) };
    },
    answered: () => answered,
    close: () => site.close(),
  };
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  await sleep(ANSWER_MS);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<title>${path}</title><main><h1>${path}</h1>${linksOf(path)}</main>`);
}

/** The first page of a crawl links to half of the others, each of them to another one and back. */
function linksOf(path: string): string {
  const [, folder, index] = /^(\/crawl\/\d+)(?:\/(\d+))?$/.exec(path) ?? [];
  if (folder === undefined) return "<p>A page.</p>";
  const half = CRAWLED_PAGES / 2;
  const targets =
    index === undefined
      ? Array.from({ length: half }, (_, target) => `${folder}/${target}`)
      : [folder, `${folder}/${(Number(index) + half) % CRAWLED_PAGES}`];
  return targets.map((target) => `<p><a href="${target}">${target}</a></p>`).join("");
}
