import timers from "node:timers";

/** Frames of what is not code of a caller. */
const OURS = /\/opt\/box\/|node:/;

/**
 * Timers that code sets in this process end with its call; those of what it uses, such as Playwright, do not. Code that gets
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

  /** Ends all that code has set. */
  clear(): void {
    for (const timer of this.#set) clearTimeout(timer);
    for (const immediate of this.#immediates) clearImmediate(immediate);
    this.#set.clear();
    this.#immediates.clear();
  }
}

/** Whether the function that called the one that asks is code of a caller. */
function isOfCode(): boolean {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = before;
  return !OURS.test(stack.split("\n")[3] ?? "");
}
