import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** How long a program may take to tell its version. */
const VERSION_TIME_LIMIT_MS = 5_000;

/** What came of starting a program to ask its version. */
type VersionAnswer = { readonly version: string } | { readonly problem: string };

/** How a program is asked. */
interface VersionQuestion {
  /** What makes the program print its version. */
  readonly args: readonly string[];
  readonly timeLimitMs?: number;
  /** Variables of the program, instead of those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** First executable of that name in the folders of a PATH variable, as the shell would find it. */
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
 * Starts a program and reads the first version number (`1.2`, `156.0.7204.49`) it prints. A program that
 * does not start, fails, hangs or prints no number is a problem, described in words.
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
