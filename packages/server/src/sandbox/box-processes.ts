import { readdirSync, readFileSync, statfsSync } from "node:fs";

/** What a socket without a reader may hold (`net.core.wmem_default`): no process has it as its memory. */
const BYTES_PER_FILE = 212_992;
/** Of `/proc/{pid}/stat`: what comes after the name, which may hold anything. */
const STATE = 0;
const TIMES = [11, 12] as const;
/** The kernel tells times in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;

/** How many processes a box has, asked of one that is in it; undefined if it does not answer. */
export function countProcesses(pid: number): number | undefined {
  const names = namesIn(`/proc/${pid}/root/proc`).filter((name) => /^\d+$/.test(name));
  return names.length === 0 ? undefined : names.length;
}

/** What a process has, of its own and shared, and what its open files may hold. */
export function memoryBytesOf(pid: number): number {
  const status = textOf(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const files = namesIn(`/proc/${pid}/fd`).length;
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024 + files * BYTES_PER_FILE;
}

/** Processor time of a process alone: what its children took is added up once they have ended, which may be later. */
export function cpuMsOf(pid: number): number {
  const facts = factsOf(pid);
  return TIMES.reduce((sum, at) => sum + Number(facts[at] ?? 0), 0) * MS_PER_TICK;
}

/** Whether nothing of it is left but what its parent has not asked for. */
export function isDefunct(pid: number): boolean {
  return ["Z", "X", undefined].includes(factsOf(pid)[STATE]);
}

function factsOf(pid: number): readonly (string | undefined)[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** How many names there are in a file system in memory, as the process sees it; undefined if it does not answer. */
export function countNames(pid: number, path: string): number | undefined {
  try {
    const { files, ffree } = statfsSync(`/proc/${pid}/root${path}`);
    return files - ffree;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}
