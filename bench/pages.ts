import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { buildOfCommit } from "./commit-build.ts";
import { startFixture } from "./fixture.ts";
import { processTree } from "./process-tree.ts";
import { startService, type ServerProcess } from "./processes.ts";
import type { Figure } from "./report.ts";
import { madeSample, type SamplePages, spreadSample } from "./sample.ts";
import { threadKinds, type ThreadTimes, threadTimes } from "./thread-times.ts";

const PAGES = 200;
const AT_ONCE = 4;
/** The services take turns of so many pages, so that what else runs on the machine meets them alike. */
const TURN = 25;
/** Rounds in which a new process still compiles its code, and all rounds. */
const FIRST_ROUNDS = 3;
const ALL_ROUNDS = 15;
const WARM_FROM = 10;

const MAX_MEGABYTES = 180;
const MAX_FIRST = 0.65;
const MAX_WARM = 0.75;

/** A service under measurement. */
interface Contender {
  readonly name: string;
  readonly service: ServerProcess;
  readonly threadsFile: string;
}

interface PagesOptions {
  /** Another commit. */
  readonly against?: string | undefined;
  /** Fewer rounds tell less about pages of a warm process. */
  readonly rounds?: number | undefined;
}

/** One round of all pages. */
interface Round {
  /** Per page. */
  readonly times: ThreadTimes;
  readonly megabytes: number;
  /** Of all Markdown, in the order of the pages. */
  readonly digest: string;
}

/**
 * What pages cost in a new process and in one that has compiled its code, by kind of thread; beside it the build of
 * another commit.
 * @throws when that cannot be built.
 */
