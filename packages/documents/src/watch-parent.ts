import { Worker } from "node:worker_threads";

/** Runs in a thread of its own: the main one may be caught in a file and hear nothing. */
const WATCH = `
  const { rmSync } = require("node:fs");
  const { workerData: folder } = require("node:worker_threads");
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    rmSync(folder, { recursive: true, force: true });
    process.kill(-process.pid, "SIGKILL");
  }, 1000);
`;

/**
 * Ends this process, which leads a group, with all that it has started, when its parent has ended, even in the
 * middle of its work.
 * @param folder - made for this process; removed with it
 */
export function endWithParent(folder: string): void {
  const options = { eval: true, workerData: folder, resourceLimits: { maxOldGenerationSizeMb: 8 } };
  new Worker(WATCH, options).unref();
}
