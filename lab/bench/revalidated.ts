import { createServer, type Server } from "node:http";

import { crawlAll, siteUrl } from "./crawl.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const PAGES = Number(process.env["BENCH_PAGES"] ?? 2000);
const LOOK_MS = 100;
const LINKS = 38;
/** With the links, a page has 30 KB, as pages of the web do. */
const PARAGRAPHS = 300;
const MAX_SHARE = 0.3;
const MAX_CHECK_MS = 2;

/** What an unchanged site costs: a second crawl beside the first, and a check of a monitor after its base line. */
export async function benchRevalidated(): Promise<readonly Figure[]> {
  const site = await startSite();
  const service = await startService({ HOST_CONCURRENCY: "50", TEAM_CONCURRENCY: "64", RATE_LIMIT: "off" });
  try {
    const work = { service: service.url, site: siteUrl(site) };
    const firstMs = await spentBy(service, () => crawlAll(work, { pages: PAGES }));
    const secondMs = await spentBy(service, () => crawlAll(work, { pages: PAGES }));
    const share = secondMs / firstMs;
    const checkMs = (await unchangedCheck(service, work.site)) / PAGES;
    return [
      {
        name: `processor time of a second crawl of ${PAGES} unchanged pages against the first`,
        value: `× ${share.toFixed(2)} (${(secondMs / PAGES).toFixed(1)} and ${(firstMs / PAGES).toFixed(1)} ms a page)`,
        limit: `<= × ${MAX_SHARE}`,
        isMet: share <= MAX_SHARE,
      },
      {
        name: "processor time of a monitor's check of an unchanged page",
        value: `${checkMs.toFixed(1)} ms`,
        limit: `<= ${MAX_CHECK_MS} ms`,
        isMet: checkMs <= MAX_CHECK_MS,
      },
    ];
  } finally {
    await service.stop();
    site.closeAllConnections();
    site.close();
  }
}

async function spentBy(service: ServerProcess, work: () => Promise<void>): Promise<number> {
  const before = service.cpuMs();
  await work();
  return service.cpuMs() - before;
}

async function unchangedCheck(service: ServerProcess, site: string): Promise<number> {
  const urls = Array.from({ length: PAGES }, (_, index) => `${site}/page/${index + 1}`);
  const targets = [{ type: "scrape", urls }];
  const { id } = await told<{ id: string }>(`${service.url}/v2/monitor`, {
    name: "unchanged",
    schedule: { text: "weekly" },
    targets,
  });
  const check = async () => {
    const { id: checkId } = await told<{ id: string }>(`${service.url}/v2/monitor/${id}/run`, {});
    for (;;) {
      const { status } = await told<{ status: string }>(`${service.url}/v2/monitor/${id}/checks/${checkId}?limit=1`);
      if (status === "completed") return;
      if (status !== "queued" && status !== "running") throw new Error(`The check ended as ${status}.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  await check();
  return spentBy(service, check);
}

async function told<Data>(url: string, body?: object): Promise<Data> {
  const response = await fetch(url, body && { method: "POST", body: JSON.stringify(body) });
  const { data, error } = (await response.json()) as { readonly data: Data; readonly error?: string };
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${error}`);
  return data;
}

/** Pages that say by their validator that they have not changed. */
async function startSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 1);
    const etag = `"page ${number}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    const links = Array.from({ length: LINKS }, (_, index) => {
      const linked = ((number * LINKS + index) % PAGES) + 1;
      return `<li><a href="/page/${linked}">Page ${linked}</a></li>`;
    });
    const text = `<p>Page ${number} has a text of its own, with some words that say nothing at all.</p>`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", etag });
    return response.end(
      `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1>${text.repeat(PARAGRAPHS)}</main><ul>${links.join("")}</ul></body></html>`,
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
