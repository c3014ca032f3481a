import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second of /proc/<pid>/stat; fixed at 100 on Linux. */
const TICKS_PER_SECOND = 100;

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  /** Its own, and that of children that have ended. */
  readonly cpuMs: number;
}

/** A process and everything that it started. */
export interface ProcessTree {
  /** Processor time so far, of processes that have ended, too. */
  cpuMs(): number;
  /** Memory that would be free without it. Pages of programs and libraries do not count: others may run the same. */
  ownMegabytes(): number;
}

export function processTree(root: number): ProcessTree {
  return {
    cpuMs: () => linesOf(root).reduce((sum, line) => sum + line.cpuMs, 0),
    ownMegabytes: () => linesOf(root).reduce((sum, { pid }) => sum + ownKilobytes(pid), 0) / 1024,
  };
}

function linesOf(root: number): readonly ProcessLine[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readLine(Number(name)) ?? []);
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

function readLine(pid: number): ProcessLine | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in brackets and may hold spaces. After it: state, parent; times are fields 14 to 17.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), cpuMs: (ticks * 1000) / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

function ownKilobytes(pid: number): number {
  try {
    return Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