export async function benchPages({
  against,
  rounds: most = ALL_ROUNDS,
}: PagesOptions): Promise<readonly Figure[]> {
  const pages = spreadSample(PAGES) ?? madeSample();
  const folder = await mkdtemp(join(tmpdir(), "pergamon-threads-"));
  const fixture = await startFixture(pages);
  const contenders: Contender[] = [];
  try {
    contenders.push(await startContender("this build", join(import.meta.dirname, ".."), folder));
    if (against !== undefined) contenders.push(await startContender(against, buildOfCommit(against), folder));
    const rounds: (readonly Round[])[] = [];
    for (let round = 0; round < most; round += 1) rounds.push(await runRound(pages, fixture.url, contenders));
    return figuresOf(contenders, rounds);
  } finally {
    await Promise.all([...contenders.map(({ service }) => service.stop()), fixture.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function startContender(name: string, root: string, folder: string): Promise<Contender> {
  const threadsFile = join(folder, `${name.replaceAll(/\W/g, "-")}.jsonl`);
  const changes = {
    BENCH_THREADS_FILE: threadsFile,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "thread-kinds.mjs")}`,
  };
  return { name, threadsFile, service: await startService(changes, [join(root, "bin/run.mjs"), "start"]) };
}

async function runRound(
  pages: SamplePages,
  origin: string,
  contenders: readonly Contender[],
): Promise<readonly Round[]> {
  const paths = Object.keys(pages);
  const sums = contenders.map(() => ({
    times: { main: 0, page: 0, V8: 0, others: 0 },
    texts: [] as string[],
  }));
  for (let from = 0; from < paths.length; from += TURN) {
    const turn = paths.slice(from, from + TURN).map((path) => origin + path);
    for (const [index, { service, threadsFile }] of contenders.entries()) {
      const sum = sums[index];
      if (!sum) continue;
      const before = threadTimes(threadsFile);
      sum.texts.push(...(await scrapeAll(turn, service)));
      const after = threadTimes(threadsFile);
      for (const kind of threadKinds) sum.times[kind] += (after[kind] - before[kind]) / paths.length;
    }
  }
  return sums.map(({ times, texts }, index) => ({
    times,
    megabytes: processTree(contenders[index]?.service.pid ?? 0).proportionalMegabytes(),
    digest: createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 12),
  }));
}

/** @returns the Markdown of each. */
async function scrapeAll(urls: readonly string[], service: ServerProcess): Promise<readonly string[]> {
  const texts: string[] = [];
  let next = 0;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let index = next++; index < urls.length; index = next++)
      texts[index] = await scrapeOne(urls[index] ?? "", service);
  });
  await Promise.all(callers);
  return texts;
}

async function scrapeOne(url: string, service: ServerProcess): Promise<string> {
  const body = JSON.stringify({ url, formats: ["markdown"], maxAge: 0, fastMode: true, timeout: 60_000 });
  const headers = { "content-type": "application/json", authorization: "Bearer fc-bench" };
  const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text.slice(0, 200)}`);
  const { markdown } = (JSON.parse(text) as { data: { markdown: string } }).data;
  return markdown.replaceAll(new URL(url).origin, "");
}

function figuresOf(
  contenders: readonly Contender[],
  rounds: readonly (readonly Round[])[],
): readonly Figure[] {
  const warmFrom = Math.min(WARM_FROM, rounds.length - 1);
  const parts = [
    { part: `first ${FIRST_ROUNDS * PAGES} pages`, from: 0, to: FIRST_ROUNDS, most: MAX_FIRST },
    { part: `pages from ${warmFrom * PAGES}`, from: warmFrom, to: rounds.length, most: MAX_WARM },
  ];
  const figures = parts.map(({ part, from, to, most }) => {
    const costs = contenders.map((_, index) =>
      meanTimes(rounds.slice(from, to).map((round) => round[index])),
    );
    const [ours = 0, theirs] = costs.map(totalOf);
    const told = contenders.map(({ name }, index) => `${name}: ${describeTimes(costs[index])}`).join("; ");
    const ratio = theirs === undefined ? undefined : ours / theirs;
    return {
      name: `CPU per page, ${part}`,
      value: `${ours.toFixed(2)} ms${ratio === undefined ? "" : `, ${ratio.toFixed(2)} ×`} (${told})`,
      limit: theirs === undefined ? "not compared" : `≤ ${most} ×`,
      isMet: ratio === undefined || ratio <= most,
    };
  });
  return [...figures, memoryFigure(contenders, rounds), sameTextFigure(contenders, rounds)];
}

function meanTimes(rounds: readonly (Round | undefined)[]): ThreadTimes {
  const mean = { main: 0, page: 0, V8: 0, others: 0 };
  for (const round of rounds)
    for (const kind of threadKinds) mean[kind] += (round?.times[kind] ?? 0) / rounds.length;
  return mean;
}

function totalOf(times: ThreadTimes): number {
  return threadKinds.reduce((sum, kind) => sum + times[kind], 0);
}

function describeTimes(times: ThreadTimes | undefined): string {
  if (!times) return "";
  const kinds = threadKinds.map((kind) => `${kind} ${times[kind].toFixed(2)}`).join(", ");
  return `${totalOf(times).toFixed(2)} = ${kinds}`;
}

function memoryFigure(contenders: readonly Contender[], rounds: readonly (readonly Round[])[]): Figure {
  const course = (index: number) =>
    rounds.map((round) => (round[index]?.megabytes ?? 0).toFixed(0)).join(" ");
  const most = Math.max(...rounds.slice(FIRST_ROUNDS - 1).map((round) => round[0]?.megabytes ?? 0));
  return {
    name: `memory (PSS) after ${FIRST_ROUNDS * PAGES} pages and later, at most`,
    value: `${most.toFixed(0)} MB (${contenders.map(({ name }, index) => `${name}: ${course(index)}`).join("; ")})`,
    limit: `≤ ${MAX_MEGABYTES} MB`,
    isMet: most <= MAX_MEGABYTES,
  };
}

/** A process that gave other Markdown later than at first would be broken, however fast. */
function sameTextFigure(contenders: readonly Contender[], rounds: readonly (readonly Round[])[]): Figure {
  const digests = contenders.map((_, index) => [
    ...new Set(rounds.map((round) => round[index]?.digest ?? "")),
  ]);
  return {
    name: "Markdown of all pages",
    value: contenders.map(({ name }, index) => `${name}: ${(digests[index] ?? []).join(", ")}`).join("; "),
    limit: "the same in each round",
    isMet: digests.every((ofOne) => ofOne.length === 1),
  };
}
