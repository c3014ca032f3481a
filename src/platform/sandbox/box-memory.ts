import { readdir, readFile } from "node:fs/promises";

import { type Repetition, repeat } from "../../kit/repeat.ts";
import type { Box } from "./box.ts";

/** A bomb fills a gigabyte in a second. */
const INTERVAL_MS = 250;
/** All processes of a box together: a tenth more than one of them may have as data. */
const MOST_BYTES = 1_650_000_000;

/** Ends a box that takes too much memory. Looks only until it is stopped, which is while code runs. */
export function watchBoxMemory(box: Box, onTooMuch: () => void): Repetition {
  const look = async () => {
    if ((await memoryBytesOf(box.pid)) > MOST_BYTES) onTooMuch();
  };
  return repeat(INTERVAL_MS, look, () => undefined);
}

/** What a process and all that come from it have for themselves. Orphans of a box belong to its first process. */
async function memoryBytesOf(pid: number | undefined): Promise<number> {
  const pids = await descendants(pid);
  const sizes = await Promise.all(pids.map(privateBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The process itself and all that come from it. */
export async function descendants(pid: number | undefined): Promise<readonly number[]> {
  if (pid === undefined) return [];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  const children = lists.join(" ").split(" ").filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(descendants))).flat()];
}

async function privateBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024;
}
