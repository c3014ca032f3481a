import { closeSync, read } from "node:fs";
import { promisify } from "node:util";

import { endLike, READY, runChild } from "./child.mjs";

/**
 * For the allocator of the C library. Without them it keeps an arena for each of some twenty threads, and gives what is
 * freed back late: 50 to 60 MB. What connections and files bring comes in buffers of 64 KiB, which it would keep, too.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "65536",
};

/**
 * What the main thread makes and soon forgets gets 3 × 4 MB instead of 3 × 16: there it is little. It has them from the
 * beginning: growing to that size takes a tenth of the time of a start.
 */
const YOUNG_GENERATION = "--max-semi-space-size";
/** What a start makes stays. Without room for it V8 looks through all of it, another tenth. */
const OLD_GENERATION = "--initial-old-space-size=40";
export const HEAP_OPTIONS = [`${YOUNG_GENERATION}=4`, "--min-semi-space-size=4", OLD_GENERATION];

/** Tells a program that it was started again, as a child or in the same process. */
const MARK = "PERGAMON_STARTED_AGAIN";
const mark = process.env[MARK];
// What this process starts itself is not told.
delete process.env[MARK];

const isStartedAgain = mark !== undefined;

/** Whether the parent of this process is the one that started the program again, and has nothing else to do. */
export const isStartedAgainAsChild = mark === "as a child";

/**
 * Both are read when a process begins. So the program starts itself again with them: in the same process where Node can
 * do that, else in a child that gets all signals, and whose end is its own. Settings that are there already stay.
 *
 * @param {readonly string[]} args the program and its arguments
 * @param {() => Promise<void>} prepare makes the program ready, once: a child begins beside that, and waits for its end
 * @returns {Promise<boolean>} false: go on in this process
 */
export async function startAgain(args, prepare) {
  if (isStartedAgain) return isStartedAgainAsChild && !(await isMadeReady());
  const { NODE_OPTIONS = "" } = process.env;
  const isYoungSet = [NODE_OPTIONS, ...process.execArgv].some((option) => option.includes(YOUNG_GENERATION));
  const missing = Object.entries(ALLOCATOR).filter(([name]) => process.env[name] === undefined);
  const isNeeded = process.platform === "linux" && !(isYoungSet && missing.length === 0);
  if (!isNeeded || process.execve) await prepare();
  if (!isNeeded) return false;
  const options = isYoungSet ? [] : HEAP_OPTIONS;
  const command = [process.execPath, ...process.execArgv, ...options, ...args];
  const env = { ...process.env, ...Object.fromEntries(missing) };
  if (process.execve) process.execve(process.execPath, command, { ...env, [MARK]: "in the same process" });
  // NOTE: a terminal sends its signals to the whole group. In one of its own the child gets each of them once, from here.
  const childEnv = { ...env, [MARK]: "as a child" };
  const ended = runChild(command, { cwd: process.cwd(), env: childEnv, detached: true, prepare });
  endLike(await ended);
  return true;
}

/** False when the parent has ended, or could not make the program ready. */
async function isMadeReady() {
  const { bytesRead } = await promisify(read)(READY, Buffer.alloc(1), 0, 1, null);
  closeSync(READY);
  return bytesRead > 0;
}
