import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { ALLOCATOR, HEAP_OPTIONS } from "../../bin/small-memory.mjs";
import { collectGarbage } from "../bench/collected-memory.ts";
import { freePort } from "../bench/free-port.ts";
import { processTree } from "../../test/process-tree.ts";
import { type SoakService, startSoakService } from "../../test/service-process.ts";
import { htmlPage, openSite, type Site } from "../../test/site.ts";

interface MemoryOptions {
  readonly command: readonly string[];
  /** Names of kinds of work. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Share of the work of each kind. Default: all of it. */
  readonly share?: number;
}

interface MemoryReport {
  /** Megabytes after the first hundred, half and all of each kind. */
  readonly figures: string;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

interface Work {
  readonly times: number;
  /** Does it once, at a host of its own. */
  once(service: SoakService, site: Site, number: number): Promise<void>;
  /** How much of it is one time. Default: 1. */
  readonly step?: number;
}

const FIRST = 100;
const CLIENTS = 4;
const TIMEOUT_MS = 300_000;
const UPLOAD_BYTES = 10 * 1024 * 1024;
const PAGES_OF_CRAWL = 100;
const LINKS = 120;
/** As many addresses of loopback; connections and robots.txt of each are kept for a while. */
const HOSTS = 100;
const MAX_GROWTH = 1.1;
/** Idle threads and connections end by then. */
const CALM_MS = 35_000;
/** V8 gives freed memory back to the system a moment later. */
const GIVE_BACK_MS = 1500;
const SETTINGS = {
  AUTH: "open",
  TEAM_CONCURRENCY: "off",
  HOST_CONCURRENCY: "16",
  EGRESS_ALLOW: "127.0.0.0/8",
} as const;

const WORK: Readonly<Record<string, Work>> = {
  maps: {
    times: 1000,
    async once(service, site, number) {
      await send(service, "map", { url: urlAt(site, number), timeout: TIMEOUT_MS });
    },
  },
  uploads: {
    times: 1000,
    async once({ url }, _site, number) {
      const form = new FormData();
      form.append("file", new Blob([fileOf(number)]), `${number}.html`);
      form.append("options", JSON.stringify({ timeout: TIMEOUT_MS }));
      await answered(await fetch(`${url}/v2/parse`, { method: "POST", body: form }));
    },
  },
  pages: {
    times: 10_000,
    step: PAGES_OF_CRAWL,
    async once(service, site, number) {
      const url = urlAt(site, number);
      const { id } = await send(service, "crawl", { url, limit: PAGES_OF_CRAWL, crawlEntireDomain: true });
      for (;;) {
        const response = await fetch(`${service.url}/v2/crawl/${id}?limit=1`);
        const { status, completed } = (await answered(response)) as { status: string; completed: number };
        if (status === "completed" && completed === PAGES_OF_CRAWL) return;
        if (status !== "scraping") throw new Error(`The crawl of ${url} is ${status} after ${completed} pages.`);
        await pause(200);
      }
    },
  },
};

/** Does each kind of work many times: the service may not hold more after all of it than after the first hundred. */
export async function watchMemory({ command, only, share = 1 }: MemoryOptions): Promise<MemoryReport> {
  const folder = await mkdtemp(join(tmpdir(), "memory-"));
  const site = await openHosts();
  const port = await freePort();
  const service = await startSoakService({
    // As `npm start` begins it.
    command: [...HEAP_OPTIONS, `--inspect=127.0.0.1:${port}`, ...command],
    dataDir: join(folder, "data"),
    settings: { ...SETTINGS, ...ALLOCATOR },
  });
  const used = async () => {
    await pause(CALM_MS);
    await collectGarbage(port);
    await pause(GIVE_BACK_MS);
    return processTree(service.pid).ownMegabytes();
  };
  const kinds = Object.entries(WORK).filter(([name]) => only?.includes(name) ?? true);
  try {
    const looks: number[] = [];
    let from: readonly number[] = kinds.map(() => 0);
    for (const part of [0, 0.5, 1]) {
      const until = kinds.map(([, { times }]) => Math.max(FIRST, Math.round((times * share * part) / FIRST) * FIRST));
      for (const [index, [, kind]] of kinds.entries())
        await workUntil(kind, { service, site, from: from[index] ?? 0, until: until[index] ?? 0 });
      from = until;
      looks.push(await used());
    }
    await service.stop();
    const [first = 0, half = 0, all = 0] = looks;
    const told = looks.map((megabytes) => megabytes.toFixed(0)).join(" → ");
    const figures = `${told} MB after the first hundred, half and all of ${kinds.map(([name]) => name).join(", ")}`;
    const since = (before: number) => `${((all / before - 1) * 100).toFixed(0)} %`;
    const problems = all / first > MAX_GROWTH ? [`memory grew by ${since(first)} since the first hundred`] : [];
    return { figures: `${figures} (${since(half)} in the second half)`, problems };
  } finally {
    await site.close();
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Amount {
  readonly service: SoakService;
  readonly site: Site;
  readonly from: number;
  readonly until: number;
}

async function workUntil({ once, step = 1 }: Work, { service, site, from, until }: Amount): Promise<void> {
  let done = from;
  const client = async () => {
    while (done < until) {
      done += step;
      await once(service, site, done / step);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Each address of loopback is a host. Each list has pages of its own, so that nothing is read twice. */
async function openHosts(): Promise<Site> {
  const site = await openSite("0.0.0.0");
  site.otherwise((request, response) => {
    const [, kind, number] = request.url?.split("/") ?? [];
    response.writeHead(kind === "list" || kind === "page" ? 200 : 404, { "content-type": "text/html" });
    const name = `${request.headers.host}${request.url}`;
    const words = `<p>${`Words of ${name}. `.repeat(200)}</p>`;
    const links = Array.from({ length: LINKS }, (_, index) => `<a href="/page/${number}/${index}">${index}</a>`);
    response.end(htmlPage(`<h1>${name}</h1>${kind === "list" ? links.join(" ") : words}`));
  });
  return site;
}

function urlAt({ port }: Site, number: number): string {
  return `http://127.1.0.${1 + (number % HOSTS)}:${port}/list/${number}`;
}

function fileOf(number: number): string {
  const paragraph = `<p>${`Words of the file ${number}, which no other file has. `.repeat(2000)}</p>\n`;
  return htmlPage(paragraph.repeat(UPLOAD_BYTES / paragraph.length));
}

async function send({ url }: SoakService, operation: string, body: object): Promise<{ readonly id: string }> {
  const response = await fetch(`${url}/v2/${operation}`, { method: "POST", body: JSON.stringify(body) });
  return (await answered(response)) as { readonly id: string };
}

async function answered(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as unknown;
}
