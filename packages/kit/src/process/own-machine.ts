import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";

/** What this process may use. */
interface Machine {
  readonly processors: number;
  readonly memoryBytes: number;
}

interface Sources {
  readonly host: Machine;
  /** Folder where groups are mounted. */
  readonly groups: string;
  /** The groups of this process, as `/proc/self/cgroup` lists them. */
  readonly membership: string;
}

/**
 * Returns the processors and the memory of the host, or fewer where a control group (v1 or v2) of this process, such
 * as that of a container, has a limit. Node 20 itself knows only the host's processors.
 */
export function readOwnMachine({
  host = { processors: availableParallelism(), memoryBytes: totalmem() },
  groups = "/sys/fs/cgroup",
  membership = textOf("/proc/self/cgroup"),
}: Partial<Sources> = {}): Machine {
  const folders = foldersOf(groups, membership);
  const quotas = folders.flatMap((folder) => [
    ratioOf(textOf(join(folder, "cpu.max"))),
    ratioOf(`${textOf(join(folder, "cpu.cfs_quota_us"))} ${textOf(join(folder, "cpu.cfs_period_us"))}`),
  ]);
  const limits = folders.flatMap((folder) => [
    positive(textOf(join(folder, "memory.max"))),
    positive(textOf(join(folder, "memory.limit_in_bytes"))),
  ]);
  return {
    processors: Math.max(1, Math.floor(Math.min(host.processors, ...quotas))),
    memoryBytes: Math.min(host.memoryBytes, ...limits),
  };
}

/**
 * Lists the folders of the groups and of those above them, whose limits hold too. A container may see the paths of
 * its host, and only the topmost folder then exists.
 */
function foldersOf(groups: string, membership: string): readonly string[] {
  return membership.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    const paths = [path];
    for (let above = path; above !== "/"; paths.push(above)) above = dirname(above);
    return controllers.split(",").flatMap((name) => paths.map((own) => join(groups, name, own)));
  });
}

/** Reads a quota and its period. Infinity when there is no quota. */
function ratioOf(text: string): number {
  const [quota = "", period = ""] = text.trim().split(/\s+/);
  return positive(quota) / positive(period) || Infinity;
}

/** Infinity for `max`, -1 and everything else that is no limit. */
function positive(text: string): number {
  const number = Number(text);
  return number > 0 ? number : Infinity;
}

/** Empty when the file does not exist, as on other systems than Linux. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
