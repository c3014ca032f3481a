import { Worker } from "node:worker_threads";

/** Runs in a separate thread, as a file may block the main thread. */
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
 * Kills this process, which leads a group, with all its children once its parent has ended, even in the
 * middle of work.
 * @param folder - this process's own folder, removed with it
 */
export function endWithParent(folder: string): void {
  const options = { eval: true, workerData: folder, resourceLimits: { maxOldGenerationSizeMb: 8 } };
  new Worker(WATCH, options).unref();
}
