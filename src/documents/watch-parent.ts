import { Worker } from "node:worker_threads";

/** Runs in a thread of its own: the main one may be caught in a file and hear nothing. */
const WATCH = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1000);
`;

/** Ends this process when the one that started it has ended, whatever this one is doing. */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}
