import { appendFileSync, readdirSync, readlinkSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Loaded before a service, in each of its threads: tells which thread of the process is which.
const file = process.env.BENCH_THREADS_FILE;
if (file !== undefined) {
  const thread = readlinkSync("/proc/thread-self").split("/").pop();
  // Whatever runs next to the first thread before the program does is of the engine.
  const others = isMainThread ? readdirSync("/proc/self/task").filter((one) => one !== thread) : [];
  const kind = isMainThread ? "main" : "page";
  appendFileSync(file, `${JSON.stringify({ kind, pid: process.pid, thread, others })}\n`);
}
