import { readFileSync } from "node:fs";
import { createContext, Script } from "node:vm";

/** The work took longer than it may. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * Runs work that does not wait, and ends it when it takes too long, in the middle of a loop or of a regular expression
 * as well. It may be begun more than once.
 * @throws OutOfTime; whatever the work throws.
 */
export type RunWithin = <Result>(limitMs: number, work: () => Result) => Result;

/** How often work is begun again that others took the processor from. */
const MAX_TRIES = 4;

/**
 * A run costs a tenth of a millisecond: for work whose length somebody else decides. Only time of the processor counts:
 * on a busy machine the work is begun again, with twice the patience.
 */
export function openRunWithin(): RunWithin {
  const script = new Script("work()");
  const names: { work?: () => unknown } = {};
  const context = createContext(names);
  /** @throws whatever the work throws; the error of the runtime when it takes too long. */
  const attempt = (wallMs: number, work: () => unknown): unknown => {
    names.work = work;
    try {
      return script.runInContext(context, { timeout: wallMs }) as unknown;
    } finally {
      delete names.work;
    }
  };
  return <Result>(limitMs: number, work: () => Result): Result => {
    for (let tries = 1; ; tries += 1) {
      const beforeMs = usedMs();
      try {
        return attempt(limitMs * 2 ** (tries - 1), work) as Result;
      } catch (failure) {
        const { code } = Object(failure) as { readonly code?: unknown };
        if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw failure;
        const wasWorking = usedMs() - beforeMs >= limitMs * MOSTLY;
        if (wasWorking || tries === MAX_TRIES)
          throw new OutOfTime(`The call took more than ${limitMs} ms.`, { cause: failure });
      }
    }
  };
}

/** Work that had nearly all of its time will not end a moment later. */
const MOSTLY = 0.9;

/** What the processor has done so far for this thread; for all threads where the system does not tell. */
function usedMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
