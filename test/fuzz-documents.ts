import { readdirSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startSoakService } from "./service-process.ts";
import { damagedDocument, type DocumentFile } from "./damaged-documents.ts";
import { damagedPdf } from "./damaged-pdf.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { openSite, type Site } from "./site.ts";

/** What came of damaged files that were scraped. */
export interface DocumentFuzz {
  readonly texts: number;
  readonly refusals: number;
  /** Refusals because the time was over. */
  readonly timeouts: number;
  readonly slowestMs: number;
  /** What must not happen, in words. */
  readonly problems: readonly string[];
}

interface DocumentFuzzOrder {
  readonly files: number;
  readonly command: readonly string[];
}

const CLIENTS = 3;
const TIMEOUT_MS = 20_000;
/** How long an answer may take after its deadline. */
const LATE_MS = 3000;
/** So many files, then a good one. */
const BETWEEN_GOOD = 10;
const GOOD_PDF = writePdf({ pages: [textPage("A good file among the damaged ones.")] });

/** How a service answers what it refuses. */
const REFUSALS = new Set([
  "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "SCRAPE_PDF_OCR_REQUIRED",
  "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
  "SCRAPE_TIMEOUT",
]);

/**
 * Scrapes damaged PDF files, documents and pictures, several at once. Each has to become text or a refusal in time, good
 * files in between have to be read, and the service has to stop as usual and leave no process and no file.
 */
export async function fuzzDocuments({ files, command }: DocumentFuzzOrder): Promise<DocumentFuzz> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-documents-"));
  const temporary = join(folder, "temporary");
  await mkdir(temporary);
  const site = await openSite();
  const settings = { AUTH: "open", TEAM_CONCURRENCY: "off", TMPDIR: temporary };
  const service = await startSoakService({ command, dataDir: join(folder, "data"), settings });
  try {
    const fuzz = new Fuzz(site, service.url);
    await fuzz.run(files);
    await service.stop();
    const left = [...(await leftProcesses(temporary)), ...(await readdir(temporary))];
    return fuzz.report(left.map((one) => `${one} is left`));
  } finally {
    await site.close();
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

class Fuzz {
  readonly #site: Site;
  readonly #service: string;
  readonly #problems: string[] = [];
  #texts = 0;
  #refusals = 0;
  #timeouts = 0;
  #slowestMs = 0;

  constructor(site: Site, service: string) {
    this.#site = site;
    this.#service = service;
    this.#put("/good.pdf", { body: GOOD_PDF, contentType: "application/pdf" });
  }

  async run(files: number): Promise<void> {
    const seeds = Array.from({ length: files }, (_, index) => index + 1).values();
    const client = async () => {
      for (const seed of seeds) {
        await this.#scrapeDamaged(seed);
        if (seed % BETWEEN_GOOD === 0) await this.#scrapeGood(seed);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  report(left: readonly string[]): DocumentFuzz {
    return {
      texts: this.#texts,
      refusals: this.#refusals,
      timeouts: this.#timeouts,
      slowestMs: this.#slowestMs,
      problems: [...this.#problems, ...left],
    };
  }

  async #scrapeDamaged(seed: number): Promise<void> {
    const isPdf = seed % 2 === 0;
    const file = isPdf
      ? { body: damagedPdf(seed / 2), contentType: "application/pdf" }
      : await damagedDocument((seed + 1) / 2);
    const url = this.#put(`/${seed}`, file);
    const startMs = performance.now();
    const { status, code, isText } = await this.#scrape(url, seed % 4 === 0 ? "auto" : "fast");
    const tookMs = performance.now() - startMs;
    this.#slowestMs = Math.max(this.#slowestMs, tookMs);
    if (isText) this.#texts += 1;
    else if (REFUSALS.has(code)) this.#refusals += 1;
    else this.#problems.push(`seed ${seed}: answered ${status} ${code}`);
    if (code === "SCRAPE_TIMEOUT") this.#timeouts += 1;
    if (tookMs > TIMEOUT_MS + LATE_MS) this.#problems.push(`seed ${seed}: took ${Math.round(tookMs)} ms`);
  }

  async #scrapeGood(seed: number): Promise<void> {
    const { markdown } = await this.#scrape(this.#site.url("/good.pdf"), "fast");
    if (!markdown.includes("A good file among the damaged ones."))
      this.#problems.push(`after seed ${seed} a good file is not read`);
  }

  async #scrape(url: string, mode: "fast" | "auto") {
    const body = { url, timeout: TIMEOUT_MS, maxAge: 0, parsers: [{ type: "pdf", mode }, "image"] };
    const response = await fetch(`${this.#service}/v2/scrape`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(2 * TIMEOUT_MS),
    });
    const { code = "", data } = (await response.json()) as ScrapeAnswer;
    const { markdown } = data ?? {};
    return { status: response.status, code, isText: markdown !== undefined, markdown: markdown ?? "" };
  }

  #put(path: string, { body, contentType }: DocumentFile): string {
    return this.#site.page(path, (_request, response) => {
      response.writeHead(200, { "content-type": contentType }).end(body);
    });
  }
}

interface ScrapeAnswer {
  readonly code?: string;
  readonly data?: { readonly markdown?: string };
}

/** Processes that work in the folder, or in one that was in it, a moment after they were to end. */
export async function leftProcesses(folder: string): Promise<readonly string[]> {
  const found = () =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && folderOf(name).startsWith(folder))
      .map((pid) => `process ${pid}`);
  for (let tries = 0; tries < 100 && found().length > 0; tries += 1) await sleep(50);
  return found();
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
