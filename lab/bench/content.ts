import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { prepareTool } from "../quality/extraction-tool.mjs";
import { findSet } from "../sets.ts";
import type { BenchPage } from "./contenders.ts";
import { articlePage } from "./page.ts";
import type { Figure } from "./report.ts";

const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/bench-content");

/** Labelled pages per contender; the slow ones take up to a second for each. `CONTENT_PAGES` changes it. */
const PAGES = 100;

const TYPES = "article documentation service forum collection listing product".split(" ");

const OURS = { parser: "parse", "parser, all read": "parseAndRead", pergamon: "pergamon" };
const PEERS = {
  readability: "readability",
  defuddle: "defuddle",
  "selectors + turndown": "selectorsAndTurndown",
  mdream: "mdream",
  kreuzberg: "kreuzberg",
};

/** What a contender took, and how well it did where that is known. */
interface Result {
  readonly name: string;
  readonly cpuMsPerPage: number;
  readonly megabytesPerSecond: number;
  /** Mean F1 by page type; undefined without labelled pages, and for the floors, which write nothing. */
  readonly f1ByType: readonly number[] | undefined;
}

export interface Contender {
  readonly name: string;
  readonly function: string;
  /** A module with that function; undefined for a program. */
  readonly module?: string;
  /** Of a program: pages as lines of JSON in, Markdown out. */
  readonly command?: string;
}

/**
 * The content path against its floors and against other tools, on the same pages: the labelled pages of
 * `LAB_DATA`, else pages made for the purpose.
 */
export async function benchContent(): Promise<readonly Figure[]> {
  mkdirSync(CACHE, { recursive: true });
  const folder = findSet("extraction");
  const contenders = [...(await bundleOurs()), ...installPeers(), ...installTrafilatura()];
  const results: Result[] = [];
  printHead();
  for (const contender of contenders) {
    const result = folder ? scoreLabelled(contender, folder) : await timeMade(contender);
    if (result === undefined) continue;
    results.push(result);
    printRow(result);
  }
  return figuresOf(results);
}

/** Tools that turn a page into Markdown; those that cannot be installed are named and left out. */
export async function markdownTools(): Promise<readonly Contender[]> {
  mkdirSync(CACHE, { recursive: true });
  const ours = (await bundleOurs()).filter(({ name }) => name === "pergamon");
  return [...ours, ...installPeers(), ...installTrafilatura()];
}

async function bundleOurs(): Promise<readonly Contender[]> {
  const outfile = join(CACHE, "ours.mjs");
  const entry = join(import.meta.dirname, "contenders.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    conditions: ["pergamon-source"],
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return Object.entries(OURS).map(([name, called]) => ({ name, module: outfile, function: called }));
}

/** Other tools are installed into a cache folder, so that `npm ci` of the service stays small. */
function installPeers(): readonly Contender[] {
  const module = join(CACHE, "peers.mjs");
  cpSync(join(import.meta.dirname, "peers"), CACHE, { recursive: true });
  try {
    const isInstalled = existsSync(join(CACHE, "node_modules/jsdom"));
    if (!isInstalled) {
      // NOTE: `npm ci` refuses the lock file: one peer names optional packages that were never published.
      execFileSync("npm", ["install", "--ignore-scripts", "--no-audit"], { cwd: CACHE, stdio: "pipe" });
    }
  } catch (error) {
    print(`Other tools are left out: ${firstLine(error)}`);
    return [];
  }
  return Object.entries(PEERS).map(([name, called]) => ({ name, module, function: called }));
}

/** Its packages for Python are installed into the same folder. */
function installTrafilatura(): readonly Contender[] {
  const python = join(CACHE, "python/bin/python");
  const packages = ["trafilatura==2.3.1", "lxml_html_clean==0.4.6"];
  try {
    if (!existsSync(python)) execFileSync("python3", ["-m", "venv", join(CACHE, "python")], { stdio: "pipe" });
    execFileSync(python, ["-m", "pip", "install", "--quiet", ...packages], { stdio: "pipe" });
  } catch (error) {
    print(`trafilatura is left out: ${firstLine(error)}`);
    return [];
  }
  const command = `${python} ${join(CACHE, "trafilatura_peer.py")}`;
  return [{ name: "trafilatura", function: "trafilatura", command }];
}

/** Runs a contender in a process of its own, through the scoring tool of the labelled pages. */
function scoreLabelled(contender: Contender, folder: string): Result | undefined {
  const limit = process.env.CONTENT_PAGES ?? String(PAGES);
  const name = contender.function;
  const subject = contender.command
    ? ["--command", contender.command]
    : ["--module", `${contender.module}#${contender.function}`];
  const options = [...subject, "--name", name, "--data", join(folder, "data"), "--out", CACHE];
  const run = spawnSync(process.execPath, [prepareTool(folder), ...options, "--limit", limit, "--quiet"], {
    encoding: "utf8",
  });
  if (run.status !== 0) return leaveOut(contender, run.stderr);
  const { pages, totals } = JSON.parse(readFileSync(join(CACHE, `${name}.dev.json`), "utf8")) as Scored;
  const failed = pages.find((page) => page.error !== undefined);
  if (failed && pages.every((page) => page.error !== undefined)) return leaveOut(contender, failed.error);
  return {
    name: contender.name,
    cpuMsPerPage: totals.cpuMs / pages.length,
    megabytesPerSecond: totals.bytes / 1000 / totals.cpuMs,
    f1ByType: contender.function.startsWith("parse") ? undefined : TYPES.map((type) => meanF1(pages, type)),
  };
}

/** The part of the scoring tool's result that is read here. */
interface Scored {
  readonly pages: readonly { readonly type: string; readonly f1?: number; readonly error?: string }[];
  readonly totals: { readonly bytes: number; readonly cpuMs: number };
}

function meanF1(pages: Scored["pages"], type: string): number {
  const scores = pages.flatMap((page) => (page.type === type && page.f1 !== undefined ? [page.f1] : []));
  return mean(scores);
}

/** Runs a contender on pages made for the purpose: shows speed only. */
async function timeMade(contender: Contender): Promise<Result | undefined> {
  if (contender.module === undefined) return leaveOut(contender, "it is scored on labelled pages only");
  const pages = [20_000, 50_000, 100_000, 200_000].map((size): BenchPage => ({
    html: articlePage(size),
    url: "https://example.test/dir/page",
  }));
  try {
    const loaded: Record<string, (page: BenchPage) => unknown> = await import(
      pathToFileURL(contender.module).href
    );
    const convert = loaded[contender.function];
    if (convert === undefined) return leaveOut(contender, "no such function");
    for (const page of pages) await convert(page);
    const rounds = 10;
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) for (const page of pages) await convert(page);
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000 / rounds;
    const bytes = pages.reduce((sum, page) => sum + page.html.length, 0);
    const speed = { cpuMsPerPage: cpuMs / pages.length, megabytesPerSecond: bytes / 1000 / cpuMs };
    return { name: contender.name, ...speed, f1ByType: undefined };
  } catch (error) {
    return leaveOut(contender, firstLine(error));
  }
}

