import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const CHECK_MS = 100;

/** No install takes as long: a lock that is older was left by a process whose number another one has now. */
const OLDEST_MS = 10 * 60 * 1000;

/**
 * Works while no other process does: two installs in one folder would delete each other's files. A lock whose process
 * is gone does not count.
 *
 * @template T
 * @param {string} path file that is there while somebody works, and holds the number of that process
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  while (!take(path)) await sleep(CHECK_MS);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    // Where no file can be made npm says better what is wrong.
    if (error.code !== "EEXIST") return true;
    if (!isHeld(path)) rmSync(path, { force: true });
    return false;
  }
}

function isHeld(path) {
  try {
    const isOld = Date.now() - statSync(path).mtimeMs > OLDEST_MS;
    return !isOld && isRunning(Number(readFileSync(path, "utf8")));
  } catch {
    return false;
  }
}

function isRunning(pid) {
  // Just made, and not written yet.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
