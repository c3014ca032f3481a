import { spawn } from "node:child_process";
import { once } from "node:events";

import { findReaderMeans, type ReaderMeans } from "../../src/platform/readers/reader-means.ts";
import { openReaders } from "../../src/platform/readers/readers.ts";
import { runReader } from "../../src/platform/readers/run-reader.ts";
import { processTree } from "../../test/process-tree.ts";
import type { Figure } from "./report.ts";

/** Does nothing, so that only its start costs. */
const PROGRAM = "/bin/true";
const STARTS_PER_ROUND = 20;
/** Ways alternate: the machine may be busier in one minute than in the next. */
const ROUNDS = 5;
/** What taking its rights may add to the start of a reader. */
const MAX_ADDED_CPU_MS = 30;

type Start = () => Promise<void>;

/** What it costs to start a program that reads hostile files, as strictly as this machine can confine it. */
export async function benchReaders(): Promise<readonly Figure[]> {
  const means = await findReaderMeans([]);
  const ways: Readonly<Record<string, Start>> = {
    "without confinement": startPlain,
    ...(means.account && { "by account": confined({ ...means, within: undefined, maker: undefined }) }),
    ...(means.within && { [`in a ${means.within}`]: confined(means) }),
  };
  const spentMs = new Map<string, number>();
  for (const start of Object.values(ways)) await start();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, start] of Object.entries(ways)) {
      spentMs.set(name, (spentMs.get(name) ?? 0) + (await cpuOf(start)));
    }
  }
  const perStart = (name: string) => (spentMs.get(name) ?? 0) / (ROUNDS * STARTS_PER_ROUND);
  const plainMs = perStart("without confinement");
  return Object.keys(ways).map((name) => ({
    name: `start of a reader ${name}`,
    value: `${perStart(name).toFixed(1)} ms CPU`,
    limit: `${(plainMs + MAX_ADDED_CPU_MS).toFixed(1)} ms CPU`,
    isMet: perStart(name) <= plainMs + MAX_ADDED_CPU_MS,
  }));
}

/** Processor time of this process and of those that it started. */
async function cpuOf(start: Start): Promise<number> {
  const tree = processTree(process.pid);
  const beforeMs = tree.cpuMs();
  for (let index = 0; index < STARTS_PER_ROUND; index += 1) await start();
  return tree.cpuMs() - beforeMs;
}

async function startPlain(): Promise<void> {
  await once(spawn(PROGRAM, { stdio: "ignore" }), "exit");
}

function confined(means: ReaderMeans): Start {
  const readers = openReaders({ code: [], hidden: [], findMeans: async () => means });
  return async () => {
    const folder = await readers.makeFolder("bench");
    const program = { path: PROGRAM, args: [], folder, environment: {}, reads: [PROGRAM], hasNetwork: false };
    const run = { ...program, timeLimitMs: 60_000, maxFolderBytes: 1_000_000 };
    const { exitCode, said } = await runReader(run, readers, new AbortController().signal);
    await readers.removeFolder(folder);
    if (exitCode !== 0) throw new Error(`The program could not be started: ${said}`);
  };
}
