import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { DatabaseSync } from "@photostructure/sqlite";

import { startFixture } from "./fixture.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";
import { madeSample, spreadSample } from "./sample.ts";

const PAGES = 500;
const SCREENSHOTS = 20;
const AT_ONCE = 2;
const PAGE = new URL("../../docs/operations.md", import.meta.url);

/** What is kept → its tables, its folder of blobs, the table with a row for each, and the most bytes that one may take. */
const KINDS = [
  { what: "page in the cache", tables: ["captures", "unpacked_captures"], blobs: "captures", of: "captures", most: 80_000 },
  { what: "the same page in the search of stored pages", tables: ["pages", "words"], of: "pages", most: 40_000 },
  { what: "request in the log", tables: ["scrapes"], of: "scrapes", most: 1_500 },
  { what: "answer with Markdown, also of jobs", tables: ["documents"], blobs: "documents", of: "documents", most: 20_000 },
  { what: "its place in a job", tables: ["job_documents"], of: "job_documents", most: 500 },
  { what: "screenshot of a window", tables: ["files"], blobs: "files", of: "files", most: 200_000 },
];

/** What a service keeps on disk of each page and request; written into docs/operations.md. */
export async function benchDisk(): Promise<readonly Figure[]> {
  const pages = spreadSample(PAGES) ?? madeSample();
  const site = await startFixture(pages);
  const dataDir = await mkdtemp(join(tmpdir(), "pergamon-disk-"));
  const service = await startService({ DATA_DIR: dataDir, HOST_CONCURRENCY: "64" });
  try {
    const paths = Object.keys(pages);
    const urls = Array.from({ length: PAGES }, (_, n) => `${site.url}${paths[n % paths.length] ?? ""}?${n}`);
    await scrapeAsBatch(service.url, urls);
    await scrapeEach(service.url, urls, { formats: ["markdown"] });
    await scrapeEach(service.url, urls.slice(0, SCREENSHOTS), { formats: ["screenshot"] });
  } finally {
    await service.stop();
    await site.stop();
  }
  const sizes = sizesOf(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  const pageBytes = Object.values(pages).reduce((sum, text) => sum + Buffer.byteLength(text), 0) / Object.keys(pages).length;
  writePage(sizes, pageBytes);
  return sizes.map(({ what, bytes, most }) => ({
    name: what,
    value: `${bytes.toFixed(0)} bytes`,
    limit: `<= ${most}`,
    isMet: bytes > 0 && bytes <= most,
  }));
}

async function scrapeEach(service: string, urls: readonly string[], options: object): Promise<void> {
  const waiting = urls.values();
  const work = async () => {
    for (const url of waiting) await call(`${service}/v2/scrape`, { url, ...options });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function scrapeAsBatch(service: string, urls: readonly string[]): Promise<void> {
  const { id } = await call(`${service}/v2/batch/scrape`, { urls, formats: ["markdown"] });
  while ((await call(`${service}/v2/batch/scrape/${String(id)}?limit=1`)).status !== "completed") await sleep(500);
}

/** A busy machine is asked again. @throws Error with the answer, unless it is 200. */
async function call(url: string, body?: object, tries = 20): Promise<Readonly<Record<string, unknown>>> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.status === 503 && tries > 1) return sleep(500).then(() => call(url, body, tries - 1));
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

function sizesOf(dataDir: string) {
  const files = ["pergamon.db", "search.db"].map((name) => new DatabaseSync(join(dataDir, name), { readOnly: true }));
  const sum = (sql: string, ...values: readonly string[]) =>
    files.reduce((all, file) => all + Number(file.prepare(sql).get(...values)?.["n"] ?? 0), 0);
  const rowsOf = (table: string) => {
    const file = files.find((one) => one.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table));
    return Number(file?.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  };
  const sizes = KINDS.map(({ what, tables, blobs, of, most }) => {
    const inFiles = blobs === undefined ? 0 : allocatedBytes(join(dataDir, "blobs", blobs));
    const inTables = tables.reduce((all, table) => all + sum(TABLE_BYTES, table, `${table}_%`), 0);
    return { what, most, bytes: (inFiles + inTables) / rowsOf(of) };
  });
  for (const file of files) file.close();
  return sizes;
}

/** Virtual tables keep their rows in tables whose names begin with their own. */
const TABLE_BYTES = `SELECT sum(pgsize) AS n FROM dbstat JOIN sqlite_schema USING (name)
  WHERE tbl_name = ? OR tbl_name LIKE ?`;

/** Of all files below a folder, in whole blocks. */
function allocatedBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * BLOCK_BYTES, 0);
}

const BLOCK_BYTES = 512;

function writePage(sizes: readonly { readonly what: string; readonly bytes: number }[], pageBytes: number): void {
  const rows = sizes.map(({ what, bytes }) => `| ${what} | ${(bytes / 1000).toFixed(1)} |`).join("\n");
  const words = `| Each | KB |\n|---|---|\n${rows}\n\nMeasured on ${PAGES} pages of ${Math.round(pageBytes / 1000)} KB of HTML on average.`;
  const part = /(<!-- disk: written by npm run bench -- disk -->\n)[\s\S]*?(<!-- end of disk -->)/;
  const text = readFileSync(PAGE, "utf8");
  if (!part.test(text)) throw new Error("docs/operations.md has no place for what the disk holds.");
  writeFileSync(PAGE, text.replace(part, (_, start: string, end: string) => `${start}\n${words}\n\n${end}`));
}