function leaveOut({ name }: Contender, reason: string | undefined): undefined {
  print(`${name} is left out: ${reason?.trim().split("\n").at(-1) ?? "unknown reason"}`);
  return undefined;
}

function printHead(): void {
  const types = TYPES.map((type) => type.slice(0, 7).padStart(8)).join("");
  print(`${"".padEnd(22)}${"ms/page".padStart(9)}${"MB/s".padStart(8)}${"macro F1".padStart(10)}${types}`);
}

function printRow({ name, cpuMsPerPage, megabytesPerSecond, f1ByType }: Result): void {
  const speed = cpuMsPerPage.toFixed(2).padStart(9) + megabytesPerSecond.toFixed(1).padStart(8);
  const quality = f1ByType ? mean(f1ByType).toFixed(3).padStart(10) + f1ByType.map(cell).join("") : "";
  print(name.padEnd(22) + speed + quality);
}

function cell(value: number): string {
  return value.toFixed(3).padStart(8);
}

/** Peers this good are held against our speed. */
const GOOD_MACRO = 0.7;

function figuresOf(results: readonly Result[]): readonly Figure[] {
  const find = (name: string): Result | undefined => results.find((result) => result.name === name);
  const ours = find("pergamon");
  const read = find("parser, all read");
  const parser = find("parser");
  if (!ours || !read || !parser) throw new Error("Our own content path could not be measured.");
  const good = results.filter(
    ({ name, f1ByType }) => name !== ours.name && f1ByType !== undefined && mean(f1ByType) > GOOD_MACRO,
  );
  const lead = Math.min(...good.map((peer) => peer.cpuMsPerPage / ours.cpuMsPerPage));
  return [
    {
      name: "HTML to Markdown, CPU against the parser with all read",
      value: `${(ours.cpuMsPerPage / read.cpuMsPerPage).toFixed(2)} × (bare parser: ${(ours.cpuMsPerPage / parser.cpuMsPerPage).toFixed(2)} ×)`,
      limit: "≤ 1.8 ×",
      isMet: ours.cpuMsPerPage <= 1.8 * read.cpuMsPerPage,
    },
    {
      name: "HTML to Markdown, speed",
      value: `${ours.megabytesPerSecond.toFixed(1)} MB/s`,
      limit: "≥ 20 MB/s",
      isMet: ours.megabytesPerSecond >= 20,
    },
    ...(good.length === 0 ? [] : [leadFigure(lead)]),
  ];
}

function leadFigure(lead: number): Figure {
  return {
    name: `HTML to Markdown, times faster than peers above ${GOOD_MACRO} macro F1`,
    value: `${lead.toFixed(1)} ×`,
    limit: "≥ 5 ×",
    isMet: lead >= 5,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function firstLine(error: unknown): string {
  return String(error).split("\n", 1)[0] ?? "";
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
