import { spawn } from "node:child_process";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Descriptor on which a child learns that what it needs is ready. */
export const READY = 3;

/**
 * Runs a program in the package folder until it ends. Signals sent to this process reach the program,
 * so that stopping the command stops what it started.
 *
 * @param {readonly [string, ...string[]]} command program and its arguments
 * @param {{ cwd: string, capture?: boolean, shell?: boolean, env?: NodeJS.ProcessEnv, detached?: boolean, prepare?: () => Promise<void> }} options
 *   `capture` collects the output instead of showing it; `detached` makes a process group of its own; `prepare` runs
 *   beside the program, which is told on `READY` when that has succeeded
 * @returns {Promise<{ code: number | null, signal: string | null, output: string }>}
 * @throws when the program cannot be started (ENOENT, EACCES), or not be prepared
 */
export function runChild([program, ...args], { capture = false, prepare, ...options }) {
  const shown = prepare ? ["inherit", "inherit", "inherit", "pipe"] : "inherit";
  const stdio = capture ? ["ignore", "pipe", "pipe"] : shown;
  const child = spawn(program, args, { ...options, stdio });
  const output = [];
  child.stdout?.on("data", (bytes) => output.push(bytes));
  child.stderr?.on("data", (bytes) => output.push(bytes));

  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  const stopForwarding = () => {
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
  };

  return new Promise((resolve, reject) => {
    if (prepare) tellWhenReady(child.stdio[READY], prepare()).catch(reject);
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("close", (code, signal) => {
      stopForwarding();
      resolve({ code, signal, output: Buffer.concat(output).toString("utf8") });
    });
  });
}

async function tellWhenReady(pipe, ready) {
  // The program may have ended.
  pipe.on("error", () => undefined);
  try {
    await ready;
    pipe.write("!");
  } finally {
    pipe.end();
  }
}

/** Ends this process the way the program ended: same exit code, or killed by the same signal. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
