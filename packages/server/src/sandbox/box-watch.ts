import { setTimeout as pause } from "node:timers/promises";
import { readdirSync, readFileSync, statfsSync } from "node:fs";

import { descendants } from "@pergamon-dev/kit/process/descendants";
import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import type { Box } from "./box.ts";
import { MAX_BOX_BYTES, MAX_NAMES } from "./limits.ts";
import { BOX_HOME } from "./sandbox.ts";

/** Intervals of checks while code runs, which fills a gigabyte in a second, and while none should run. */
const BUSY_INTERVAL_MS = 250;
const REST_INTERVAL_MS = 1000;
/** The remains of a call must end within this time, or the box is ended. */
const END_LIMIT_MS = 2000;
const AGAIN_MS = 20;
/**
 * Between calls, a box only receives events of its pages. This is its CPU time at once, and as a share of the
 * time.
 */
const REST_CPU_MS = 300;
const REST_CPU_SHARE = 0.1;

/**
 * Watches a box as long as it lives. The box ends when it takes too much, or keeps working between calls.
 * Processes that a call has started end with the call.
 */
export class BoxWatch {
  readonly #box: Box;
  readonly #end: (reason: string) => void;
  /** Processes that existed before any code of a caller. */
  readonly #own: ReadonlySet<number>;
  /** The process of `#own` that runs the code. */
  readonly #runner: number;
  /** Number of own processes inside the box. */
  readonly #ownCount: number | undefined;
  #looks: Repetition | undefined;
  #rest: { readonly sinceMs: number; readonly cpuMs: number } | undefined;

  /**
   * Records the present processes. No code of a caller may have run yet.
   * @param end ends the box, with the reason.
   */
  constructor(box: Box, end: (reason: string) => void) {
    this.#box = box;
    this.#end = end;
    const own = descendants(box.pid);
    this.#own = new Set(own);
    this.#runner = own.at(-1) ?? 0;
    this.#ownCount = countProcesses(this.#runner);
  }

  async beginCall(): Promise<void> {
    await this.#looks?.stop();
    this.#rest = undefined;
    this.#looks = repeat(
      BUSY_INTERVAL_MS,
      () => this.#look(),
      () => undefined,
    );
  }

  /** Ends the processes that the call has left running. */
  async endCall(): Promise<void> {
    await this.#looks?.stop();
    await this.#endStrays();
    this.#rest = { sinceMs: performance.now(), cpuMs: cpuMsOf(this.#runner) };
    this.#looks = repeat(
      REST_INTERVAL_MS,
      () => this.#look(),
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    await this.#looks?.stop();
  }

  async #look(): Promise<void> {
    if (this.#rest) await this.#endStrays();
    if (this.#memoryBytes > MAX_BOX_BYTES) this.#end("it took too much memory");
    const names = countNames(this.#runner, BOX_HOME) ?? 0;
    if (names > MAX_NAMES) this.#end("it made too many files");
    if (!this.#rest) return;
    const maxMs = REST_CPU_MS + (performance.now() - this.#rest.sinceMs) * REST_CPU_SHARE;
    if (cpuMsOf(this.#runner) - this.#rest.cpuMs > maxMs)
      this.#end("it went on working after a call had ended");
  }

  /** NOTE: a process that keeps forking may be faster than the killing. Then the whole box ends. */
  async #endStrays(): Promise<void> {
    if (this.#isAlone) return;
    const untilMs = performance.now() + END_LIMIT_MS;
    for (;;) {
      const strays = descendants(this.#box.pid).filter((pid) => !this.#own.has(pid) && !isDefunct(pid));
      if (strays.length === 0) return;
      if (performance.now() > untilMs) return this.#end("what it had started could not be ended");
      for (const pid of strays) kill(pid);
      await pause(AGAIN_MS);
    }
  }

  /** True when only the original processes exist, which is cheap to check. */
  get #isAlone(): boolean {
    return this.#ownCount !== undefined && countProcesses(this.#runner) === this.#ownCount;
  }

  get #memoryBytes(): number {
    const pids = this.#isAlone ? [this.#runner] : descendants(this.#box.pid);
    return pids.reduce((sum, pid) => sum + memoryBytesOf(pid), 0);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

/**
 * Bytes that a socket without a reader may hold (`net.core.wmem_default`). They count as no process's memory.
 */
const BYTES_PER_FILE = 212_992;
/** Index in `/proc/{pid}/stat` after the name, which may contain any text. */
const STATE = 0;
const TIMES = [11, 12] as const;
/** The kernel counts times in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;

/** Counts the processes of a box from within one of them; undefined if it does not answer. */
function countProcesses(pid: number): number | undefined {
  const names = namesIn(`/proc/${pid}/root/proc`).filter((name) => /^\d+$/.test(name));
  return names.length === 0 ? undefined : names.length;
}

/** Returns a process's private and shared memory, and the bytes that its open files may hold. */
function memoryBytesOf(pid: number): number {
  const status = textOf(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const files = namesIn(`/proc/${pid}/fd`).length;
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024 + files * BYTES_PER_FILE;
}

/** Returns the CPU time of a process alone. The time of its children is added only once they have ended. */
function cpuMsOf(pid: number): number {
  const facts = factsOf(pid);
  return TIMES.reduce((sum, at) => sum + Number(facts[at] ?? 0), 0) * MS_PER_TICK;
}

/** True for a zombie that its parent has not collected. */
function isDefunct(pid: number): boolean {
  return ["Z", "X", undefined].includes(factsOf(pid)[STATE]);
}

function factsOf(pid: number): readonly (string | undefined)[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Counts the names of an in-memory file system, as the process sees it; undefined if it does not answer. */
function countNames(pid: number, path: string): number | undefined {
  try {
    const { files, ffree } = statfsSync(`/proc/${pid}/root${path}`);
    return files - ffree;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}
