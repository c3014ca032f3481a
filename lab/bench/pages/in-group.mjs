import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Puts this process, and all that it starts, into a control group and on one processor.
if (isMainThread) {
  writeFileSync(`${process.env["BENCH_GROUP"]}/cgroup.procs`, String(process.pid));
  execFileSync("taskset", ["-acp", "0", String(process.pid)]);
}
