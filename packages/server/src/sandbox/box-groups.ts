import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { descendants } from "@pergamon-dev/kit/process/descendants";
import { MAX_BOX_BYTES, MAX_BOX_TASKS } from "./limits.ts";

/** A kernel group (cgroup v2) that bounds all resources of a box. */
export interface BoxGroup {
  /** Adds the process and all its later descendants. @throws the system's error. */
  add(pid: number): void;
  /** Call it once the box has ended. The next service removes groups that remain. */
  remove(): Promise<void>;
}

export interface BoxGroups {
  /** @throws the system's error. */
  make(): BoxGroup;
}

/** Files of a group → their values. Each name begins with its controller. */
type GroupLimits = Readonly<Record<string, number>>;

const LIMITS: GroupLimits = {
  "memory.max": MAX_BOX_BYTES,
  "memory.swap.max": 0,
  "memory.oom.group": 1,
  "pids.max": MAX_BOX_TASKS,
};
/**
 * The groups of boxes, and the group that the service moves to. Only groups without processes can have child
 * groups with limits.
 */
const BOXES = "pergamon";
const SERVICE = "pergamon-service";
/** The kernel takes a moment to forget processes that have ended. */
const REMOVE_TIMES = 20;
const REMOVE_AGAIN_MS = 50;

interface GroupPlace {
  /** Folder of the service's own group. */
  readonly folder: string;
  readonly limits?: GroupLimits;
}

/** Finds the group of this process. @returns the reason in words when there is none. */
export function findOwnGroup(): GroupPlace | string {
  const mount = textOf("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, , type]) => type === "cgroup2")?.[1];
  const own = /^0::(.*)$/m.exec(textOf("/proc/self/cgroup"))?.[1];
  if (mount === undefined || own === undefined) return "cgroup v2 is not mounted";
  const folder = join(mount, own);
  return { folder: own.endsWith(`/${SERVICE}`) ? dirname(folder) : folder };
}

/** Says why boxes cannot have groups there, or undefined when they can. It changes nothing. */
export function whyNoGroups({ folder, limits = LIMITS }: GroupPlace): string | undefined {
  const offered = textOf(join(folder, "cgroup.controllers")).split(/\s+/);
  const missing = controllersOf(limits).filter((name) => !offered.includes(name));
  if (missing.length > 0) return `cgroup v2 offers no control of ${missing.join(" and ")} at ${folder}`;
  try {
    for (const name of ["", "cgroup.subtree_control", "cgroup.procs"])
      accessSync(join(folder, name), constants.W_OK);
  } catch {
    return `the group ${folder} is not delegated to this user`;
  }
  const own = new Set(descendants(process.pid));
  const hasOthers = processesIn(folder).some((pid) => !own.has(pid));
  return hasOthers ? `processes of other programs are in ${folder}` : undefined;
}

/**
 * Opens groups for boxes below the service's own group. The service moves to a sibling of them.
 * @throws the system's error when the kernel refuses although `whyNoGroups` found no problem.
 */
export function openBoxGroups(place: GroupPlace): BoxGroups {
  const { folder, limits = LIMITS } = place;
  const [service, boxes] = [join(folder, SERVICE), join(folder, BOXES)];
  for (const path of [service, boxes]) mkdirSync(path, { recursive: true });
  removeEmpty(boxes);
  for (const pid of processesIn(folder)) writeFileSync(join(service, "cgroup.procs"), String(pid));
  const wanted = controllersOf(limits).map((name) => `+${name}`);
  for (const path of [folder, boxes]) {
    if (wanted.length > 0) writeFileSync(join(path, "cgroup.subtree_control"), wanted.join(" "));
  }
  return {
    make() {
      const path = join(boxes, randomUUID());
      mkdirSync(path);
      for (const [name, limit] of Object.entries(limits)) writeFileSync(join(path, name), String(limit));
      return {
        add: (pid) => writeFileSync(join(path, "cgroup.procs"), String(pid)),
        remove: () => remove(path),
      };
    },
  };
}

function controllersOf(limits: GroupLimits): readonly string[] {
  return [...new Set(Object.keys(limits).map((name) => name.slice(0, name.indexOf("."))))];
}

function processesIn(folder: string): readonly number[] {
  return textOf(join(folder, "cgroup.procs")).split("\n").filter(Boolean).map(Number);
}

/** Removes groups of killed services. Groups in use cannot be removed. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    try {
      rmdirSync(join(folder, entry.name));
    } catch {
      // Boxes of another service.
    }
  }
}

async function remove(path: string): Promise<void> {
  for (let time = 0; time < REMOVE_TIMES; time += 1) {
    const failure = await rmdir(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure?.code !== "EBUSY") return;
    await pause(REMOVE_AGAIN_MS);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
