import type { RequestListener } from "node:http";

import { type RunAnswer, RunClient } from "./runs.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import type { World } from "./world.ts";

/** The pages of a site by their paths: where they lead, their HTML, or what writes them. */
type Pages = Readonly<Record<string, readonly string[] | string | RequestListener>>;

/** A page with a text of its own that leads somewhere. */
export function linkPage(title: string, links: readonly string[]): string {
  const anchors = links.map((link) => `<li><a href="${link}">link</a></li>`).join("");
  return htmlPage(`<main><h1>${title}</h1></main><ul>${anchors}</ul>`);
}

/** A site of its own, at 127.0.0.1 and, as another site, at 127.0.0.2. */
export async function openCrawlSite(pages: Pages): Promise<Site> {
  const site = await openSite("0.0.0.0");
  for (const [path, page] of Object.entries(pages)) {
    const isLinks = typeof page !== "string" && typeof page !== "function";
    site.page(path, isLinks ? linkPage(`Page ${path}`, page) : page);
  }
  return site;
}

/** Redirects there. */
export function redirectTo(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}

/** What came of a crawl. */
export interface CrawlResult {
  readonly id: string;
  readonly status: RunAnswer;
  /** Where documents ended, below their site; sorted. */
  readonly paths: readonly string[];
  /** Code and path. */
  readonly errors: readonly string[];
  readonly blocked: readonly string[];
}

/** Crawls, and waits until that has ended. */
export async function crawl(
  world: World,
  body: Readonly<Record<string, unknown>> & { readonly url: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<CrawlResult> {
  const runs = new RunClient(world, headers);
  const { status: code, body: started } = await runs.ask("POST /v2/crawl", body);
  if (code !== 200) throw new Error(`The crawl was answered ${code}: ${started.error}`);
  const status = await runs.ended(`/v2/crawl/${started.id}`);
  const documents = await runs.all(`/v2/crawl/${started.id}?limit=1000`);
  const { body: failures } = await runs.ask(`GET /v2/crawl/${started.id}/errors`);
  const { origin } = new URL(body.url);
  const below = (url: unknown) => String(url).replace(origin, "");
  return {
    id: started.id,
    status,
    paths: documents.map(({ metadata }) => below(metadata["url"])).toSorted(),
    errors: failures.errors.map(({ code: why, url }) => `${why} ${below(url)}`).toSorted(),
    blocked: failures.robotsBlocked.map(below).toSorted(),
  };
}
