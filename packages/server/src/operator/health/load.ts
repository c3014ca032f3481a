import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { descendants } from "@pergamon-dev/kit/process/descendants";
import { readOwnMachine } from "@pergamon-dev/kit/process/own-machine";
import type { Program, Scraper } from "../../cli/program.ts";
import { usualLimits } from "../../config/usual-limits.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";

/** Clock ticks per second of /proc/<pid>/stat; fixed at 100 on Linux. */
const TICKS_PER_SECOND = 100;
const MB = 1024 * 1024;
/** From this share on, a resource counts as used up. */
const BUSY = 0.85;
const SAMPLE_MS = 500;
const SCRAPE_LIMIT_MS = 120_000;

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly atOnce: number;
  /** It reads a file that a browser has made. */
  readonly readsFile?: boolean;
}

/** Kinds of work that differ in what they need. */
function kindsOf({ pages, tabs, threads }: ReturnType<typeof usualLimits>): readonly Kind[] {
  const file = { body: { timeout: SCRAPE_LIMIT_MS }, atOnce: threads + 1, readsFile: true };
  return [
    { name: "pages over HTTP", path: "text", body: {}, atOnce: Math.min(64, pages) },
    { name: "PDF documents", path: "document", ...file },
    { name: "pictures by OCR", path: "picture", ...file },
    { name: "pages in a browser", path: "script", body: { waitFor: 1 }, atOnce: tabs },
    { name: "screenshots", path: "script", body: { formats: ["screenshot"] }, atOnce: tabs },
  ];
}

/** What one kind of work reached. */
interface Reached {
  readonly name: string;
  readonly perMinute: number;
  readonly failed: number;
  /** Share of the processors of this machine that was used, from 0 to 1. */
  readonly processorShare: number;
  readonly memoryBytes: number;
  readonly limitedBy: string;
}

/**
 * Scrapes pages of its own for so long per kind of work, with an empty database that is removed afterwards. The pages
 * come from this process, so the network counts for nothing.
 */
