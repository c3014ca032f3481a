import { setTimeout as pause } from "node:timers/promises";
import { readdirSync, readFileSync, statfsSync } from "node:fs";

import { descendants } from "@pergamon-dev/kit/process/descendants";
import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import type { Box } from "./box.ts";
import { MAX_BOX_BYTES, MAX_NAMES } from "./limits.ts";
import { BOX_HOME } from "./sandbox.ts";

/** While code runs, which fills a gigabyte in a second, and while none should. */
const BUSY_INTERVAL_MS = 250;
const REST_INTERVAL_MS = 1000;
/** What is left of a call is ended within this time, or the box is. */
const END_LIMIT_MS = 2000;
const AGAIN_MS = 20;
/** Between calls a box hears of what its pages do, and no more: this much at once, and this share of the time. */
const REST_CPU_MS = 300;
const REST_CPU_SHARE = 0.1;

/**
 * Watches a box as long as it lives. It ends when it takes too much, and between calls also when it continues working; other
 * processes than those that it began with end with the call.
 */
export class BoxWatch {
  readonly #box: Box;
  readonly #end: (reason: string) => void;
  /** Everything that was there before code of a caller. */
  readonly #own: ReadonlySet<number>;
  /** The one of them that runs the code. */
  readonly #runner: number;
  /** How many of them are inside. */
  readonly #ownCount: number | undefined;
  #looks: Repetition | undefined;
  #rest: { readonly sinceMs: number; readonly cpuMs: number } | undefined;

  /**
   * Begins with what is there: no code of a caller may have run yet.
   * @param end ends the box, for the reason
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

  /** Ends what the call has left running. */
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

  /** NOTE: what makes new processes all the time may be faster than who ends them; then everything ends. */
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

  /** Whether there is nothing but what was there at the beginning, which costs little to find out. */
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
    // It has ended already.
  }
}

/** What a socket without a reader may hold (`net.core.wmem_default`): no process has it as its memory. */
const BYTES_PER_FILE = 212_992;
/** Of `/proc/{pid}/stat`: what comes after the name, which may hold anything. */
const STATE = 0;
const TIMES = [11, 12] as const;
/** The kernel tells times in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;

/** How many processes a box has, asked of one that is in it; undefined if it does not answer. */
function countProcesses(pid: number): number | undefined {
  const names = namesIn(`/proc/${pid}/root/proc`).filter((name) => /^\d+$/.test(name));
  return names.length === 0 ? undefined : names.length;
}

/** What a process has, of its own and shared, and what its open files may hold. */
function memoryBytesOf(pid: number): number {
  const status = textOf(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const files = namesIn(`/proc/${pid}/fd`).length;
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024 + files * BYTES_PER_FILE;
}

/** Processor time of a process alone: what its children took is added up once they have ended, which may be later. */
function cpuMsOf(pid: number): number {
  const facts = factsOf(pid);
  return TIMES.reduce((sum, at) => sum + Number(facts[at] ?? 0), 0) * MS_PER_TICK;
}

/** Whether nothing of it is left but what its parent has not asked for. */
function isDefunct(pid: number): boolean {
  return ["Z", "X", undefined].includes(factsOf(pid)[STATE]);
}

function factsOf(pid: number): readonly (string | undefined)[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** How many names there are in a file system in memory, as the process sees it; undefined if it does not answer. */
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
