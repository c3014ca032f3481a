import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A program to run in a folder of its own, without a shell. */
export interface ProgramRun {
  readonly path: string;
  readonly args: readonly string[];
  /** Where it works; what it leaves there is bounded. */
  readonly folder: string;
  /** Everything it gets to know of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  readonly maxFolderBytes: number;
}

export interface ProgramResult {
  /** Undefined when it was ended, for taking too long or too much room. */
  readonly exitCode: number | undefined;
  /** The end of what it said. */
  readonly said: string;
}

const KEPT_OUTPUT = 16_384;
const LOOK_EVERY_MS = 250;

/**
 * Runs a program to its end, and ends it with all that it started when it takes longer or more room than it may.
 * @throws Error when it cannot be started; the signal's reason, once `signal` is aborted.
 */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const { path, args, folder, environment, timeLimitMs, maxFolderBytes } = run;
  const child = spawn(path, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, to be ended as one.
    detached: true,
  });
  let said = "";
  const hear = (chunk: Buffer) => (said = (said + chunk.toString("latin1")).slice(-KEPT_OUTPUT));
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = new AbortController();
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs), ended.signal]);
  const end = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  ending.addEventListener("abort", end, { once: true });
  void watchFolder(folder, maxFolderBytes, ending).then((isFull) => isFull && end());
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    signal.throwIfAborted();
    return { exitCode: exitCode ?? undefined, said };
  } finally {
    ended.abort();
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** @returns true once the folder is too full, false when nobody wants to know any more. */
async function watchFolder(folder: string, maxBytes: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if ((await sizeOf(folder)) > maxBytes) return true;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