export async function measureLoad(program: Program, secondsPerKind: number): Promise<readonly string[]> {
  const machine = readOwnMachine();
  const limits = { ...usualLimits(machine), tabs: program.config.browser.tabs };
  const site = await openSite();
  const folder = await mkdtemp(join(tmpdir(), "pergamon-load-"));
  const settings = {
    ...OWN_STORES,
    DATA_DIR: folder,
    CACHE_DIR: program.config.browser.cacheDir,
    EGRESS_ALLOW: `127.0.0.1:${site.port}`,
  };
  const withScraper = async <Value>(use: (scraper: Scraper) => Promise<Value>): Promise<Value> => {
    const scraper = await program.openScraper(settings);
    return use(scraper).finally(() => scraper.close());
  };
  try {
    const lines: string[] = [];
    // In a scraper of their own: its browser would count for what needs none.
    const failure = await withScraper((scraper) => makeFiles(scraper, site)).catch(String);
    await withScraper(async (scraper) => {
      for (const kind of kindsOf(limits)) {
        if (failure !== undefined && kind.readsFile)
          lines.push(`  ${kind.name}  not measured, without a browser to make them: ${failure}`);
        else lines.push(lineOf(await reach(scraper, { kind, site, seconds: secondsPerKind })));
      }
    });
    const { processors, memoryBytes } = machine;
    const size = `${processors} ${processors === 1 ? "processor" : "processors"}, ${(memoryBytes / 1024 ** 3).toFixed(1)} GB of memory`;
    return [`${size}, ${limits.tabs} pages in browsers at once:`, ...lines];
  } finally {
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The document and the picture that are read are printed and taken of a page of the site, so that they need a browser. */
async function makeFiles(scraper: Scraper, { port, files }: Site): Promise<void> {
  const url = `http://127.0.0.1:${port}/script/files`;
  const body = { url, formats: ["screenshot"], actions: [{ type: "pdf" }] };
  const made = await scraper.scrape(body, AbortSignal.timeout(SCRAPE_LIMIT_MS));
  const { screenshot = "", actions } = made as {
    screenshot?: string;
    actions?: { pdfs?: readonly string[] };
  };
  files.set("picture", await scraper.openFile(screenshot));
  files.set("document", await scraper.openFile(actions?.pdfs?.[0] ?? ""));
}

/** Settings by which a scraper shares nothing with the service. */
const OWN_STORES = { DATABASE_URL: "", BLOBS_URL: "", NODE_URL: "", ROLES: "", WORKERS: "", ADMIN_KEY: "" };

interface Trial {
  readonly kind: Kind;
  readonly site: Site;
  readonly seconds: number;
}

async function reach(scraper: Scraper, { kind, site, seconds }: Trial): Promise<Reached> {
  let count = 0;
  const scrapeNext = () => {
    const url = `http://127.0.0.1:${site.port}/${kind.path}/${kind.name}/${count++}`;
    return scraper.scrape({ ...kind.body, url }, AbortSignal.timeout(SCRAPE_LIMIT_MS));
  };
  // Starts browsers and threads, which is not part of what a busy service does.
  await scrapeNext().catch(() => undefined);
  const before = {
    cpuMs: cpuMs(),
    idle: idleShare(),
    loop: performance.eventLoopUtilization(),
    at: performance.now(),
  };
  const endsAt = before.at + seconds * 1000;
  let [ended, failed, memoryBytes] = [0, 0, ownMemory()];
  const sampler = setInterval(() => (memoryBytes = Math.max(memoryBytes, ownMemory())), SAMPLE_MS);
  await Promise.all(
    Array.from({ length: kind.atOnce }, async () => {
      while (performance.now() < endsAt) {
        await scrapeNext().then(
          () => (ended += 1),
          () => (failed += 1),
        );
      }
    }),
  ).finally(() => clearInterval(sampler));
  const { processors, memoryBytes: limit } = readOwnMachine();
  const tookMs = performance.now() - before.at;
  const processorShare = (cpuMs() - before.cpuMs) / tookMs / processors;
  const loopShare = performance.eventLoopUtilization(before.loop).utilization;
  const busyShare = 1 - idleShare(before.idle).share;
  const memoryShare = memoryBytes / limit;
  const limitedBy = limitOf({ processorShare, busyShare, loopShare, memoryShare, atOnce: kind.atOnce });
  return {
    name: kind.name,
    perMinute: (ended * 60_000) / tookMs,
    failed,
    processorShare,
    memoryBytes,
    limitedBy,
  };
}

function limitOf(
  shares: Readonly<Record<"processorShare" | "busyShare" | "loopShare" | "memoryShare" | "atOnce", number>>,
): string {
  if (shares.memoryShare >= BUSY) return "memory";
  if (shares.processorShare >= BUSY) return "processors";
  if (shares.busyShare >= BUSY) return "processors, which other programs use too";
  if (shares.loopShare >= BUSY)
    return "the event loop, which has one processor (WORKERS starts more processes)";
  return `the ${shares.atOnce} pages at once`;
}

/** Idle time of all processors of the host since an earlier look, as a share of all time. */
function idleShare(earlier = { idleMs: 0, allMs: 0 }) {
  const times = cpus().map((one) => one.times);
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0);
  const allMs = times.reduce(
    (sum, { idle, user, sys, nice, irq }) => sum + idle + user + sys + nice + irq,
    0,
  );
  return { idleMs, allMs, share: (idleMs - earlier.idleMs) / Math.max(1, allMs - earlier.allMs) };
}

function lineOf({ name, perMinute, failed, processorShare, memoryBytes, limitedBy }: Reached): string {
  const rate = `${Math.round(perMinute).toLocaleString("en")} a minute`;
  const used = `${Math.round(processorShare * 100)} % of the processors, ${Math.round(memoryBytes / MB)} MB`;
  return `  ${name.padEnd(18)}  ${rate.padStart(15)}, ${used}; limited by ${limitedBy}${failed > 0 ? `; ${failed} failed` : ""}`;
}

/** Processor time of this process and what it started, of children that have ended, too. */
function cpuMs(): number {
  const ticks = descendants(process.pid).flatMap((pid) => {
    const stat = textOf(`/proc/${pid}/stat`);
    // The program's name is in brackets and may hold spaces. Times are fields 14 to 17.
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number);
  });
  return (ticks.reduce((sum, one) => sum + one, 0) * 1000) / TICKS_PER_SECOND;
}

/** Memory in bytes, each shared page by its share. */
function ownMemory(): number {
  const kilobytes = descendants(process.pid).map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024 || process.memoryUsage.rss();
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

interface Site {
  readonly port: number;
  /** First part of the path → what is there instead of a page. */
  readonly files: Map<string, FileContent>;
  close(): void;
}

async function openSite(): Promise<Site> {
  const files = new Map<string, FileContent>();
  const server = createServer(({ url = "" }, response) => {
    const file = files.get(url.split("/")[1] ?? "");
    if (file) return response.writeHead(200, { "content-type": file.contentType }).end(file.bytes);
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(pageOf(url));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    files,
    close: () => server.close().closeAllConnections(),
  };
}

/** An article of 50 paragraphs between a menu and a footer, written by a script where the path says so. */
function pageOf(path: string): string {
  const menu = Array.from(
    { length: 30 },
    (_, index) => `<li><a href="/menu/${index}">Part ${index}</a></li>`,
  );
  const article = Array.from(
    { length: 50 },
    (_, index) =>
      `<p>Paragraph ${index} of ${path} says how the harbour was built, who paid for it, and what <a href="/notes/${index}">the notes</a> of that year tell about the weather.</p>`,
  ).join("");
  const content = path.startsWith("/script")
    ? `<main id="m"></main><script>document.getElementById("m").innerHTML = ${JSON.stringify(`<h1>Harbour</h1>${article}`)};</script>`
    : `<main><h1>Harbour</h1>${article}</main>`;
  return `<!doctype html><title>Harbour</title><nav><ul>${menu.join("")}</ul></nav>${content}<footer>Imprint</footer>`;
}
