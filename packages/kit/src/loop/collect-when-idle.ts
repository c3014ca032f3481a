import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_EVERY_MS = 5000;
/** Share of the time. Timers of a service without work need less. */
const IDLE = 0.01;
/** The last resort gives more back to the system, and collects at least twice: 50 ms of a heap of 40 MB. */
const SMALL_BYTES = 96 * 1024 * 1024;

/**
 * V8 collects when it needs room, so an idle thread would keep what its last work has left: 13 MB after a start, 30 MB after
 * pages of 10 MB. From now on it is collected once this thread has had nothing to do for a while.
 */
export function collectWhenIdle(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: object) => void;
  setFlagsFromString("--no-expose-gc");
  let since = performance.eventLoopUtilization();
  let hasLeft = true;
  const look = () => {
    const isIdle = performance.eventLoopUtilization(since).utilization < IDLE;
    if (isIdle && hasLeft) {
      // V8 keeps the text of the last match, which may be a whole page, until there is another.
      /$/.exec("");
      const isSmall = process.memoryUsage().heapUsed < SMALL_BYTES;
      collect({ type: "major", flavor: isSmall ? "last-resort" : "regular" });
    }
    hasLeft = !isIdle;
    since = performance.eventLoopUtilization();
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
