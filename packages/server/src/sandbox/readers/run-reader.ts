import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import type { ReaderProgram } from "@pergamon-dev/documents/reader-processes";
import type { Readers } from "./readers.ts";

/** A program that runs to its end in its own folder. */
interface ReaderRun extends Omit<ReaderProgram, "stdio"> {
  readonly timeLimitMs: number;
  readonly maxFolderBytes: number;
}

interface ReaderResult {
  /** Undefined when the program was ended for taking too long or too much space. */
  readonly exitCode: number | undefined;
  /** The end of its output. */
  readonly said: string;
}

const KEPT_OUTPUT = 16_384;
const LOOK_EVERY_MS = 250;

/**
 * Runs a program to its end. It ends the program and its descendants when they take too long or too much
 * space.
 * @throws Error when it cannot be started; the signal's reason, once `signal` is aborted.
 */
export async function runReader(
  run: ReaderRun,
  readers: Readers,
  signal: AbortSignal,
): Promise<ReaderResult> {
  signal.throwIfAborted();
  const { folder, timeLimitMs, maxFolderBytes, ...program } = run;
  const child = await readers.start({ ...program, folder, stdio: ["ignore", "pipe", "pipe", "ignore"] });
  let said = "";
  const hear = (chunk: Buffer) => (said = (said + chunk.toString("latin1")).slice(-KEPT_OUTPUT));
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const ended = new AbortController();
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs), ended.signal]);
  const end = () => killGroup(child.pid);
  ending.addEventListener("abort", end, { once: true });
  if (ending.aborted) end();
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

/** @returns true once the folder is too full; false once the result no longer matters. */
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
    lstat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
