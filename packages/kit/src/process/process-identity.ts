import { readFile, readlink } from "node:fs/promises";

/** Field 22 of `/proc/<pid>/stat` (proc(5)), counted from the one after the program's name, which may hold anything. */
const START_TIME = 19;
const STATE = 0;

/**
 * Names this process among all that ran here since the machine was started: its number is given to others later, and
 * containers have numbers of their own. Undefined where the system does not tell, which is all but Linux.
 */
export async function processIdentity(): Promise<string | undefined> {
  const [world, status] = await Promise.all([worldOfNumbers(), statusOf(process.pid)]);
  return world && status ? [world, process.pid, status[START_TIME]].join("/") : undefined;
}

/** Whether the process of that name has ended for certain. False for those of other machines and containers. */
export async function hasEnded(identity: string): Promise<boolean> {
  return (await isRunning(identity)) === false;
}

/** Whether it is the name of another process that lives here. */
export async function livesBeside(identity: string): Promise<boolean> {
  return pidOf(identity) !== process.pid && (await isRunning(identity)) === true;
}

/** Undefined where nothing is known: of processes of other machines and containers. */
async function isRunning(identity: string): Promise<boolean | undefined> {
  const [boot, space, , startedAt] = identity.split("/");
  if (`${boot}/${space}` !== (await worldOfNumbers())) return undefined;
  const status = await statusOf(pidOf(identity));
  return status?.[START_TIME] === startedAt && status?.[STATE] !== "Z";
}

function pidOf(identity: string): number {
  return Number(identity.split("/")[2]);
}

/** Where a process number means the same process. */
async function worldOfNumbers(): Promise<string | undefined> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}/${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

async function statusOf(pid: number): Promise<readonly string[] | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return status?.slice(status.lastIndexOf(")") + 2).split(" ");
}
