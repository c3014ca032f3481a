import { spawn } from "node:child_process";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a program in the package folder until it ends. Signals sent to this process reach the program,
 * so that stopping the command stops what it started.
 *
 * @param {readonly [string, ...string[]]} command program and its arguments
 * @param {{ cwd: string, capture?: boolean, shell?: boolean, env?: NodeJS.ProcessEnv, detached?: boolean }} options
 *   `capture` collects the output instead of showing it; `detached` makes a process group of its own
 * @returns {Promise<{ code: number | null, signal: string | null, output: string }>}
 * @throws when the program cannot be started (ENOENT, EACCES)
 */
export function runChild([program, ...args], { capture = false, ...options }) {
  const stdio = capture ? ["ignore", "pipe", "pipe"] : "inherit";
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

/** Ends this process the way the program ended: same exit code, or killed by the same signal. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
