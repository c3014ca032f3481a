import { setImmediate as nextTurn } from "node:timers/promises";

import { explainFailure } from "./explain-failure.ts";

/** Runs a command. A failure is explained on standard error and sets the exit code to 1, and so does output that was lost. */
export async function explained(command: () => Promise<unknown>): Promise<void> {
  const output = watchOutput();
  try {
    await command();
    // A service continues after its command, so the end of the process is too late for this check.
    await nextTurn();
    refuseLostOutput(output);
  } catch (failure) {
    process.stderr.write(`${explainFailure(failure)}\n`);
    process.exitCode = 1;
  } finally {
    output.end();
  }
}

/** Fails when output was lost, because it may be shown only once, such as a key. */
function refuseLostOutput(output: Output): void {
  const failure = output.failure();
  if (failure)
    throw new Error(
      `The output could not be written: ${failure.message}. Free some space, or write it elsewhere.`,
    );
}

/** State of standard output. */
interface Output {
  /** The reason why output was lost; undefined when all arrived, or when the reader wanted no more. */
  failure(): Error | undefined;
  /** Call it after the command. Later output of a service may get lost. */
  end(): void;
}

/** Keeps a full or closed standard output or error from ending a command or service. */
function watchOutput(): Output {
  let failure: Error | undefined;
  const note = (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") failure ??= cause;
  };
  process.stdout.on("error", note);
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore);
  return {
    failure: () => failure,
    end() {
      process.stdout.off("error", note);
      if (!process.stdout.listeners("error").includes(ignore)) process.stdout.on("error", ignore);
    },
  };
}

function ignore(): void {}
