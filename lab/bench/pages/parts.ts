import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startService } from "../processes.ts";
import type { Figure } from "../report.ts";
import { readProfile, wantedFile } from "./profile.ts";
import { scrapeAll } from "./rounds.ts";
import { servicePid, type ThreadTimes, threadTimes } from "./thread-times.ts";

/** Parts by the innermost source file that belongs to one, in this order. */
const PARTS: readonly (readonly [part: string, files: RegExp])[] = [
  ["decode", /html\/src\/parser\/decode|encoding-sniffer/],
  ["parse", /html\/src\/parser\//],
  ["price of a product", /facts\/src\/(?:product|structured)\//],
  ["Markdown", /html\/src\/markdown\//],
  ["judge blocks", /main-content\/model\//],
  ["tables about the page", /main-content\/tables\//],
  ["choose and narrow", /html\/src\/main-content\//],
  ["rest of the engine", /packages\/(?:html|facts)\/|file-kinds\/|fetch\/fallback\//],
  ["fetch", /server\/src\/net\/|wreq-js|fetch\/(?:engines|visit)/],
  ["store", /server\/src\/(?:storage|history)\/|page-cache\/|sqlite/],
  ["hand over to the page thread", /scrape\/page\//],
  ["answer", /server\/src\/|fastify|zod/],
  ["Node and packages", /./],
];

const WARM_UP_ROUNDS = 4;
const PROFILED_ROUNDS = 3;
const WRITE_MS = 10_000;
/** Threads look a few times a second whether they shall be profiled. */
const BEGIN_MS = 500;

/** Where a warm process spends its time, by thread and part of the service, in milliseconds a page. */
export async function partFigures(urls: readonly string[]): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "pergamon-profile-"));
  const threadsFile = join(folder, "threads.jsonl");
  const loaded = ["thread-kinds.mjs", "profile-threads.mjs"].map((file) => join(import.meta.dirname, file));
  const changes = {
    BENCH_THREADS_FILE: threadsFile,
    BENCH_PROFILE_FOLDER: folder,
    NODE_OPTIONS: loaded.map((file) => `--import ${file}`).join(" "),
  };
  const service = await startService(changes, ["bin/run.mjs", "start"]);
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await scrapeAll(urls, service.url);
    writeFileSync(wantedFile(folder), "");
    await sleep(BEGIN_MS);
    const before = threadTimes(threadsFile);
    for (let round = 0; round < PROFILED_ROUNDS; round += 1) await scrapeAll(urls, service.url);
    const after = threadTimes(threadsFile);
    await rm(wantedFile(folder));
    const files = (await writtenFiles(folder, servicePid(threadsFile))).map((file) => join(folder, file));
    const perPage = (kind: keyof ThreadTimes) =>
      (after[kind] - before[kind]) / (PROFILED_ROUNDS * urls.length);
    return (["main", "page"] as const).map((kind) =>
      threadFigure(
        kind,
        files.filter((file) => file.includes(`-${kind}`)),
        perPage(kind),
      ),
    );
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of the threads that had anything to do. */
async function writtenFiles(folder: string, pid: number): Promise<readonly string[]> {
  let files: readonly string[] = [];
  for (let waitedMs = 0; waitedMs < WRITE_MS; waitedMs += 500) {
    await sleep(500);
    files = readdirSync(folder).filter((name) => name.startsWith(`${pid}-`) && isWhole(join(folder, name)));
    if (files.some((name) => name.includes("main")) && files.some((name) => name.includes("page"))) break;
  }
  return files;
}

function isWhole(file: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8").endsWith("}");
}

/** A profile counts the time on the clock, in which a thread may have waited for a processor: only its shares are used. */
function threadFigure(kind: string, files: readonly string[], cpuMs: number): Figure {
  const sums = new Map<string, number>();
  for (const file of files)
    readProfile(file, (stack, milliseconds) => {
      const part = partOf(stack);
      sums.set(part, (sums.get(part) ?? 0) + milliseconds);
    });
  const total = [...sums.values()].reduce((sum, ms) => sum + ms, 0);
  const told = [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([part, ms]) => `${part} ${((cpuMs * ms) / total).toFixed(2)}`);
  return {
    name: `CPU per page by part, ${kind} thread, profiled`,
    value: `${cpuMs.toFixed(2)} ms = ${told.join(", ")}`,
    limit: "printed beside",
    isMet: true,
  };
}

function partOf(files: readonly string[]): string {
  const [only = ""] = files;
  if (only.startsWith("(")) return only === "(program)" ? "V8 and system" : "garbage collection";
  for (const file of files) {
    const found = PARTS.find(([, pattern]) => pattern.test(file));
    if (found && found[0] !== "Node and packages") return found[0];
  }
  return "Node and packages";
}
