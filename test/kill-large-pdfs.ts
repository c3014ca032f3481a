import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { makeTeam, type SoakService, startSoakService } from "./service-process.ts";
import { leftProcesses } from "./fuzz-documents.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { openSite } from "./site.ts";

/** What a client saw that asked for a large PDF while its service was killed. */
export interface KilledReading {
  /** Answers that said that the work goes on, before the kill and after it. */
  readonly told: readonly [before: number, after: number];
  readonly status: number;
  readonly markdown: string;
  readonly credits: readonly [before: number, after: number];
  /** Processes and files that were there after the kill. */
  readonly left: readonly string[];
}

interface KillOrder {
  readonly pages: number;
  /** While the file is read, or once it is read and kept. */
  readonly moment: "reading" | "kept";
  readonly command: readonly string[];
}

const CREDITS = 1_000_000;
const SHORTEST_TIMEOUT_MS = 1000;
const MAX_TRIES = 60;
const BETWEEN_TRIES_MS = 1000;

/** Kills a service that reads a large PDF for nobody, starts it anew, and asks again for the same. */
export async function killWhileReading({ pages, moment, command }: KillOrder): Promise<KilledReading> {
  const folder = await mkdtemp(join(tmpdir(), "kill-large-pdfs-"));
  const temporary = join(folder, "temporary");
  const dataDir = join(folder, "data");
  await mkdir(temporary);
  const start = () => startSoakService({ command, dataDir, settings: { TMPDIR: temporary } });
  const site = await openSite();
  const pdf = largePdf(pages);
  const url = site.page("/large.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
  const small = largePdf(1);
  const smallUrl = site.page("/small.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(small);
  });
  let service = await start();
  try {
    const { apiKey } = await makeTeam(service.url, { name: "large", credits: CREDITS });
    const ask = () => scrape(service, url, apiKey);
    // On a busy machine the time of the first request may be over before the reading has begun.
    const before = await askUntil(ask, ({ isUnderWay }) => isUnderWay);
    if (moment === "kept") await keptIn(join(dataDir, "blobs/readings"));
    await service.kill();
    const left = [...(await leftProcesses(temporary)), ...(await readdir(temporary))];
    service = await start();
    // A first document loads what all of them need: on a busy machine that alone can take the shortest timeout.
    await askUntil(
      () => scrape(service, smallUrl, apiKey),
      ({ isUnderWay }) => !isUnderWay,
    );
    const remaining = await creditsOf(service, apiKey);
    const after = await askUntil(ask, ({ isUnderWay }) => !isUnderWay);
    const credits = [remaining, await creditsOf(service, apiKey)] as const;
    await service.stop();
    const { status, markdown } = after.last;
    return { told: [before.told, after.told], status, markdown, credits, left };
  } finally {
    await site.close();
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

function largePdf(pages: number): Buffer {
  const lines = (page: number) =>
    Array.from({ length: 45 }, (_, line) => `Line ${line} of page ${page} tells a story.`);
  return writePdf({ pages: Array.from({ length: pages }, (_, index) => textPage(...lines(index + 1))) });
}

interface Asked {
  readonly status: number;
  readonly isUnderWay: boolean;
  readonly markdown: string;
}

async function scrape({ url: baseUrl }: SoakService, url: string, apiKey: string): Promise<Asked> {
  const parsers = [{ type: "pdf", mode: "fast" }];
  const response = await fetch(`${baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ url, parsers, timeout: SHORTEST_TIMEOUT_MS, maxAge: 0 }),
  });
  const { details, data } = (await response.json()) as ScrapeAnswer;
  const isUnderWay = details?.state === "processing_continues";
  return { status: response.status, isUnderWay, markdown: data?.markdown ?? "" };
}

interface ScrapeAnswer {
  readonly details?: { readonly state?: string };
  readonly data?: { readonly markdown?: string };
}

/** Asks as clients do until an answer will do; how often it was told that the work goes on. */
async function askUntil(
  ask: () => Promise<Asked>,
  isEnough: (asked: Asked) => boolean,
): Promise<{ readonly told: number; readonly last: Asked }> {
  let told = 0;
  for (let tries = 0; ; tries += 1) {
    const last = await ask();
    if (last.isUnderWay) told += 1;
    if (isEnough(last) || tries === MAX_TRIES) return { told, last };
    await sleep(BETWEEN_TRIES_MS);
  }
}

async function creditsOf({ url }: SoakService, apiKey: string): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${url}/v2/team/credit-usage`, { headers });
  return ((await response.json()) as { data: { remainingCredits: number } }).data.remainingCredits;
}

/** Waits until there is a file in the folder. Whole ones are moved into it. */
async function keptIn(folder: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    if (entries.some((entry) => entry.isFile())) return;
    await sleep(100);
  }
  throw new Error("Nothing was kept.");
}
