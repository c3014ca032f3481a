import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { processTree } from "../../test/process-tree.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 900_000;
const SAMPLE_MS = 250;

/** Groups of pages that are found in different ways → how many there are. */
const GROUPS = { "by links": 200, "by the sitemap alone": 40, "by links of scripts": 20, "behind redirects": 10 };

/** What a crawler made of the site. */
export interface CrawlResult {
  readonly tool: string;
  /** Group → pages that were found. */
  readonly found: Readonly<Record<string, number>>;
  /** Requests for addresses that robots.txt forbids. */
  readonly forbidden: number;
  /** Requests in all. */
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxMegabytes: number;
}

export const crawlGroups: Readonly<Record<string, number>> = GROUPS;

/**
 * Lets crawlers visit the same site.
 * @param python the interpreter that has Scrapy; undefined leaves it out.
 * @param left receives what has no figures, because it did not end in time: pages that were found until then say nothing.
 */
export async function compareCrawls(python: string | undefined, left: string[]): Promise<readonly CrawlResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "compare-crawls-"));
  const results: CrawlResult[] = [];
  const commands: readonly (readonly [string, (url: string) => readonly string[]])[] = [
    ["pergamon", (url) => [process.execPath, join(ROOT, "dist/cli.js"), "crawl", url, "-o", join(folder, "pages")]],
    ...(python ? [["Scrapy", (url: string) => [python, join(import.meta.dirname, "spider.py"), url]] as const] : []),
  ];
  try {
    for (const [tool, command] of commands) {
      const site = await openSite();
      const run = await measure(command(site.url), { DATA_DIR: join(folder, "data"), EGRESS_ALLOW: "127.0.0.1" });
      if (run.isStopped) {
        left.push(`the crawl by ${tool}: it did not end within ${LIMIT_MS / 60_000} minutes`);
        site.close();
        continue;
      }
      const pages = tool === "pergamon" ? ofIndex(join(folder, "pages/index.jsonl")) : ofLines(run.output);
      const { forbidden, requests } = site.close();
      if (pages.size === 0) throw new Error(`${tool} found no page: it does not run here.`);
      results.push({ tool, found: countGroups(pages), forbidden, requests, ...run });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

async function measure([program = "", ...args]: readonly string[], settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: LIMIT_MS,
  });
  const tree = processTree(child.pid ?? 0);
  let [cpuMs, maxMegabytes, output] = [0, 0, ""];
  child.stdout.on("data", (bytes) => (output += String(bytes)));
  const sampler = setInterval(() => {
    cpuMs = Math.max(cpuMs, tree.cpuMs());
    maxMegabytes = Math.max(maxMegabytes, tree.ownMegabytes());
  }, SAMPLE_MS);
  const [, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearInterval(sampler);
  return {
    // The program ends well at SIGTERM, too.
    isStopped: child.killed || signal !== null,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: cpuMs / 1000,
    maxMegabytes,
    output,
  };
}

function ofIndex(path: string): ReadonlySet<string> {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const pages = lines.map((line) => JSON.parse(line) as { url?: string; sourceURL?: string; file?: string });
  return new Set(pages.flatMap(({ url, sourceURL, file }) => (file ? [pathOf(url ?? sourceURL ?? "")] : [])));
}

function ofLines(output: string): ReadonlySet<string> {
  return new Set(Array.from(output.matchAll(/^PAGE 200 (\S+)$/gm), ([, url = ""]) => pathOf(url)));
}

function pathOf(url: string): string {
  return new URL(url, "http://site").pathname;
}

const PREFIXES = { p: "by links", s: "by the sitemap alone", j: "by links of scripts", d: "behind redirects" };

function countGroups(paths: ReadonlySet<string>): Readonly<Record<string, number>> {
  const found = Object.fromEntries(Object.keys(GROUPS).map((group) => [group, 0]));
  for (const path of paths) {
    const group = PREFIXES[path.split("/")[1] as keyof typeof PREFIXES];
    if (group) found[group] = (found[group] ?? 0) + 1;
  }
  return found;
}

/** A tree of pages with what real sites have: campaign parameters, fragments, redirects, dead links, robots.txt. */
async function openSite() {
  let [forbidden, requests] = [0, 0];
  const server = createServer(({ url = "/", headers }, response) => {
    requests += 1;
    const { pathname } = new URL(url, "http://site");
    if (pathname.startsWith("/private/")) forbidden += 1;
    const [, kind = "", number = ""] = pathname.split("/");
    const own = `http://${headers.host ?? ""}`;
    if (pathname === "/robots.txt")
      return response.end(`User-agent: *\nDisallow: /private/\nSitemap: ${own}/sitemap.xml\n`);
    if (pathname === "/sitemap.xml") return response.setHeader("content-type", "text/xml").end(sitemap(own));
    if (kind === "old") return response.writeHead(301, { location: `/d/${number}` }).end();
    const isPage = pathname === "/" || pathname === "/scripted" || (kind in PREFIXES && number !== "");
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(page(kind, number));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
      return { forbidden, requests };
    },
  };
}

function sitemap(own: string): string {
  const urls = Array.from({ length: GROUPS["by the sitemap alone"] }, (_, index) => `<url><loc>${own}/s/${index}</loc></url>`);
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`;
}

function page(kind: string, number: string): string {
  const index = Number(number);
  const next = kind === "p" ? [2 * index + 1, 2 * index + 2].filter((one) => one < GROUPS["by links"]) : [];
  const links = next.map((one) => `<a href="../p/${one}">Page ${one}</a> <a href="/p/${one}#part">again</a>`);
  const home = `<a href="/p/0">Start</a> <a href="/scripted?utm_source=menu">Scripts</a> <a href="/private/${number || 0}">Own</a>`;
  const old = Array.from({ length: GROUPS["behind redirects"] }, (_, one) => `<a href="/old/${one}">Old ${one}</a>`);
  const dead = `<a href="/missing/1">Gone</a>`;
  if (kind === "scripted")
    return `<!doctype html><title>Scripts</title><main id="m"></main><script>document.getElementById("m").innerHTML = "<h1>List</h1>" + Array.from({length: ${GROUPS["by links of scripts"]}}, (_, one) => '<p><a href="/j/' + one + '">Item ' + one + "</a></p>").join("");</script>`;
  const text = `Text of the page ${kind} ${number}, which says enough about its harbour and its ships to be read as a page. `;
  return `<!doctype html><title>${kind} ${number}</title><nav>${home}</nav><main><h1>Page ${kind} ${number}</h1><p>${text.repeat(4)}</p>${links.join(" ")}</main><footer>${kind === "" ? old.join(" ") + dead : ""}<a href="/p/0?utm_source=footer">Home</a></footer>`;
}
