import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Time limit for a program to print its version. */
const VERSION_TIME_LIMIT_MS = 5_000;

type VersionAnswer = { readonly version: string } | { readonly problem: string };

interface VersionQuestion {
  /** Arguments that make the program print its version. */
  readonly args: readonly string[];
  readonly timeLimitMs?: number;
  /** Replaces this process's environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Returns the first executable of this name in the folders of a PATH variable, as the shell would find it.
 */
export async function locateProgram(name: string, pathVariable: string): Promise<string | undefined> {
  for (const folder of pathVariable.split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    // A folder is "executable" too.
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Starts a program and reads the first version number (`1.2`, `156.0.7204.49`) that it prints. A program that
 * does not start, fails, hangs or prints no number is reported as a problem in words.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function askVersion(path: string, question: VersionQuestion): Promise<VersionAnswer> {
  const { args, timeLimitMs = VERSION_TIME_LIMIT_MS, environment, signal } = question;
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeLimitMs,
      killSignal: "SIGKILL" as const,
      ...(environment && { env: environment }),
      ...(signal && { signal }),
    };
    execFile(path, args, options, (error, stdout, stderr) => {
      if (signal?.aborted) reject(signal.reason);
      else if (error) resolve({ problem: problemOf(error, stderr, timeLimitMs) });
      else resolve(versionIn(stdout || stderr));
    });
  });
}

function problemOf(
  error: Error & { killed?: boolean; code?: unknown },
  stderr: string,
  timeLimitMs: number,
): string {
  if (error.killed) return `no answer within ${timeLimitMs / 1000} s`;
  if (error.code === "ENOENT") return "not there";
  if (error.code === "EACCES") return "not executable";
  const firstLine = stderr.trim().split("\n", 1)[0];
  return firstLine || `ended with ${String(error.code)}`;
}

function versionIn(output: string): VersionAnswer {
  const version = /\d+(?:\.\d+)+/.exec(output)?.[0];
  return version ? { version } : { problem: "printed no version" };
}
