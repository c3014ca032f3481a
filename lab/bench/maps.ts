import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

/** The most that a sitemap may have. */
const URLS_OF_FILE = 50_000;
const FILES_OF_LARGE_SITE = 10;
const LIMIT = 100_000;
const SAMPLE_MS = 20;

/** Maps of sites with large sitemaps, by a service in a process of its own. */
export async function benchMaps(): Promise<readonly Figure[]> {
  const [small, middle, large] = await Promise.all([
    startSite(0),
    startSite(1),
    startSite(FILES_OF_LARGE_SITE),
  ]);
  const service = await startService();
  try {
    await measureMap(service, small);
    const one = await measureMap(service, middle);
    const many = await measureMap(service, large);
    if (one.links !== URLS_OF_FILE + 1 || many.links !== LIMIT)
      throw new Error(`The maps have ${one.links} and ${many.links} links.`);
    return figuresOf(one, many);
  } finally {
    await service.stop();
    for (const server of [small, middle, large]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

interface Mapped {
  readonly links: number;
  readonly cpuMs: number;
  readonly seconds: number;
  readonly grownMegabytes: number;
}

function figuresOf(one: Mapped, many: Mapped): readonly Figure[] {
  const urls = URLS_OF_FILE.toLocaleString("en");
  const all = (URLS_OF_FILE * FILES_OF_LARGE_SITE).toLocaleString("en");
  return [
    {
      name: `map of ${urls} URLs of a sitemap, processor time`,
      value: `${(one.cpuMs / 1000).toFixed(2)} s`,
      limit: "<= 1.0 s",
      isMet: one.cpuMs <= 1000,
    },
    {
      name: `map of ${urls} URLs of a sitemap, memory at most`,
      value: `${one.grownMegabytes.toFixed(0)} MB`,
      limit: "<= 100 MB",
      isMet: one.grownMegabytes <= 100,
    },
    {
      name: `map of a site with ${all} URLs in sitemaps (processor time ${(many.cpuMs / 1000).toFixed(1)} s)`,
      value: `${many.seconds.toFixed(1)} s`,
      limit: "<= 10 s",
      isMet: many.seconds <= 10,
    },
  ];
}

async function measureMap(service: ServerProcess, site: Server): Promise<Mapped> {
  const [beforeMs, beforeMegabytes] = [service.cpuMs(), service.residentMegabytes()];
  let mostMegabytes = beforeMegabytes;
  const sampling = setInterval(() => {
    mostMegabytes = Math.max(mostMegabytes, service.residentMegabytes());
  }, SAMPLE_MS);
  const startMs = performance.now();
  const body = JSON.stringify({ url: `${siteUrl(site)}/`, limit: LIMIT, timeout: 120_000 });
  const response = await fetch(`${service.url}/v2/map`, { method: "POST", body });
  const { links } = (await response.json()) as { readonly links: readonly unknown[] };
  clearInterval(sampling);
  return {
    links: links.length,
    cpuMs: service.cpuMs() - beforeMs,
    seconds: (performance.now() - startMs) / 1000,
    grownMegabytes: mostMegabytes - beforeMegabytes,
  };
}

/** A site with so many full sitemaps, named by an index. */
async function startSite(files: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const file = /^\/sitemap-(\d+)\.xml$/.exec(path)?.[1];
    const origin = siteUrl(server);
    if (file !== undefined) answer(response, "text/xml", fileOf(origin, Number(file)));
    else if (path === "/sitemap.xml" && files > 0) answer(response, "text/xml", indexOf(origin, files));
    else if (path === "/") answer(response, "text/html", "<h1>Start</h1>");
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function answer(response: ServerResponse, type: string, text: string): void {
  response.setHeader("content-type", type).end(text);
}

function fileOf(origin: string, file: number): string {
  const urls = Array.from(
    { length: URLS_OF_FILE },
    (_url, index) =>
      `<url><loc>${origin}/part-${file}/a-page-with-a-name-of-some-words-${index}</loc><lastmod>2026-01-01</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><urlset>${urls.join("\n")}</urlset>`;
}

function indexOf(origin: string, files: number): string {
  const names = Array.from(
    { length: files },
    (_file, index) => `<sitemap><loc>${origin}/sitemap-${index}.xml</loc></sitemap>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><sitemapindex>${names.join("")}</sitemapindex>`;
}

function siteUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
