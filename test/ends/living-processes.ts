import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A process as `/proc` tells it. */
export interface LivingProcess {
  readonly pid: number;
  readonly parent: number;
  /** Name of its program, at most 15 characters. */
  readonly name: string;
  /** Tells it from a later process of the same number. */
  readonly startedAt: string;
}

/** All that a process has started, and what came from that; those whose parent has ended are not found any more. */
export function descendantsOf(root: number): readonly LivingProcess[] {
  const all = readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  );
  const found = all.filter(({ parent }) => parent === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Undefined for one that has ended. */
function statOf(pid: number): LivingProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [nameFrom, nameTo] = [stat.indexOf("(") + 1, stat.lastIndexOf(")")];
    const fields = stat.slice(nameTo + 2).split(" ");
    if (fields[0] === "Z") return undefined;
    return {
      pid,
      parent: Number(fields[1]),
      name: stat.slice(nameFrom, nameTo),
      startedAt: fields[19] ?? "",
    };
  } catch {
    return undefined;
  }
}

/** Without effect on one that has ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** @returns those that still live after so long. */
export async function stillLiving(
  processes: readonly LivingProcess[],
  afterMs: number,
): Promise<readonly LivingProcess[]> {
  const endMs = performance.now() + afterMs;
  for (;;) {
    const left = processes.filter(({ pid, startedAt }) => statOf(pid)?.startedAt === startedAt);
    if (left.length === 0 || performance.now() > endMs) return left;
    await pause(100);
  }
}
