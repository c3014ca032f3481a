import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

import type { CodeOutcome } from "./messages.ts";

/** Bytes; the kernel takes no longer argument. */
const MAX_ARGUMENT_BYTES = 120_000;
const SIGNAL_OFFSET = 128;

/** A language that a program of the system runs. */
export interface ProgramCall {
  readonly program: string;
  /** Arguments for code that is an argument itself, and for code in a file. */
  readonly forText: readonly string[];
  readonly forFile: readonly string[];
}

/** Runs code by a program. What it prints goes straight to the service; what it left running ends with it. */
export async function runInterpreter(code: string, call: ProgramCall): Promise<CodeOutcome> {
  const child = spawn(call.program, argumentsOf(code, call), {
    stdio: ["ignore", "inherit", "inherit"],
    cwd: "/tmp",
    detached: true,
  });
  try {
    return await new Promise<CodeOutcome>((resolve) => {
      child.once("error", ({ message }) => resolve({ result: "", exitCode: 127, error: message }));
      child.once("exit", (exitCode) => resolve(outcomeOf(exitCode ?? SIGNAL_OFFSET)));
    });
  } finally {
    endGroup(child.pid);
  }
}

function argumentsOf(code: string, { forText, forFile }: ProgramCall): readonly string[] {
  if (Buffer.byteLength(code) <= MAX_ARGUMENT_BYTES) return [...forText, code];
  const path = "/tmp/.code";
  writeFileSync(path, code);
  return [...forFile, path];
}

function outcomeOf(exitCode: number): CodeOutcome {
  return exitCode === 0 ? { result: "", exitCode } : { result: "", exitCode, error: `Exit code ${exitCode}` };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
