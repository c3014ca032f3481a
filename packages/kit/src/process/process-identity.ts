import { readFile, readlink } from "node:fs/promises";

/**
 * Field 22 of `/proc/<pid>/stat` (proc(5)), counted from the field after the program's name, which may
 * contain any text.
 */
const START_TIME = 19;
const STATE = 0;

/**
 * Identifies this process among all that ran here since the machine started. Process numbers are reused, and
 * containers have their own. Undefined on all systems but Linux.
 */
export async function processIdentity(): Promise<string | undefined> {
  const [world, status] = await Promise.all([worldOfNumbers(), statusOf(process.pid)]);
  return world && status ? [world, process.pid, status[START_TIME]].join("/") : undefined;
}

/**
 * True when the identified process has certainly ended. False for processes of other machines and containers.
 */
export async function hasEnded(identity: string): Promise<boolean> {
  return (await isRunning(identity)) === false;
}

/** True when another process with this identity lives here. */
export async function livesBeside(identity: string): Promise<boolean> {
  return pidOf(identity) !== process.pid && (await isRunning(identity)) === true;
}

/** Undefined for processes of other machines and containers. */
async function isRunning(identity: string): Promise<boolean | undefined> {
  const [boot, space, , startedAt] = identity.split("/");
  if (`${boot}/${space}` !== (await worldOfNumbers())) return undefined;
  const status = await statusOf(pidOf(identity));
  return status?.[START_TIME] === startedAt && status?.[STATE] !== "Z";
}

function pidOf(identity: string): number {
  return Number(identity.split("/")[2]);
}

/** Identifies the namespace in which process numbers are unique. */
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
