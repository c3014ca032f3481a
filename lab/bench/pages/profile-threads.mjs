import { existsSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";

// Loaded before a service, in each of its threads: profiles the thread while the file "now" is in the folder.
const folder = process.env.BENCH_PROFILE_FOLDER;
const EVERY_MICROSECONDS = 500;
const LOOK_EVERY_MS = 100;

if (folder !== undefined) {
  const session = new Session();
  let isRunning = false;
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: EVERY_MICROSECONDS });
  const look = () => {
    const isWanted = existsSync(join(folder, "now"));
    if (isWanted === isRunning) return;
    isRunning = isWanted;
    if (isWanted) session.post("Profiler.start");
    else session.post("Profiler.stop", (_failure, result) => write(result.profile));
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

function write(profile) {
  const name = isMainThread ? "main" : `page-${threadId}`;
  writeFileSync(join(folder, `${process.pid}-${name}.json`), JSON.stringify(profile));
}
