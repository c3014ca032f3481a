import timers from "node:timers";

/** Matches stack frames of the runner and of Node, which are not the caller's code. */
const OURS = /\/opt\/box\/|node:/;

/**
 * Ends the timers of a call with the call. Timers of libraries, such as Playwright, continue. Code that gets
 * around this is noticed from outside.
 */
export class CodeTimers {
  readonly #set = new Set<NodeJS.Timeout>();
  readonly #immediates = new Set<NodeJS.Immediate>();

  constructor() {
    const own = { ...timers };
    const replace = (name: "setTimeout" | "setInterval" | "setImmediate", start: unknown) => {
      const replacement = Object.assign(start as object, own[name]);
      Object.assign(globalThis, { [name]: replacement });
      Object.assign(timers, { [name]: replacement });
    };
    for (const name of ["setTimeout", "setInterval"] as const) {
      replace(name, (...order: Parameters<typeof setTimeout>) => {
        const timer = own[name](...order);
        if (isOfCode()) this.#set.add(timer);
        return timer;
      });
    }
    replace("setImmediate", (...order: Parameters<typeof setImmediate>) => {
      const immediate = own.setImmediate(...order);
      if (isOfCode()) this.#immediates.add(immediate);
      return immediate;
    });
  }

  /** Cancels all timers that code has set. */
  clear(): void {
    for (const timer of this.#set) clearTimeout(timer);
    for (const immediate of this.#immediates) clearImmediate(immediate);
    this.#set.clear();
    this.#immediates.clear();
  }
}

/** Whether code of a caller called the function that asks. */
function isOfCode(): boolean {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = before;
  return !OURS.test(stack.split("\n")[3] ?? "");
}
